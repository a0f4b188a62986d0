import { CI_SETTINGS } from './ci-settings';
import type { SettingTable } from './setting-kinds';

const U32 = { minimum: 1, maximum: 4_294_967_295 } as const;

/**
 * Every setting of a queue, in the order in which records show them. Requests, records, columns of a new queue,
 * `/openapi.json` and CLI options are generated from this table.
 */
export const QUEUE_SETTINGS = {
  concurrency: {
    kind: 'integer',
    range: U32,
    default: 1,
    actedOnBy: 'engine',
    example: 2,
    words: 'How many pull requests, or batches of them, are tested at once.',
  },
  bisectionConcurrency: {
    kind: 'integer',
    range: U32,
    default: null,
    nullMeans: 'follow concurrency',
    follows: 'concurrency',
    actedOnBy: 'engine',
    example: 2,
    words: 'How many test runs the bisection of a failed batch may use in parallel.',
  },
  testingTimeoutMinutes: {
    kind: 'integer',
    range: U32,
    default: 300,
    actedOnBy: 'engine',
    words: 'How many minutes the tests of a run may take, counted from the push of its testing branch.',
  },
  pendingFailureDepth: {
    kind: 'integer',
    range: U32,
    default: 0,
    nullMeans: 'off',
    actedOnBy: 'engine',
    example: 1,
    words:
      'How many pull requests behind a failing one must finish testing before the failing one is removed; 0 in an answer: off.',
  },
  canOptimisticallyMerge: {
    kind: 'boolean',
    default: false,
    actedOnBy: 'engine',
    words:
      'Whether a passed test run also proves the pull requests ahead that it included. All of these pull requests merge together. A code host that merges one pull request at a time merges them one after another: meanwhile, the target has content that no test run tested.',
  },
  batch: {
    kind: 'boolean',
    default: false,
    actedOnBy: 'engine',
    words: 'Whether pull requests are tested in batches.',
  },
  batchingMaxWaitTimeMinutes: {
    kind: 'integer',
    range: U32,
    default: 5,
    actedOnBy: 'engine',
    words: 'How many minutes the oldest waiting pull request waits for a batch to fill.',
  },
  batchingMinSize: {
    kind: 'integer',
    range: U32,
    default: 4,
    actedOnBy: 'engine',
    words: 'How many pull requests make a batch start at once; a batch holds no more.',
  },
  mode: {
    kind: 'choice',
    choices: ['single', 'parallel'],
    default: 'single',
    actedOnBy: 'mode switch',
    words:
      'single: one sequence for all pull requests. parallel: pull requests wait only for pull requests that share an impacted target.',
  },
  scheduling: {
    kind: 'choice',
    choices: ['in_order', 'flow'],
    default: 'in_order',
    actedOnBy: 'engine',
    words:
      'in_order: pull requests are tested and merged in the order of the queue. flow: pull requests are tested on top of all passed pull requests, and a test run merges all of its pull requests together. flow needs mode single and canOptimisticallyMerge; it uses the slots of concurrency and bisectionConcurrency together.',
  },
  lineDepth: {
    kind: 'choice',
    choices: ['full', 'by_chance'],
    default: 'full',
    actedOnBy: 'engine',
    words:
      'full: every slot is used. by_chance: nothing is tested on top of pull requests that are unlikely to all pass, which means far fewer tests and longer waits. With scheduling flow, this setting has no effect.',
  },
  commentsEnabled: {
    kind: 'boolean',
    default: true,
    actedOnBy: 'engine',
    words: 'Whether the queue comments on pull requests.',
  },
  commandsEnabled: {
    kind: 'boolean',
    default: true,
    actedOnBy: 'engine',
    words: 'Whether a comment with the merge command submits a pull request.',
  },
  createPrsForTestingBranches: {
    kind: 'boolean',
    default: true,
    actedOnBy: 'engine',
    words: 'Whether the queue opens pull requests for its testing branches, so that CI runs on them.',
  },
  statusCheckEnabled: {
    kind: 'boolean',
    default: true,
    actedOnBy: 'engine',
    words: 'Whether a status check on a pull request shows where it is in the queue.',
  },
  requiredStatuses: {
    kind: 'names',
    default: [],
    nullMeans: 'no statuses of its own, like an empty list',
    actedOnBy: 'engine',
    example: ['tests'],
    words:
      "Statuses that must pass in the queue's tests. If set, this list replaces the required statuses of the repository's configuration file and of the code host's branch protection.",
  },
  directMergeMode: {
    kind: 'choice',
    choices: ['off', 'always'],
    default: 'off',
    actedOnBy: 'engine',
    words:
      'always: a pull request that is up to date with the target and has passed merges at once. off: the queue tests every pull request.',
  },
  optimizationMode: {
    kind: 'choice',
    choices: ['off', 'bisection_skip_redundant_tests'],
    default: 'off',
    actedOnBy: 'engine',
    words:
      'bisection_skip_redundant_tests: tests whose result is already known are skipped. off: a failed batch is tested once more as a whole before the bisection starts.',
  },
  mergeMethod: {
    kind: 'choice',
    choices: ['merge_commit', 'squash', 'rebase'],
    default: 'squash',
    actedOnBy: 'engine',
    words: 'How a pull request becomes part of the target branch.',
  },
  extensionEnabled: {
    kind: 'boolean',
    default: true,
    actedOnBy: 'nothing',
    words: "Whether a browser extension may show the queue on the code host's pages.",
  },
  labelCommandsEnabled: {
    kind: 'boolean',
    default: true,
    actedOnBy: 'user requests',
    words: 'Whether the label that enqueueingLabel names submits a pull request.',
  },
  stateLabelsEnabled: {
    kind: 'boolean',
    default: false,
    actedOnBy: 'engine',
    words: 'Whether a label on a pull request, `<brand>: <state>`, shows its state in the queue.',
  },
  enqueueingLabel: {
    kind: 'text',
    maxLength: 50,
    default: '<brand>-merge-queue-submit',
    actedOnBy: 'user requests',
    example: 'sluice-merge-queue-submit',
    words: 'The label that submits a pull request.',
  },
  notReadyTimeoutHours: {
    kind: 'integer',
    range: U32,
    default: 24,
    actedOnBy: 'engine',
    words: 'How many hours a pull request may wait to become ready before it is cancelled.',
  },
  testBranchConstructionMode: {
    kind: 'choice',
    choices: ['push_new_branch_from_temp', 'rename_temp_branch'],
    default: 'push_new_branch_from_temp',
    actedOnBy: 'nothing',
    words: 'How the testing branch is pushed to the code host.',
  },
  allowedBotSubmitters: {
    kind: 'names',
    default: [],
    actedOnBy: 'user requests',
    words: 'Bots that may submit pull requests; empty: every bot that may write. Other bots get no answer.',
  },
  batchingRules: {
    kind: 'batching rules',
    default: [],
    actedOnBy: 'engine',
    words:
      'Globs over impacted targets: a pull request with such a target is never tested in a batch. `*` stands for any characters, `/` included, and `?` for one. ALL matches every glob; without targets none matches.',
  },
  ...CI_SETTINGS,
  maxMergesPerHour: {
    kind: 'integer',
    range: U32,
    default: null,
    nullMeans: 'no limit',
    actedOnBy: 'engine',
    example: 10,
    words:
      'How many pull requests the queue merges in an hour at most; after that, passed pull requests wait. A larger batch is merged when nothing has been merged for an hour.',
  },
  freezeWindows: {
    kind: 'freeze windows',
    default: [],
    actedOnBy: 'engine',
    example: [{ days: ['friday'], from: '16:00', to: '24:00', timeZone: 'Europe/Berlin', exceptPriorityAtMost: 0 }],
    words:
      'Times at which nothing is merged: days, times of day and time zone. Tests continue during a freeze, and passed pull requests wait. A pull request with the priority exceptPriorityAtMost or a better priority is still merged, unless a waiting pull request is ahead of it.',
  },
  pauseReason: {
    kind: 'text',
    maxLength: 200,
    default: null,
    nullMeans: 'no reason',
    actedOnBy: 'engine',
    example: 'release day',
    words: 'Why the queue is paused or draining; shown to everybody who waits. The state `running` clears the reason.',
  },
} as const satisfies SettingTable;

export type QueueSettingTable = typeof QUEUE_SETTINGS;
export type QueueSettingName = keyof QueueSettingTable;

type ActedOnByEngine = {
  [Name in QueueSettingName]: QueueSettingTable[Name]['actedOnBy'] extends 'engine' ? Name : never;
}[QueueSettingName];

/**
 * The names of the settings on which the engine acts. The compiler checks that they are the fields of the engine's own
 * `QueueSettings`.
 */
export const ENGINE_SETTINGS = Object.entries(QUEUE_SETTINGS)
  .filter(([, { actedOnBy }]) => actedOnBy === 'engine')
  .map(([name]) => name) as readonly ActedOnByEngine[];
