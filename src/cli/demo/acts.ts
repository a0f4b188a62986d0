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
  /** Settings to change at the start; the first act makes the queue with them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pullRequests: readonly DemoPullRequest[];
  /** Late pull requests are submitted as soon as one of the others is in this state, and is told this. */
  readonly lateOnce: { readonly number: number | 'any'; readonly state: string; readonly waitsFor?: string };
  /** The demo itself reports this status of every test: red until the late ones are submitted, then green. */
  readonly reportsStatus?: string;
  /** It shows the same as the act before, in flow: what both needed is compared. */
  readonly isActBefore?: 'in flow';
}

export const DEMO_ACTS: readonly DemoAct[] = [
  {
    title: 'A line',
    says: [
      'Each is tested together with everything ahead of it, three at once. One that is red by itself goes, and so does',
      'one that is red only with what landed before it; an urgent one goes to the head.',
    ],
    settings: { concurrency: 3 },
    pullRequests: LINE_PULL_REQUESTS,
    lateOnce: { number: 'any', state: 'merged' },
  },
  {
    title: 'A batch with a culprit',
    says: [
      'Four are tested as one. They are red, so prefixes of them are tested until the one that turned them red is known; it',
      'is tested once more, alone, and the others land without it. One slot tests the line, another one searches.',
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
    title: 'Such a batch in flow',
    says: [
      'The same with `scheduling: flow`: the two slots are one pool. Half of the four is tested, and lands as it passed; the rest is',
      'tested one by one. The culprit fails for being red alone on the target, once something has passed after that.',
    ],
    settings: { scheduling: 'flow', canOptimisticallyMerge: true },
    pullRequests: FLOW_PULL_REQUESTS,
    isActBefore: 'in flow',
    lateOnce: { number: 'any', state: 'merged' },
  },
  {
    title: 'A stack',
    says: [
      'Still in flow. #26 contains the commit of #25, and #27 that of #26. Whatever stands on another one is tested and lands with',
      'it, so the three need one test run.',
    ],
    // Paused until all are submitted, so that nothing is tested without them.
    settings: { batchingMinSize: 3, state: 'paused' },
    pullRequests: STACK_PULL_REQUESTS,
    lateOnce: { number: 'any', state: 'merged' },
  },
  {
    title: 'An outage that nobody is blamed for',
    says: [
      'Still in flow. CI is down: every test is red, also that of #28 alone. Nothing has passed since, so main itself is tested, and it',
      'is red, too: only main and urgent pull requests are tested then. The urgent #30 passes when CI works again.',
    ],
    settings: { batchingMinSize: 2, state: 'paused', requiredStatuses: ['machine'] },
    pullRequests: OUTAGE_PULL_REQUESTS,
    lateOnce: { number: 28, state: 'pending', waitsFor: 'nobody is blamed' },
    reportsStatus: 'machine',
  },
  {
    title: 'Two lanes',
    says: [
      'Each names what it impacts. #18 is tested on top of #17, because they share a target; #19 shares nothing with them',
      'and is tested beside them. The urgent #20 interrupts #19 only.',
    ],
    // Paused until all are submitted, so that they run side by side on slow machines too.
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
