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
      'The only reporter of a required status that counts: job, job_token, app:<id>, login:<login> or token:<name>. For a status that is not named here, the queue learns the reporter from merged pull requests. Then a report by the token of a CI job does not count if somebody else reported the status before.',
  },
  forkWorkflows: {
    kind: 'choice',
    choices: ['comment', 'confirm', 'refuse'],
    default: 'comment',
    actedOnBy: 'user requests',
    words:
      'For a pull request of a fork that changes files that define CI, if its author may not write to the repository. Its tests run with the secrets of the repository. comment: a comment on the pull request says so. confirm: the first submission is refused with that warning, and a second one for the same head is accepted. refuse: no submission is accepted.',
  },
  neverReportedMinutes: {
    kind: 'integer',
    range: { minimum: 1, maximum: 4_294_967_295 },
    default: 10,
    nullMeans: 'off',
    storesNull: true,
    actedOnBy: 'engine',
    words:
      'How many minutes after the end of CI a run fails if a required status is missing that only a CI job reports. If twice the longest delay of that status is longer, the run fails after that time instead. Then the target is tested alone before anybody is blamed.',
  },
} as const satisfies SettingTable;
