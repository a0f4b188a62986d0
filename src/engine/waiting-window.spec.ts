import { FLOW_AT_START } from './flow-state';
import { takesSlotOfWaiting, waitingWindow, type WindowFacts } from './waiting-window';

const LIMITS = { runsInFlight: 200, batchSize: 100, treeReuseHours: 24 };
const SETTINGS = {
  ...({ scheduling: 'in_order', concurrency: 10, bisectionConcurrency: null } as const),
  ...{ batch: false, batchingMinSize: 8 },
};
const SHARED = { ...FLOW_AT_START, learned: { ...FLOW_AT_START.learned, together: { yes: 0, no: 1 } } };

type Facts = Partial<WindowFacts['settings']> & Partial<Pick<WindowFacts, 'mode' | 'flow'>>;

function windowOf({ mode = 'single', flow, ...settings }: Facts, slotsInUse = 0, withNeeds = 0): number {
  return waitingWindow({ mode, flow, limits: LIMITS, settings: { ...SETTINGS, ...settings } }, slotsInUse, withNeeds);
}

describe('the window of waiting entries', () => {
  it('includes one entry more than could start', () => {
    expect([windowOf({}), windowOf({ batch: true })]).toEqual([11, 81]);
  });

  it('shrinks with the free slots, and never below the needs of one free slot', () => {
    expect([2, 9, 10, 12].map((inUse) => windowOf({}, inUse))).toEqual([9, 2, 2, 2]);
    expect(windowOf({ concurrency: 2 }, 2)).toBe(2);
  });

  it('has one pool of slots in flow scheduling', () => {
    const flow = { scheduling: 'flow', concurrency: 4, bisectionConcurrency: 2 } as const;
    expect([windowOf(flow), windowOf(flow, 3)]).toEqual([7, 4]);
    expect(windowOf({ ...flow, bisectionConcurrency: null }, 3)).toBe(6);
  });

  it('includes more entries in flow scheduling if areas are shared', () => {
    const flow = { scheduling: 'flow', concurrency: 4, bisectionConcurrency: 2 } as const;
    expect([windowOf({ ...flow, flow: SHARED }), windowOf({ ...flow, flow: FLOW_AT_START })]).toEqual([28, 7]);
    expect(windowOf({ flow: SHARED })).toBe(11);
  });

  it('stays within the limits of the service', () => {
    expect(windowOf({ concurrency: 4_000_000_000 })).toBe(201);
    expect(windowOf({ concurrency: 1, batch: true, batchingMinSize: 4_000_000_000 })).toBe(101);
  });

  it('includes more entries in parallel mode, up to a limit', () => {
    expect([windowOf({ mode: 'parallel' }), windowOf({ mode: 'parallel', concurrency: 200 })]).toEqual([176, 500]);
  });

  it('includes one more entry for each entry with dependencies', () => {
    expect(windowOf({ mode: 'parallel', concurrency: 4 }, 4, 3)).toBe(35);
    expect(windowOf({ mode: 'parallel', concurrency: 200 }, 0, 3)).toBe(503);
    expect(windowOf({}, 0, 3)).toBe(14);
  });
});

describe('a slot for waiting entries', () => {
  const RUNS = [
    { kind: 'line', phase: 'testing' },
    { kind: 'line', phase: 'building' },
    { kind: 'line', phase: 'passed' },
    { kind: 'search', phase: 'testing' },
    { kind: 'verify', phase: 'building' },
    { kind: 'direct', phase: 'passed' },
  ] as const;

  it.each([
    ['in_order', 2],
    ['flow', 4],
  ] as const)('is taken in %s scheduling by %s of six runs', (scheduling, count) => {
    const taking = RUNS.filter((run) => takesSlotOfWaiting({ scheduling }, { ...run, resultAt: null }));
    expect(taking).toHaveLength(count);
  });
});
