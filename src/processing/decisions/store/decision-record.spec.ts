import type { Change } from '../../../engine/changes';
import type { CulpritSearch, Entry, TestRun } from '../../../engine/model';
import type { EntryState, RunKind, StateReason } from '../../../engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../../../test/support/engine-snapshots';
import { recordOf } from './decision-record';

const QUEUE = emptyQueue(DEFAULT_SETTINGS, { commit: 'c', tree: 't' });

function submitted(attempt: number): Change {
  const orders = { submittedOrder: attempt, returnedOrder: 0 };
  const entry = { id: 'entry', number: 7, attempt, state: 'not_ready', stateRun: null, search: null, ...orders };
  return { type: 'entrySubmitted', entry: entry as Entry, actor: 'ci' };
}

function started(number: number, kind: RunKind): Change {
  const own = [{ entryId: 'entry', number: 7, head: 'h' }];
  return { type: 'runStarted', run: { number, kind, own, phase: 'testing' } as unknown as TestRun };
}

function moved(from: EntryState, to: EntryState, run: number | null, because: StateReason | null = null): Change {
  return { type: 'entryMoved', entryId: 'entry', from, to, run, because, actor: null, at: 0, details: null };
}

function ended(run: number): Change {
  return { type: 'runEnded', run, because: 'bisection_required' };
}

describe('the record of a decision', () => {
  it('logs a move under the run that the entry joins, or otherwise under the run that the entry leaves', () => {
    const { log } = recordOf(QUEUE, [
      submitted(1),
      started(1, 'search'),
      moved('pending', 'testing', 1),
      ended(1),
      moved('testing', 'pending', null, 'bisection_required'),
      started(2, 'line'),
      moved('pending', 'testing', 2),
    ]);
    const moves = log.filter(({ change }) => change.type === 'entryMoved');
    expect(moves.map(({ run, queueType }) => [run, queueType])).toEqual([
      [1, 'bisection'],
      [null, 'bisection'],
      [2, 'main'],
    ]);
  });

  it('logs a move as part of the bisection that the entry is in or has just left', () => {
    const members = [{ entryId: 'entry', number: 7, head: 'h' }];
    const search = { number: 1, members } as unknown as CulpritSearch;
    const { log } = recordOf(QUEUE, [
      submitted(1),
      { type: 'searchStarted', search },
      moved('pending_failure', 'pending', null, 'bisection_required'),
      { type: 'searchEnded', search: 1, because: 'batch_passed' },
      moved('pending', 'pending', null, 'bisection_test_run_passed'),
      moved('pending', 'cancelled', null),
      submitted(2),
      moved('not_ready', 'pending', null, 'merge_item_now_ready'),
    ]);
    expect(log.map(({ change, queueType }) => [change.type, queueType])).toEqual([
      ['entrySubmitted', 'main'],
      ['searchStarted', 'bisection'],
      ['entryMoved', 'bisection'],
      ['searchEnded', 'bisection'],
      ['entryMoved', 'bisection'],
      ['entryMoved', 'bisection'],
      ['entrySubmitted', 'main'],
      ['entryMoved', 'main'],
    ]);
  });

  it.each([
    ['line', 'main'],
    ['direct', 'main'],
    ['search', 'bisection'],
    ['verify', 'bisection'],
  ] as const)('logs a run of kind %s under the queue type %s', (kind, queueType) => {
    const failure = { type: 'status', names: ['tests'], depth: 0, reused: false } as const;
    const { log } = recordOf(QUEUE, [
      submitted(1),
      started(1, kind),
      { type: 'runFailed', run: 1, kind, failure, at: 5 },
      moved('pending', 'failed', 1),
      ended(1),
    ]);
    expect(log.slice(1).map((line) => line.queueType)).toEqual(Array(4).fill(queueType));
  });

  it('logs entries that return without a bisection under the queue type main', () => {
    const returns = [{ entryId: 'entry', order: 1, group: 1, batchAtMost: null, greenRetests: 0 }];
    const { log } = recordOf(QUEUE, [submitted(1), { type: 'entriesReturned', returns }]);
    expect(log[1]).toMatchObject({ queueType: 'main', entryId: null, run: null });
  });

  it('logs each change with the attempt at that time', () => {
    const { log } = recordOf(QUEUE, [
      submitted(1),
      moved('not_ready', 'cancelled', null),
      submitted(2),
      started(1, 'line'),
    ]);
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 1, 2, null]);
  });

  it('keeps the final state of a run that began and ended in one decision', () => {
    const failure = { type: 'status', names: ['tests'], depth: 0, reused: false } as const;
    const { runs } = recordOf(QUEUE, [
      submitted(3),
      started(1, 'line'),
      { type: 'runFailed', run: 1, kind: 'line', failure, at: 5 },
      ended(1),
    ]);
    expect(runs).toMatchObject([
      { run: { number: 1, failure, resultAt: 5 }, endedBecause: 'bisection_required', attempts: [3] },
    ]);
  });

  it('gives each landed change the epoch in which it landed', () => {
    const change = { entryId: 'entry', number: 7, head: 'h' };
    const landed: Change = { type: 'changeLanded', landing: 1, change, commit: 'c2', tree: 't2', at: 0 };
    const tip = { commit: 'x', tree: 'y' };
    const pushed: Change = { type: 'targetMoved', tip, seenAt: 0, epochs: 1 };
    expect(recordOf(QUEUE, [landed, pushed, landed]).landed.map(({ seq, epoch }) => [seq, epoch])).toEqual([
      [QUEUE.landedSeq + 1, QUEUE.epoch],
      [QUEUE.landedSeq + 2, QUEUE.epoch + 1],
    ]);
  });
});
