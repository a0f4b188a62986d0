import type { Command } from 'commander';
import type { RepositoryName } from '../../platform/repository-name';
import type { ApiClient } from '../api-client';
import { askingService, formatOf, serviceOf, type ServiceOptions, withServiceOptions } from '../answering';
import { parseRepository } from '../arguments';
import type { PictureAnswer, QueueListAnswer } from '../picture-answers';
import { pictureLines } from '../picture-lines';
import { readWheneverItChanges } from '../queue-changes';
import { table } from '../reply';
import type { Terminal } from '../terminal';
import { queueLeaf } from './queue-leaf';

interface ListOptions extends ServiceOptions {
  readonly repo?: RepositoryName;
}

interface PictureOptions extends ServiceOptions {
  readonly branch: string;
  readonly untilEmpty?: true;
}

/** `queue list`, `queue show` and `queue watch`. */
export function addQueuePictureCommands(queue: Command, terminal: Terminal): void {
  const list = queue
    .command('list')
    .description('list all queues that the token can see, one per line')
    .option('--repo <repository>', 'only queues of this repository, as host/owner/name', parseRepository);
  askingService<ListOptions>(list, terminal, async ({ options }, api) => {
    const queues = await everyQueue(api, options.repo);
    return { data: { queues }, lines: listLines(queues) };
  });

  const leaf = (name: string, help: string) => queueLeaf(queue, name, help);
  askingService<PictureOptions>(
    leaf('show', 'draw a queue: test runs in progress, waiting and removed pull requests with their reasons'),
    terminal,
    async ({ args, options }, api) => {
      const picture = await readPicture(api, args[0] as RepositoryName, options);
      return { data: picture, lines: pictureLines(picture) };
    },
  );

  const watch = withServiceOptions(leaf('watch', 'draw a queue again whenever it changes, until it is stopped'))
    .option('--until-empty', 'end when the queue is empty')
    .option('--json', 'one JSON object per line, for programs');
  watch.action(async (repo: RepositoryName, options: PictureOptions) => {
    const api = serviceOf(options);
    const pictures = readWheneverItChanges({
      api,
      queue: { repo, branch: options.branch },
      read: () => readPicture(api, repo, options),
      onAway: ({ message }) => terminal.err(`sluice: ${message} Trying again.\n`),
    });
    let version: number | null = null;
    for await (const picture of pictures) {
      if (picture.version !== version) {
        const text = formatOf(options) === 'json' ? JSON.stringify(picture) : `${pictureLines(picture).join('\n')}\n`;
        terminal.out(`${text}\n`);
      }
      if (options.untilEmpty && isEmpty(picture)) return;
      version = picture.version;
    }
  });
}

function readPicture(api: ApiClient, repo: RepositoryName, { branch }: PictureOptions): Promise<PictureAnswer> {
  return api.post<PictureAnswer>('getQueuePicture', { repo, targetBranch: branch });
}

function isEmpty({ runs, line, passed, searches, waitingCount, notReadyCount }: PictureAnswer): boolean {
  return [...runs, ...line, ...passed, ...searches].length + waitingCount + notReadyCount === 0;
}

async function everyQueue(api: ApiClient, repo: RepositoryName | undefined): Promise<QueueListAnswer['queues']> {
  const queues: QueueListAnswer['queues'][number][] = [];
  let cursor: string | undefined;
  do {
    const page: QueueListAnswer = await api.post<QueueListAnswer>('listQueues', {
      ...(repo && { repo }),
      ...(cursor !== undefined && { cursor }),
    });
    queues.push(...page.queues);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return queues;
}

function listLines(queues: QueueListAnswer['queues']): string[] {
  if (queues.length === 0) return ['This token can see no queue.'];
  const head = [
    'queue',
    'branch',
    'state',
    'in progress',
    'waiting',
    'not ready',
    'merged 24 h',
    'failed 24 h',
    'a new one ends about',
  ];
  const rows = queues.map(({ repo, ...queue }) => [
    `${repo.host}/${repo.owner}/${repo.name}`,
    queue.targetBranch,
    queue.state,
    ...[queue.inHandCount, queue.waitingCount, queue.notReadyCount, queue.mergedCount, queue.failedCount].map(String),
    queue.etaOfNew?.p50 ?? 'unknown yet',
  ]);
  const attention = queues.flatMap(({ repo, targetBranch, attention: text }) =>
    text === null ? [] : [`${repo.host}/${repo.owner}/${repo.name}, branch ${targetBranch}: ${text}`],
  );
  return [...table([head, ...rows]), ...(attention.length === 0 ? [] : ['', ...attention])];
}
