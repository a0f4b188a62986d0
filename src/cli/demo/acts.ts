import {
  BATCH_PULL_REQUESTS,
  type DemoPullRequest,
  FLOW_PULL_REQUESTS,
  LANES_PULL_REQUESTS,
  LINE_PULL_REQUESTS,
  OUTAGE_PULL_REQUESTS,
  STACK_PULL_REQUESTS,
} from './pull-requests';

/** A part of the demo that shows one way of testing, with its own pull requests in the same queue. */
export interface DemoAct {
  readonly title: string;
  readonly says: readonly string[];
  /** Settings to change at the start; the first act creates the queue with them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pullRequests: readonly DemoPullRequest[];
  /**
   * Late pull requests are submitted as soon as an earlier pull request is in this state and has this reason to wait.
   */
  readonly lateOnce: { readonly number: number | 'any'; readonly state: string; readonly waitsFor?: string };
  /**
   * The demo itself reports this status for every test run: failed until the late pull requests are submitted, then
   * passed.
   */
  readonly reportsStatus?: string;
  /** Repeats the previous act with flow scheduling, and compares the number of test runs. */
  readonly isActBefore?: 'with flow scheduling';
}

export const DEMO_ACTS: readonly DemoAct[] = [
  {
    title: 'A line',
    says: [
      'Each pull request is tested together with everything ahead of it, three test runs at once. A pull request fails if',
      'its own tests fail, or if they fail together with earlier merges. An urgent pull request is tested first.',
    ],
    settings: { concurrency: 3 },
    pullRequests: LINE_PULL_REQUESTS,
    lateOnce: { number: 'any', state: 'merged' },
  },
  {
    title: 'A batch with a culprit',
    says: [
      'Four pull requests are tested as one batch, and it fails. Bisection tests prefixes of the batch until the culprit is',
      'known. The culprit is tested once more in isolation; the others merge without it. Bisection has a slot of its own.',
    ],
    settings: {
      concurrency: 1,
      batch: true,
      batchingMinSize: 4,
      bisectionConcurrency: 1,
      optimizationMode: 'bisection_skip_redundant_tests',
    },
    pullRequests: BATCH_PULL_REQUESTS,
    lateOnce: { number: 'any', state: 'merged' },
  },
  {
    title: 'The same batch with flow scheduling',
    says: [
      'With `scheduling: flow` the two slots are one pool. Half of the batch is tested, passes and merges; the rest is tested',
      'one by one. The culprit fails because it failed in isolation on the target, once another test run has passed.',
    ],
    settings: { scheduling: 'flow', canOptimisticallyMerge: true },
    pullRequests: FLOW_PULL_REQUESTS,
    isActBefore: 'with flow scheduling',
    lateOnce: { number: 'any', state: 'merged' },
  },
  {
    title: 'A stack',
    says: [
      'Still with flow scheduling. #26 contains the commit of #25, and #27 contains the commit of #26. Stacked pull requests',
      'are tested and merged together, so the three need one test run.',
    ],
    // The queue is paused until all pull requests are submitted, so that the first test run contains all of them.
    settings: { batchingMinSize: 3, state: 'paused' },
    pullRequests: STACK_PULL_REQUESTS,
    lateOnce: { number: 'any', state: 'merged' },
  },
  {
    title: 'An outage that nobody is blamed for',
    says: [
      'Still with flow scheduling. CI is down: every test fails, also the test of #28 in isolation. No test run has passed',
      'since, so main itself is tested. main fails too, so only main and urgent pull requests are tested. The urgent #30 passes',
      'when CI works again.',
    ],
    settings: { batchingMinSize: 2, state: 'paused', requiredStatuses: ['machine'] },
    pullRequests: OUTAGE_PULL_REQUESTS,
    lateOnce: { number: 28, state: 'pending', waitsFor: 'nobody is blamed' },
    reportsStatus: 'machine',
  },
  {
    title: 'Parallel mode, two lanes',
    says: [
      'Each pull request names the targets that it impacts. #18 is tested on top of #17, because they share a target. #19',
      'shares no target with them and is tested in parallel. The urgent #20 interrupts #19 only.',
    ],
    // The queue is paused until all pull requests are submitted, so that they run in parallel even on slow machines.
    settings: {
      scheduling: 'in_order',
      canOptimisticallyMerge: false,
      concurrency: 3,
      bisectionConcurrency: 3,
      batch: false,
      requiredStatuses: [],
      mode: 'parallel',
      state: 'paused',
    },
    pullRequests: LANES_PULL_REQUESTS,
    lateOnce: { number: 19, state: 'testing' },
  },
];
