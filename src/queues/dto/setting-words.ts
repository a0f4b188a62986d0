interface Words {
  readonly description: string;
  readonly example: unknown;
}

/** What the document says of each setting, in requests and in records alike. */
export const SETTING_WORDS: Readonly<Record<string, Words>> = {
  concurrency: { description: 'How many pull requests, or batches of them, are tested at once.', example: 2 },
  bisectionConcurrency: {
    description:
      'How many test runs a search for the culprit of a failed batch may use at once; follows concurrency until it is set.',
    example: 2,
  },
  testingTimeoutMinutes: {
    description: 'How many minutes the tests of a run may take, counted from the push of its testing branch.',
    example: 300,
  },
  pendingFailureDepth: {
    description:
      'How many pull requests behind a failing one must finish testing before it is removed; 0 in an answer means off.',
    example: 1,
  },
  canOptimisticallyMerge: {
    description: 'Whether a pull request that passes also proves those ahead of it that are part of what was tested.',
    example: false,
  },
  batch: { description: 'Whether pull requests are tested in batches.', example: false },
  batchingMaxWaitTimeMinutes: {
    description: 'How many minutes the oldest waiting pull request waits for a batch to fill.',
    example: 5,
  },
  batchingMinSize: { description: 'How many pull requests form a batch; also its size.', example: 4 },
  mode: { description: 'single: one line. parallel: lanes by impacted targets.', example: 'single' },
  commentsEnabled: { description: 'Whether the queue comments on pull requests.', example: true },
  commandsEnabled: { description: 'Whether a comment with the merge command submits a pull request.', example: true },
  createPrsForTestingBranches: {
    description: 'Whether the queue opens pull requests for its testing branches, so that CI runs on them.',
    example: true,
  },
  statusCheckEnabled: {
    description: 'Whether a status check on a pull request shows where it is in the queue.',
    example: true,
  },
  requiredStatuses: {
    description:
      "Statuses that must pass in the queue's tests. Set, they replace those of the repository's configuration file and of the host's branch protection.",
    example: ['tests'],
  },
  directMergeMode: {
    description: 'always: a pull request that is up to date with the target and has passed merges at once.',
    example: 'off',
  },
  optimizationMode: {
    description: 'bisection_skip_redundant_tests: tests whose result is already known are skipped.',
    example: 'off',
  },
  mergeMethod: { description: 'How a pull request becomes part of the target branch.', example: 'squash' },
  extensionEnabled: {
    description: "Whether the host's browser extension may show the queue; stored and returned only.",
    example: true,
  },
  labelCommandsEnabled: { description: 'Whether the label below submits a pull request.', example: true },
  stateLabelsEnabled: { description: 'Whether labels on a pull request show its state in the queue.', example: false },
  enqueueingLabel: { description: 'The label that submits a pull request.', example: 'sluice-merge-queue-submit' },
  notReadyTimeoutHours: {
    description: 'How many hours a pull request may wait to become ready before it is cancelled.',
    example: 24,
  },
  testBranchConstructionMode: {
    description: 'How the testing branch comes to the host; both have the same result here.',
    example: 'push_new_branch_from_temp',
  },
  allowedBotSubmitters: { description: 'Bots that may submit pull requests; empty means every bot.', example: [] },
  batchingRules: { description: 'Targets whose pull requests are kept out of batches.', example: [] },
};

export const CHOICES = {
  mode: ['single', 'parallel'],
  directMergeMode: ['off', 'always'],
  optimizationMode: ['off', 'bisection_skip_redundant_tests'],
  mergeMethod: ['merge_commit', 'squash', 'rebase'],
  testBranchConstructionMode: ['push_new_branch_from_temp', 'rename_temp_branch'],
} as const;
