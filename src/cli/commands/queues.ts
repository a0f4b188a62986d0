import type { Command } from 'commander';
import { askingService, type ServiceOptions } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import { describeRepository } from '../arguments';
import type { QueueAnswer, QueueWithEntriesAnswer } from '../service-answers';
import { table } from '../reply';
import type { Terminal } from '../terminal';
import { queueLeaf } from './queue-leaf';
import { addFlakyCostsCommand, addQueueHistoryCommand } from './queue-history';
import { addQueuePauseCommands } from './queue-pause';
import { addQueuePictureCommands } from './queue-pictures';
import { settingsSaid, withQueueSettings } from './queue-settings';

interface Options extends ServiceOptions {
  readonly branch: string;
}

interface CancelledAnswer {
  readonly cancelled: readonly number[];
  readonly refused: readonly { readonly message: string }[];
}

export function addQueueCommands(program: Command, terminal: Terminal): void {
  const queue = program.command('queue').description('queues, one for each target branch');
  const leaf = (name: string, help: string) => queueLeaf(queue, name, help);

  const create = withQueueSettings(leaf('create', 'make a queue; settings without an option get their defaults'));
  askingService<Options>(create, terminal, async ({ args, options }, api) => {
    const made = await api.post<QueueAnswer>('createQueue', {
      ...named(args, options),
      ...settingsSaid({ ...options }),
    });
    const lines = [`Made the queue of ${title(args, options)}.`, ...settingLines(made)];
    return { data: made, lines, next: `sluice pr submit ${repositoryOf(args)} <number> --branch ${made.branch}` };
  });

  const get = leaf('get', 'show a queue and its pull requests');
  askingService<Options>(get, terminal, async ({ args, options }, api) => {
    const found = await api.post<QueueWithEntriesAnswer>('getQueue', named(args, options));
    return {
      data: found,
      lines: [title(args, options), ...queueLines(found)],
      next: `sluice pr ${found.enqueuedPullRequests.length === 0 ? 'submit' : 'status'} ${repositoryOf(args)} <number> --branch ${found.branch}`,
    };
  });

  const update = withQueueSettings(
    leaf('update', 'change settings of a queue; settings without an option stay as they are'),
  );
  askingService<Options>(update, terminal, async ({ args, options }, api) => {
    const changed = settingsSaid({ ...options });
    const found = await api.post<QueueAnswer>('updateQueue', { ...named(args, options), ...changed });
    const words = Object.keys(changed).join(', ') || 'nothing';
    return { data: found, lines: [`Changed ${words} of ${title(args, options)}.`, ...settingLines(found)] };
  });

  askingService<Options>(
    leaf('cancel-all', 'remove every pull request from a queue'),
    terminal,
    async ({ args, options }, api) => {
      const answer = await api.post<CancelledAnswer>('cancelAllPullRequests', named(args, options));
      return { data: answer, lines: cancelledLines(answer, title(args, options)) };
    },
  );

  askingService<Options>(leaf('delete', 'delete an empty queue'), terminal, async ({ args, options }, api) => {
    const answer = await api.post<object>('deleteQueue', named(args, options));
    return { data: answer, lines: [`Deleted the queue of ${title(args, options)}.`] };
  });

  addQueuePauseCommands(queue, terminal);
  addQueuePictureCommands(queue, terminal);
  addQueueHistoryCommand(queue, terminal);
  addFlakyCostsCommand(queue, terminal);
}

function named(args: readonly unknown[], { branch }: Options): object {
  return { repo: args[0] as RepositoryName, targetBranch: branch };
}

function repositoryOf(args: readonly unknown[]): string {
  return describeRepository(args[0] as RepositoryName);
}

function title(args: readonly unknown[], { branch }: Options): string {
  return `${repositoryOf(args)}, branch ${branch}`;
}

function cancelledLines({ cancelled, refused }: CancelledAnswer, queue: string): string[] {
  const numbers = cancelled.length === 0 ? '' : `: ${cancelled.map((number) => `#${number}`).join(', ')}`;
  const count = `${cancelled.length} pull request${cancelled.length === 1 ? '' : 's'}`;
  return [`Cancelled ${count} in ${queue}${numbers}.`, ...refused.map(({ message }) => `  Refused: ${message}.`)];
}

function settingLines({ state, mode, scheduling, concurrency, mergeMethod, requiredStatuses }: QueueAnswer): string[] {
  const statuses = requiredStatuses.length === 0 ? 'from the repository' : requiredStatuses.join(', ');
  return [
    `  ${state}, mode ${mode}${scheduling === 'flow' ? ', scheduling flow' : ''}, ${concurrency} test runs at once, merges by ${mergeMethod}`,
    `  required statuses: ${statuses}`,
  ];
}

function queueLines(found: QueueWithEntriesAnswer): string[] {
  return [...settingLines(found), ...learnedLines(found), '', ...pullRequestLines(found)];
}

function learnedLines({ learned }: QueueWithEntriesAnswer): string[] {
  if (learned === undefined) return [];
  const { failure, misfit, flake, targets = [], problem = null } = learned;
  const said = ({ chance, outcomes }: typeof failure, what: string) =>
    `  ${(100 * chance).toFixed(1)} % ${what} (${outcomes === 0 ? 'assumed' : `learned from ${outcomes}`})`;
  return [
    said(failure, 'of pull requests fail their tests'),
    said(misfit, 'of passed pull requests have a semantic conflict with others'),
    said(flake, 'of tests fail although nothing is wrong'),
    ...targets.map((target) => said(target, `of pull requests that share ${target.name} have a semantic conflict`)),
    ...(problem === null ? [] : [`  ${problem}`]),
  ];
}

function pullRequestLines({ enqueuedPullRequests }: QueueWithEntriesAnswer): string[] {
  if (enqueuedPullRequests.length === 0) return ['The queue is empty.'];
  const rows = enqueuedPullRequests.map((item) => [
    `#${item.prNumber}`,
    item.state,
    item.priorityName,
    item.stateChangedAt,
    item.prTitle,
  ]);
  return table([['PR', 'STATE', 'PRIORITY', 'SINCE', 'TITLE'], ...rows]);
}
