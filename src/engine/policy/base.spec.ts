import type { QueuedHead, QueueSnapshot, TestRun } from '../model';
import { EngineDay } from '../../../test/support/engine-day';
import { baseCanComeAbout, landedSince } from './base';
import { groupOf } from './line';

const EVERYBODY = [1, 2, 3, 4];

/** Entries 1 to 4 are tested, each on all entries ahead of it; in parallel mode, all share a target with each other. */
function line(mode: 'single' | 'parallel', facts: Partial<QueueSnapshot> = {}): QueueSnapshot {
  const day = new EngineDay({ concurrency: 4 });
  for (const number of EVERYBODY) day.submit(number);
  const ids = new Set([...EVERYBODY, 5].map((number) => `entry-${number}`));
  return { ...day.carryOutAll().queue, mode, sharing: new Map([...ids].map((id) => [id, ids])), ...facts };
}

function change(number: number): QueuedHead {
  return { entryId: `entry-${number}`, number, head: `${number}a` };
}

/** Makes the runs of these numbers fail: later runs do not assume that they pass. */
function red(queue: QueueSnapshot, ...numbers: readonly number[]): QueueSnapshot {
  const failure = { type: 'status', names: ['ci'], depth: 0, reused: false } as const;
  const runs = queue.runs.map((run) => (numbers.includes(run.number) ? { ...run, phase: 'failed', failure } : run));
  return { ...queue, runs: runs as readonly TestRun[] };
}

function landed(queue: QueueSnapshot, ...numbers: readonly number[]): QueueSnapshot {
  const changes = numbers.map((number, i) => ({ ...change(number), seq: i + 1, epoch: 1 }));
  const entries = queue.entries.filter((entry) => !numbers.includes(entry.number));
  return { ...queue, entries, landed: changes, landedSeq: changes.length };
}

/** Whether the base of a run that tests entry 4 and was built on `builtOn` can still come about. */
function canComeAbout(queue: QueueSnapshot, ...builtOn: readonly number[]): boolean {
  const run = queue.runs.find(({ own }) => own[0]?.number === 4)!;
  return baseCanComeAbout(queue, groupOf(queue, run)!, { ...run, builtOn: builtOn.map(change) });
}

describe.each(['single', 'parallel'] as const)('the base of a failed run in %s mode', (mode) => {
  it('is possible while each entry in it has landed or is ahead, even if the entry failed', () => {
    expect(canComeAbout(line(mode), 1, 2, 3)).toBe(true);
    expect(canComeAbout(red(line(mode), 1, 3), 1, 2, 3)).toBe(true);
    expect(canComeAbout(landed(line(mode), 1), 1, 2, 3)).toBe(true);
    expect(canComeAbout(landed(line(mode), 1, 2, 3), 1, 2, 3)).toBe(true);
  });

  it('is impossible once somebody pushed to the target', () => {
    expect(canComeAbout(line(mode, { epoch: 2 }), 1, 2, 3)).toBe(false);
  });

  it('is impossible once a change outside it landed', () => {
    expect(canComeAbout(red(landed(line(mode), 1), 2), 3)).toBe(false);
    expect(canComeAbout(landed(line(mode), 5), 1, 2, 3)).toBe(false);
  });

  it('is impossible once an entry in it has left', () => {
    expect(canComeAbout(line(mode), 1, 2, 3, 5)).toBe(false);
    expect(canComeAbout(landed(line(mode), 1), 1, 2, 3, 5)).toBe(false);
  });

  it('is impossible while an entry outside it is ahead and assumed to pass', () => {
    expect(canComeAbout(line(mode), 1, 2)).toBe(false);
    expect(canComeAbout(red(line(mode), 3), 1, 2)).toBe(true);
  });

  it(`is possible in ${mode === 'single' ? 'its order only' : 'any order'}`, () => {
    const inAnyOrder = mode === 'parallel';
    expect(canComeAbout(line(mode), 2, 1, 3)).toBe(inAnyOrder);
    expect(canComeAbout(landed(line(mode), 2), 1, 2, 3)).toBe(inAnyOrder);
    expect(canComeAbout(landed(line(mode), 2, 1), 1, 2, 3)).toBe(inAnyOrder);
  });
});

describe('changes landed since a run was built', () => {
  it('are in the order of their landing, without the changes in the base of the run', () => {
    const queue = landed(line('single'), 1, 2, 3);
    const run = queue.runs.find(({ own }) => own[0]?.number === 4)!;
    const shuffled = { ...queue, landed: queue.landed.toReversed() };
    const since = landedSince(shuffled, { ...run, base: { ...run.base, landedSeq: 1 } });
    expect(since?.map(({ number }) => number)).toEqual([2, 3]);
  });
});
