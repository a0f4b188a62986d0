/** What to do after a refusal, by the code of the interface. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  AUTHENTICATION_REQUIRED: 'Make a token with: sluice token create. Pass it with --token or SLUICE_TOKEN.',
  INVALID_TOKEN: 'See the tokens with: sluice token list --org <slug>. Make another with: sluice token create',
  INSUFFICIENT_PERMISSIONS:
    'Make a token with such a role: sluice token create --org <slug> --name <name> --role <role>',
  VALIDATION_FAILED: 'See what the command takes with: --help',
  REPOSITORY_NOT_FOUND: 'Give the repository to your organization: sluice repo add <repository> --org <slug>',
  BRANCH_NOT_FOUND: 'Name the branch with --branch, as the repository has it.',
  MERGE_QUEUE_NOT_FOUND: 'Make the queue: sluice queue create <repository> --branch <branch>',
  PR_NOT_FOUND: 'Open it at the code host (plain git: push refs/pull/<number>/head). Then: sluice pr submit',
  QUEUE_ALREADY_EXISTS: 'Change it with: sluice queue update. See it with: sluice queue get',
  QUEUE_HAS_ACTIVE_ENTRIES: 'See them with: sluice queue get. Take each out with: sluice pr cancel',
  PR_NOT_IN_ACTIVE_STATE: 'See how it stands with: sluice pr status',
  PR_NOT_ENQUEUEABLE: 'See how it stands with: sluice pr status. A closed or merged pull request cannot be queued.',
  PR_TESTS_NOT_RESTARTABLE: 'See what it waits for with: sluice pr status',
  MODE_CHANGE_IN_PROGRESS: 'Wait until the queue has switched: sluice queue get',
  RATE_LIMIT_EXCEEDED: 'Wait a little, then run the command again.',
  UPSTREAM_ERROR: 'The code host did not answer; nothing was changed. Run the command again.',
  UNAVAILABLE: 'Nothing was changed. Run the command again.',
};

export function nextAfterCode(code: string): string | undefined {
  return NEXT_STEPS[code];
}
