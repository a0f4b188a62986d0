import type { Command } from 'commander';
import type { RepositoryName } from '../../platform/repository-name';
import { askingService, type ServiceOptions } from '../answering';
import { describeRepository } from '../arguments';
import type { QueueAnswer } from '../service-answers';
import type { Terminal } from '../terminal';
import { queueLeaf } from './queue-leaf';

interface Options extends ServiceOptions {
  readonly branch: string;
  readonly reason?: string;
}

/** `queue pause` and `queue resume`. */
export function addQueuePauseCommands(queue: Command, terminal: Terminal): void {
  const leaf = (name: string, help: string) => queueLeaf(queue, name, help);

  const pause = leaf('pause', 'pause a queue: pull requests are accepted, running tests finish, nothing merges').option(
    '--reason <text>',
    'shown to everybody who waits; default: the present reason',
  );
  askingService<Options>(pause, terminal, async ({ args, options: { branch, reason } }, api) => {
    const repo = args[0] as RepositoryName;
    const asked = { repo, targetBranch: branch, state: 'paused', pauseReason: reason };
    const paused = await api.post<QueueAnswer>('updateQueue', asked);
    const because = paused.pauseReason === null ? '' : `: ${paused.pauseReason}`;
    return {
      data: paused,
      lines: [
        `Paused the queue of ${describeRepository(repo)}, branch ${branch}${because}.`,
        '  Pull requests are accepted and wait. Running tests finish. Nothing merges.',
      ],
      next: `sluice queue resume ${describeRepository(repo)} --branch ${branch}`,
    };
  });

  const resume = leaf('resume', 'let a paused or draining queue test and merge again');
  askingService<Options>(resume, terminal, async ({ args, options: { branch } }, api) => {
    const repo = args[0] as RepositoryName;
    const running = await api.post<QueueAnswer>('updateQueue', { repo, targetBranch: branch, state: 'running' });
    return {
      data: running,
      lines: [`Resumed the queue of ${describeRepository(repo)}, branch ${branch}: ${running.state}.`],
      next: `sluice queue show ${describeRepository(repo)} --branch ${branch}`,
    };
  });
}
