import { setTimeout as after } from 'node:timers/promises';
import type { Command } from 'commander';
import { formatOf, serviceOf, type ServiceOptions, withServiceOptions } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import { parseNumbers, parseRepository, REPOSITORY } from '../arguments';
import { CliError } from '../cli-error';
import { describePullRequest, type PullRequestAnswer } from '../service-answers';
import type { Terminal } from '../terminal';

interface Options extends ServiceOptions {
  readonly branch: string;
}

const POLL_INTERVAL_MS = 1_000;

/**
 * `pr watch` ends when all its pull requests have concluded: with 0 if all of them were merged or passed as dry runs.
 */
export function addWatch(pr: Command, terminal: Terminal): void {
  const watch = pr
    .command('watch')
    .description('follow pull requests until they are merged, failed or cancelled')
    .argument(...REPOSITORY, parseRepository)
    .argument('<numbers...>', 'numbers of the pull requests', parseNumbers)
    .option('--branch <branch>', 'target branch of the queue', 'main')
    .option('--json', 'one JSON object per line, for programs');
  withServiceOptions(watch).action(async (repo: RepositoryName, numbers: readonly number[], options: Options) => {
    const api = serviceOf(options);
    const read = (number: number) =>
      api.post<PullRequestAnswer>('getSubmittedPullRequest', { repo, targetBranch: options.branch, pr: { number } });
    const print = (record: PullRequestAnswer) =>
      terminal.out(formatOf(options) === 'json' ? `${JSON.stringify(record)}\n` : `${describeChange(record)}\n`);
    const ends = await followUntilConcluded(numbers, read, print);
    const lost = ends.filter((end) => !isAsWanted(end)).map(({ prNumber, state }) => `#${prNumber} ${state}`);
    if (lost.length === 0) return;
    throw new CliError(`Not merged: ${lost.join(', ')}.`, {
      code: 'NOT_MERGED',
      next: 'See why with: sluice pr status <repository> <number> --timeline',
    });
  });
}

async function followUntilConcluded(
  numbers: readonly number[],
  read: (number: number) => Promise<PullRequestAnswer>,
  print: (record: PullRequestAnswer) => void,
): Promise<readonly PullRequestAnswer[]> {
  const shown = new Map<number, string>();
  for (;;) {
    const records = await Promise.all(numbers.map(read));
    for (const record of records) {
      const change = `${record.state} ${record.stateReason} ${record.stateChangedAt}`;
      if (shown.get(record.prNumber) !== change) print(record);
      shown.set(record.prNumber, change);
    }
    if (records.every((record) => !record.isCurrentlySubmittedToQueue)) return records;
    await after(POLL_INTERVAL_MS);
  }
}

function isAsWanted({ state, stateReason }: PullRequestAnswer): boolean {
  return state === 'merged' || stateReason === 'dry_run_passed';
}

function describeChange(record: PullRequestAnswer): string {
  const why = record.waitingFor ?? record.stateMessage ?? '';
  return `${record.stateChangedAt}  ${describePullRequest(record)}${why === '' ? '' : `. ${why}`}`;
}
