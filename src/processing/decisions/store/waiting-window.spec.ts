import { readQueueSettings } from '../../../domain/stored-settings';
import { FLOW_AT_START } from '../../../engine/flow-state';
import type { TestRun } from '../../../engine/model';
import type { QueueRow } from '../queue-lock';
import { waitingWindows, wordsTakingSlots } from './waiting-window';

const LIMITS = { runsInFlight: 200, batchSize: 100, treeReuseHours: 24 };

type Asked = Partial<QueueRow['settings'] & Pick<QueueRow, 'mode' | 'flow'>>;

function windowOf({ mode = 'single', flow = null, ...asked }: Asked, runs: readonly Partial<TestRun>[] = []): number {
  const settings = readQueueSettings({ concurrency: 10, batch: false, batchingMinSize: 8, ...asked });
  const queue = { mode, flow, settings } as QueueRow;
  const words = new Set(wordsTakingSlots(queue));
  const inUse = runs.filter(({ kind, phase }) => words.has(`${kind} ${phase}`)).length;
  const windows = waitingWindows(queue, LIMITS);
  return windows[Math.min(inUse, windows.length - 1)]!;
}

describe('the window of waiting entries', () => {
  it('has one entry more than could start', () => {
    expect(windowOf({})).toBe(11);
    expect(windowOf({ batch: true })).toBe(81);
  });

  it('counts free slots only; bisection runs and direct merges hold none', () => {
    const runs = [
      { kind: 'line', phase: 'testing' },
      { kind: 'line', phase: 'building' },
      { kind: 'line', phase: 'passed' },
      { kind: 'search', phase: 'testing' },
      { kind: 'verify', phase: 'building' },
      { kind: 'direct', phase: 'passed' },
    ] as const;
    expect(windowOf({}, runs)).toBe(9);
    expect(windowOf({ concurrency: 2 }, runs)).toBe(2);
  });

  it('counts one pool of slots in flow scheduling, which tests of suspects share', () => {
    const flow = { scheduling: 'flow', concurrency: 4, bisectionConcurrency: 2 } as const;
    const runs = [
      { kind: 'line', phase: 'testing' },
      { kind: 'search', phase: 'testing' },
      { kind: 'verify', phase: 'building' },
    ] as const;
    expect(windowOf(flow)).toBe(7);
    expect(windowOf(flow, runs)).toBe(4);
    expect(windowOf({ ...flow, bisectionConcurrency: null }, runs)).toBe(6);
  });

  it('is larger in flow scheduling where pull requests share areas', () => {
    const flow = { ...FLOW_AT_START, learned: { ...FLOW_AT_START.learned, together: { yes: 0, no: 1 } } };
    const queue = { scheduling: 'flow', concurrency: 4, bisectionConcurrency: 2 } as const;
    expect(windowOf({ ...queue, flow: flow as object })).toBe(28);
    expect(windowOf({ ...queue, flow: FLOW_AT_START as object })).toBe(7);
  });

  it('keeps the limits of the service', () => {
    expect(windowOf({ concurrency: 4_000_000_000 })).toBe(201);
    expect(windowOf({ concurrency: 1, batch: true, batchingMinSize: 4_000_000_000 })).toBe(101);
  });

  it('is larger in parallel mode, up to a limit', () => {
    expect(windowOf({ mode: 'parallel' })).toBe(176);
    expect(windowOf({ mode: 'parallel', concurrency: 200 })).toBe(500);
  });
});
