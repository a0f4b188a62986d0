import { type Known, violationsIn } from './invariants';
import type { Targets } from './notation';
import type { Moment, SeenEntry, SeenRun, Sight } from './stage';

const at = Date.UTC(2026, 0, 1);
const quiet = { reason: null, hasRun: false, at } as const;
const timeline: readonly Moment[] = [
  { ...quiet, state: 'not_ready', reason: 'api_requested' },
  { ...quiet, state: 'pending', reason: 'merge_item_now_ready' },
  { ...quiet, state: 'testing', hasRun: true },
];
const waiting: SeenEntry = { number: 1, state: 'testing', reason: null, waitingFor: 'its statuses', timeline };
const run: SeenRun = {
  number: 1,
  kind: 'line',
  base: [],
  adds: ['1@a'],
  ownCount: 1,
  requiredStatuses: ['ci'],
  pushedAt: at,
  timeoutMinutes: 60,
  standing: 'awaited',
};
const sound: Sight = {
  queue: 'running',
  now: at,
  entries: [waiting],
  runs: [run],
  target: [],
  moves: [],
  problems: [],
};
const passed = new Map([[1, new Map([['ci', 'passed' as const]])]]);
const known: Known = {
  mode: 'single',
  submitted: new Set([1]),
  targets: new Map(),
  reports: new Map(),
  passedHeads: new Set(),
  everRed: new Set(),
};
const failed: readonly Moment[] = [
  ...timeline,
  { ...quiet, state: 'pending_failure', hasRun: true },
  { ...quiet, state: 'failed', reason: 'test_run_required_status_failed' },
];
const failedEntry: SeenEntry = {
  number: 1,
  state: 'failed',
  reason: 'test_run_required_status_failed',
  waitingFor: null,
  timeline: failed,
};

describe('the invariants, checked after every step,', () => {
  it('hold for a queue that tests submitted pull requests and lands the pull requests that passed', () => {
    expect(violationsIn(sound, known)).toEqual([]);
    const landed = { ...sound, target: ['1@a'], moves: [{ before: [], after: ['1@a'] }] };
    expect(violationsIn(landed, { ...known, reports: passed })).toEqual([]);
  });

  it.each<[string, Partial<Sight>, Partial<Known>]>([
    ['the target was moved to 1@a', { moves: [{ before: [], after: ['1@a'] }] }, {}],
    ['the target was moved to 1@b', { moves: [{ before: [], after: ['1@b'] }] }, { reports: passed }],
    ['the target was moved to hotfix 1@a', { moves: [{ before: [], after: ['hotfix', '1@a'] }] }, { reports: passed }],
    [
      '1@a landed and was never tested together with 1@a 2@a',
      { moves: [{ before: ['2@a'], after: ['2@a', '1@a'] }] },
      {
        mode: 'parallel',
        reports: passed,
        targets: new Map<number, Targets>([
          [1, ['x']],
          [2, 'ALL'],
        ]),
      },
    ],
    ['1 is on the target twice', { target: ['1@a', '1@b'] }, {}],
    ['#2 was submitted and is nowhere', {}, { submitted: new Set([1, 2]) }],
    ['#1 is testing and nothing says why', { entries: [{ ...waiting, waitingFor: '' }] }, {}],
    ['two live runs test 1@a', { runs: [run, { ...run, number: 2 }] }, {}],
    ['#1 failed (test_run_required_status_failed) and no red run holds it', { entries: [failedEntry] }, {}],
    ['#1 has no history', { entries: [{ ...waiting, timeline: [] }] }, {}],
    ['its history ends with pending', { entries: [{ ...waiting, timeline: timeline.slice(0, 2) }] }, {}],
    [
      '#1 became testing and nothing says why',
      { entries: [{ ...waiting, timeline: [...timeline.slice(0, 2), { ...quiet, state: 'testing' }] }] },
      {},
    ],
    [
      '#1 became pending when it was failed',
      {
        entries: [
          {
            ...waiting,
            timeline: [...failed, { ...quiet, state: 'pending', reason: 'rebuild_required' }, timeline[2]!],
          },
        ],
      },
      {},
    ],
    ['testing branches without a run', { problems: ['testing branches without a run: x'] }, {}],
  ])('report the violation: %s', (sentence, seen, more) => {
    expect(violationsIn({ ...sound, ...seen }, { ...known, ...more })).toContainEqual(
      expect.stringContaining(sentence),
    );
  });

  it('hold for untested combinations without a common target, and for failures by a failed run', () => {
    const moves = [{ before: ['2@a'], after: ['2@a', '1@a'] }];
    const lanes = {
      ...known,
      mode: 'parallel',
      reports: passed,
      targets: new Map<number, Targets>([
        [1, ['x']],
        [2, ['y']],
      ]),
    } as const;
    expect(violationsIn({ ...sound, moves }, lanes)).toEqual([]);
    const red = { ...known, everRed: new Set([1]) };
    expect(violationsIn({ ...sound, entries: [failedEntry] }, red)).toEqual([]);
  });
});
