import { Command, CommanderError } from 'commander';
import { describeBuild, serviceBuild } from '../platform/service-version';
import { commandsFor } from './commands';
import type { Invocation } from './invocation';
import { printFailure } from './reply';
import { type Terminal, withoutControls } from './terminal';

const NOT_UNDERSTOOD = 2;

/**
 * Runs one command. Returns the exit code: 0 done, 1 refused or failed, 2 not understood, or the exit code of the
 * caller's tests.
 */
export async function runSluice(args: readonly string[], terminal: Terminal): Promise<number> {
  const dashes = args.includes('--') ? args.indexOf('--') : args.length;
  const isJson = args.slice(0, dashes).includes('--json');
  // With `--json`, the reader is a program, which must get every text unchanged.
  const shown = isJson ? terminal : withoutControls(terminal);
  try {
    const invocation = { screen: terminal, wordsAfterDashes: args.slice(dashes + 1) };
    await sluice(args, shown, invocation).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed the message. The exit code of commander is 0 for --help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : NOT_UNDERSTOOD;
    return printFailure(shown, error, isJson ? 'json' : 'text');
  }
}

function sluice(args: readonly string[], terminal: Terminal, invocation: Invocation): Command {
  const program = new Command('sluice')
    .description('A self-hosted merge queue: it tests pull requests together and merges them when they pass')
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .exitOverride()
    .showHelpAfterError('See the arguments and options with: --help')
    .showSuggestionAfterError()
    .option('--version', 'print the version, commit and date of this build');
  program.on('option:version', () => {
    terminal.out(`${describeBuild(serviceBuild())}\n`);
    throw new CommanderError(0, 'commander.version', 'The version was printed.');
  });
  for (const addCommand of commandsFor(args)) addCommand(program, terminal, invocation);
  return program;
}
