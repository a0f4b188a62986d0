/** The subject of each number in titles (`attack 9: …`). */
export const SUBJECTS: Readonly<Record<number, string>> = {
  1: 'A pull request is turned to another branch while it is tested',
  2: 'Commits that nobody asked for get in behind a request',
  3: 'Approvals that do not count: withdrawn, by who pushed last, from another app',
  4: 'A pull request lands before its own required checks have passed',
  5: 'A CI job reports the status that its own pull request needs',
  8: 'Code of pull requests runs on the machine of the service',
  9: 'Bodies and lists that are huge, or deep, or slow to read',
  10: 'Bodies with wrong values in every place',
  11: 'Configuration files that take long to parse',
  12: 'Commits and texts that git, PostgreSQL or the host cannot take',
  13: 'A host refuses the service, or contradicts itself',
  14: 'Senders and texts that mislead: redirects, webhooks, stalled clients, hidden commands',
  16: 'A repository on GitHub under the name of another',
  17: 'Test results that a pull request makes up, and reports that are slow to read',
  18: 'Names and failures of tests that a comment shows',
  19: 'Names and failures of tests that the log and the pages of CI show',
};
