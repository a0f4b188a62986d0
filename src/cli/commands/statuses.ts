import type { Command } from 'commander';
import { askingService, type ServiceOptions } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import { parseRepository, REPOSITORY } from '../arguments';
import type { Terminal } from '../terminal';

interface Options extends ServiceOptions {
  readonly link?: string;
  readonly description?: string;
}

export function addStatusCommands(program: Command, terminal: Terminal): void {
  const status = program.command('status').description('statuses of commits on plain git hosts');
  const set = status
    .command('set')
    .description('report the state of a test of a commit, as CI does')
    .argument(...REPOSITORY, parseRepository)
    .argument('<commit>', 'full id of the commit')
    .argument('<name>', 'name of the status, as required statuses name it')
    .argument('<state>', 'pending, success, failure, error, neutral, skipped or cancelled')
    .option('--link <address>', 'address of the log, for people')
    .option('--description <text>', 'a short text for people');
  askingService<Options>(set, terminal, async ({ args, options: { link, description } }, api) => {
    const [repo, sha, context, state] = args as [RepositoryName, string, string, string];
    const request = { repo, sha, context, state, url: link, description };
    const stored = await api.post<object>('reportStatus', request);
    return { data: stored, lines: [`Reported ${context}: ${state} on ${sha.slice(0, 12)}.`] };
  });
}
