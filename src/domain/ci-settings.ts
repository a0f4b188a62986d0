import type { SettingTable } from './setting-kinds';

/** The part of the table of queue settings that says how a queue treats CI. */
export const CI_SETTINGS = {
  retestFlakyFailures: {
    kind: 'boolean',
    default: true,
    actedOnBy: 'engine',
    words:
      'Whether a run is tested once more before it counts as failed, if the test results that CI uploaded show failures of known flaky or quarantined tests only.',
  },
  statusReporters: {
    kind: 'status reporters',
    default: [],
    actedOnBy: 'user requests',
    example: [{ name: 'jenkins', reporter: 'login:jenkins-bot' }],
    words:
      'The only reporter of a required status that counts: job, job_token, app:<id>, login:<login> or token:<name>. For a status that is not named here, the queue learns the reporter from merged pull requests. If somebody else reported this status before, a report by the token of a CI job does not count.',
  },
  forkWorkflows: {
    kind: 'choice',
    choices: ['comment', 'confirm', 'refuse'],
    default: 'comment',
    actedOnBy: 'user requests',
    words:
      'How the queue treats pull requests from forks that change CI files, if the author may not write to the repository: their tests run with the secrets of the repository. comment: a comment on the pull request warns of this. confirm: the first submission is refused with the warning, and a second submission of the same head is accepted. refuse: no submission is accepted.',
  },
  neverReportedMinutes: {
    kind: 'integer',
    range: { minimum: 1, maximum: 4_294_967_295 },
    default: 10,
    nullMeans: 'off',
    storesNull: true,
    actedOnBy: 'engine',
    words:
      'How many minutes after the end of CI a test run fails if a required status is missing that only a CI job reports. A status that is known to be slow gets twice its longest delay so far, if that is longer. Before a pull request fails for this reason, the target is tested alone.',
  },
} as const satisfies SettingTable;
