/** The subject of each number that titles of tests contain (`attack 9: …`). */
export const SUBJECTS: Readonly<Record<number, string>> = {
  1: 'The base branch of a pull request changes during its test',
  2: 'Unrequested commits enter with a requested merge',
  3: 'Invalid approvals: withdrawn, by the last pusher, or from another app',
  4: 'A pull request merges before its own required checks have passed',
  5: 'A CI job reports the status that its own pull request needs',
  8: 'Code of pull requests runs on the machine of the service',
  9: 'Bodies and lists that are huge, deep or slow to read',
  10: 'Bodies with invalid values in every field',
  11: 'Configuration files that take long to parse',
  12: 'Commits and texts that git, PostgreSQL or the host cannot store',
  13: 'A host refuses the service, or contradicts itself',
  14: 'Senders and texts that mislead: redirects, webhooks, stalled clients, hidden commands',
  16: 'A GitHub repository under the name of another one',
  17: 'Test results invented by a pull request, and reports that are slow to read',
  18: 'Names and failures of tests that a comment shows',
  19: 'Names and failures of tests that CI logs and CI pages show',
};
