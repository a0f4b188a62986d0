import { Command, CommanderError } from 'commander';
import { addAuditCommand } from './commands/audit';
import { addCompletionCommand } from './commands/completion';
import { addDoctorCommand } from './commands/doctor';
import { addExplainCommand } from './commands/explain';
import { addForgeCommands } from './commands/forges';
import { addGitHubCommands } from './commands/github';
import { addMcpCommand } from './commands/mcp';
import { addOrganizationCommands } from './commands/organizations';
import { addProcessesCommand } from './commands/processes';
import { addPullRequestCommands } from './commands/pull-requests';
import { addQueueCommands } from './commands/queues';
import { addReplayCommand } from './commands/replay';
import { addRepositoryCommands } from './commands/repositories';
import { addServiceCommands } from './commands/service';
import { addStatusCommands } from './commands/statuses';
import { addTestsCommands } from './commands/tests';
import { addTokenCommands } from './commands/tokens';
import { addUploadCommand } from './commands/upload';
import { addWebhookCommands } from './commands/webhooks';
import { printFailure } from './reply';
import { type Terminal, withoutControls } from './terminal';

const NOT_UNDERSTOOD = 2;

/** Runs one command. Returns the exit code: 0 done, 1 refused or failed, 2 not understood, or that of the caller's tests. */
export async function runSluice(args: readonly string[], terminal: Terminal): Promise<number> {
  const dashes = args.includes('--') ? args.indexOf('--') : args.length;
  const isJson = args.slice(0, dashes).includes('--json');
  // A program must get every text as it is.
  const shown = isJson ? terminal : withoutControls(terminal);
  try {
    await sluice(terminal, shown, args.slice(dashes + 1)).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed the message. Its exit code is 0 for --help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : NOT_UNDERSTOOD;
    return printFailure(shown, error, isJson ? 'json' : 'text');
  }
}

/** `screen`: the terminal itself, on which the demo draws. */
function sluice(screen: Terminal, terminal: Terminal, behindDashes: readonly string[]): Command {
  const program = new Command('sluice')
    .description('A self-hosted merge queue: it tests pull requests together and merges those that pass')
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .exitOverride()
    .showHelpAfterError('See the arguments and options with: --help')
    .showSuggestionAfterError();
  addServiceCommands(program, screen);
  addOrganizationCommands(program, terminal);
  addTokenCommands(program, terminal);
  addRepositoryCommands(program, terminal);
  addQueueCommands(program, terminal);
  addPullRequestCommands(program, terminal);
  addReplayCommand(program, terminal);
  addExplainCommand(program, terminal);
  addStatusCommands(program, terminal);
  addTestsCommands(program, terminal);
  addUploadCommand(program, terminal, behindDashes);
  addGitHubCommands(program, terminal);
  addForgeCommands(program, terminal);
  addAuditCommand(program, terminal);
  addProcessesCommand(program, terminal);
  addWebhookCommands(program, terminal);
  addMcpCommand(program);
  addDoctorCommand(program, terminal);
  addCompletionCommand(program, screen);
  return program;
}
