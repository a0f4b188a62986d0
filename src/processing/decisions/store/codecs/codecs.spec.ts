import type { Decided } from '../../../../engine/decision';
import { JUST_WAITING } from '../../../../engine/flow-state';
import type { QueueSnapshot } from '../../../../engine/model';
import { initialSettings } from '../../../../domain/stored-settings';
import type { QueueRow } from '../../queue-lock';
import { decodeEntry, encodeEntry, ENTRIES, type EntryRow } from './entry.codec';
import { decodeLanded, encodeLanded } from './landed-change.codec';
import { decodeQueue, encodeQueue, QUEUES } from './queue.codec';
import { decodeRun, encodeRun, type RunRow, RUNS } from './run.codec';
import { decodeSearch, encodeSearch } from './search.codec';

const QUEUE = '00000000-0000-4000-8000-00000000000a';
const NOW = new Date(Date.UTC(2026, 10, 20));

/** A different value for each column, so that two swapped columns are noticed. */
const VALUES: Readonly<Record<string, (column: string, position: number) => unknown>> = {
  uuid: (_column, position) => `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
  text: (column) => column,
  'text[]': (column) => [column],
  int: (_column, position) => position + 1,
  bigint: (_column, position) => position + 1,
  boolean: () => true,
  timestamptz: (_column, position) => new Date(NOW.getTime() + position).toISOString(),
  jsonb: (column) => ({ column }),
};

function rowOf({ columns }: { readonly columns: Readonly<Record<string, string>> }): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([column, type], position) => [column, VALUES[type]!(column, position)]),
  );
}

function without(row: object, columns: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
}

describe('the codec of an entry', () => {
  it('encodes each column as it was decoded, except columns that are derived from other columns', () => {
    const row = { ...rowOf(ENTRIES), queueId: QUEUE, flow: { ...JUST_WAITING, at: 'suspect' } };
    const ofOthers = {
      stateRun: 3,
      verifiedByRun: 4,
      hasTargets: true,
      unmet: [],
      stack: null,
      observedAt: NOW.toISOString(),
    };
    const entry = decodeEntry({ ...row, ...ofOthers } as unknown as EntryRow);
    const derived = ['pendingRank', 'standing', 'stateRunId', 'verifiedByRunId', 'waitsForConfig'];
    expect(without(encodeEntry(QUEUE, entry), derived)).toEqual(without(row, derived));
  });
});

describe('the codec of a test run', () => {
  it('encodes each column as it was decoded, except the columns that say how the run ended', () => {
    const flow = { role: 'group', assumed: [], set: 1, isUrgent: false };
    const row = { ...rowOf(RUNS), queueId: QUEUE, flow, dropped: [{ name: 'dropped' }] };
    const run = decodeRun({ ...row, own: [] } as unknown as RunRow);
    const derived = ['id', 'live', 'endedAt', 'endedBecause', 'result'];
    const encoded = encodeRun(QUEUE, { run, endedBecause: null, attempts: [] }, NOW);
    expect(without(encoded, derived)).toEqual(without(row, derived));
  });
});

describe('the codec of a queue', () => {
  it('encodes each column as it was decoded, except the columns that every decision sets', () => {
    const stored = { ...rowOf(QUEUES), flow: null };
    const settings = initialSettings('sluice');
    const row = { ...withDates(stored, QUEUES.columns), settings, targetsKey: null, targetsProblem: null };
    const decided = { after: decodeQueue(row as unknown as QueueRow), changes: [], wakeAt: 1 };
    const { nextLog, startNotedAt } = row as unknown as QueueRow;
    const encoded = encodeQueue(
      row as unknown as QueueRow,
      decided as unknown as Decided & { readonly after: QueueSnapshot },
      { nextLog: Number(nextLog), startNotedAt },
      NOW,
    );
    const set = ['version', 'wakeAt', 'deletedAt', 'failures', 'retryAt'];
    expect(without(encoded, set)).toEqual(without(stored, set));
    expect(encoded).toMatchObject({ version: String((row as unknown as QueueRow).version + 1n), failures: 0 });
  });
});

describe('the codec of a bisection', () => {
  it('stores the bisection as the engine has it', () => {
    const search = { number: 7 } as Parameters<typeof encodeSearch>[1];
    expect(decodeSearch(encodeSearch(QUEUE, search))).toBe(search);
  });
});

describe('the codec of a landed change', () => {
  it('decodes the fields that later decisions read', () => {
    const head = { entryId: QUEUE, number: 7, head: 'h'.repeat(40), generation: 2 };
    const change = {
      type: 'changeLanded',
      landing: 3,
      below: 'b',
      commit: 'c',
      tree: 't',
      change: head,
      at: 0,
    } as const;
    const encoded = encodeLanded(QUEUE, { seq: 5, epoch: 1, change }, NOW);
    const { seq, epoch, entryId, number, generation, landing } = encoded;
    const read = { seq: Number(seq), epoch, entryId, number, head: encoded.head, generation, landing };
    expect(decodeLanded(read)).toEqual({ seq: 5, epoch: 1, landing: 3, ...head });
  });
});

/** Decodes a row into the form in which the PostgreSQL driver returns rows outside JSON, with dates. */
function withDates(row: object, columns: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      columns[column] === 'timestamptz'
        ? new Date(value as string)
        : columns[column] === 'bigint'
          ? BigInt(value as number)
          : value,
    ]),
  );
}
