import type { Command } from 'commander';
import type { Invocation } from './invocation';
import type { Terminal } from './terminal';

type AddCommand = (program: Command, terminal: Terminal, invocation: Invocation) => void;

/** Each command by its name, in the order of the help. The function loads the module that describes the command. */
export const COMMAND_MODULES: Readonly<Record<string, () => AddCommand>> = {
  init: () => (require('./commands/init') as typeof import('./commands/init')).addInitCommand,
  serve: () => (require('./commands/service') as typeof import('./commands/service')).addServeCommand,
  demo: () => (require('./commands/service') as typeof import('./commands/service')).addDemoCommand,
  sample: () => (require('./commands/sample') as typeof import('./commands/sample')).addSampleCommand,
  org: () => (require('./commands/organizations') as typeof import('./commands/organizations')).addOrganizationCommands,
  token: () => (require('./commands/tokens') as typeof import('./commands/tokens')).addTokenCommands,
  'sign-in-link': () =>
    (require('./commands/sign-in-link') as typeof import('./commands/sign-in-link')).addSignInLinkCommand,
  repo: () => (require('./commands/repositories') as typeof import('./commands/repositories')).addRepositoryCommands,
  queue: () => (require('./commands/queues') as typeof import('./commands/queues')).addQueueCommands,
  pr: () => (require('./commands/pull-requests') as typeof import('./commands/pull-requests')).addPullRequestCommands,
  replay: () => (require('./commands/replay') as typeof import('./commands/replay')).addReplayCommand,
  explain: () => (require('./commands/explain') as typeof import('./commands/explain')).addExplainCommand,
  status: () => (require('./commands/statuses') as typeof import('./commands/statuses')).addStatusCommands,
  tests: () => (require('./commands/tests') as typeof import('./commands/tests')).addTestsCommands,
  upload: () => (require('./commands/upload') as typeof import('./commands/upload')).addUploadCommand,
  github: () => (require('./commands/github') as typeof import('./commands/github')).addGitHubCommands,
  gitea: () => (require('./commands/forges') as typeof import('./commands/forges')).addGiteaCommand,
  gitlab: () => (require('./commands/forges') as typeof import('./commands/forges')).addGitLabCommand,
  audit: () => (require('./commands/audit') as typeof import('./commands/audit')).addAuditCommand,
  attestation: () =>
    (require('./commands/attestations') as typeof import('./commands/attestations')).addAttestationCommands,
  verify: () => (require('./commands/verify') as typeof import('./commands/verify')).addVerifyCommand,
  processes: () => (require('./commands/processes') as typeof import('./commands/processes')).addProcessesCommand,
  webhook: () => (require('./commands/webhooks') as typeof import('./commands/webhooks')).addWebhookCommands,
  mcp: () => (require('./commands/mcp') as typeof import('./commands/mcp')).addMcpCommand,
  certify: () => (require('./commands/certify') as typeof import('./commands/certify')).addCertifyCommand,
  doctor: () => (require('./commands/doctor') as typeof import('./commands/doctor')).addDoctorCommand,
  completion: () => (require('./commands/completion') as typeof import('./commands/completion')).addCompletionCommand,
};

/**
 * The function that adds the command of the first argument. Help and typing errors need the functions of all commands.
 */
export function commandsFor([first = '']: readonly string[]): readonly AddCommand[] {
  if (first === '--version') return [];
  // The completion script lists every command.
  const named =
    first === 'completion' || !Object.hasOwn(COMMAND_MODULES, first) ? Object.keys(COMMAND_MODULES) : [first];
  return named.map((name) => COMMAND_MODULES[name]!());
}
