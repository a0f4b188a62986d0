import { Injectable } from '@nestjs/common';
import {
  type CodeHost,
  type ExaminedQueue,
  type Finding,
  type HostRepository,
  HostUnavailable,
} from '../../domain/code-host.port';
import { nameOfRepository, ok, problem, unknown } from '../../domain/host-examination';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { requiredStatusesOf } from '../../processing/outbox/required-statuses';
import { Config } from '../../platform/config/config';
import { type LearnedReporter, reportersOf } from './status-reporters';

export interface RegisteredQueue extends ExaminedQueue {
  /** The required statuses in the queue's settings; empty: none. */
  readonly requiredStatuses: readonly string[];
  /** Required statuses that several jobs of one app report under the same name. */
  readonly sharedNames: readonly string[];
  readonly reporters: readonly LearnedReporter[];
  /** Consecutive failures. */
  readonly failedDecisions: number;
}

const SOURCES = {
  merge_instance: 'of the queue',
  trunk_config: 'of the configuration file',
  repo_provider_branch_protection: 'of the protection of the branch',
} as const;

/** Checks the needs of every queue at any code host: its branch and required statuses. */
@Injectable()
export class QueueExamination {
  constructor(
    private readonly config: Config,
    private readonly registry: CodeHostRegistry,
  ) {}

  async examine(repository: HostRepository, queues: readonly RegisteredQueue[]): Promise<readonly Finding[]> {
    const host = this.registry.hostFor(repository.host);
    const name = nameOfRepository(repository);
    if (host === undefined) return [];
    if (queues.length === 0) return [ok(name, 'has no queue yet', `Create a queue: sluice queue create ${name}`)];
    const findings = queues.map(async (queue) => [
      ...decisionsOf(name, queue),
      ...sharedNamesOf(name, queue),
      ...reportersOf(`${name} ${queue.targetBranch}`, queue.reporters),
      ...(await this.examineQueue(host, repository, queue)),
    ]);
    return [...(await this.inTheWay(host, repository)), ...(await Promise.all(findings)).flat()];
  }

  /** In git, a branch `a` and a branch `a/b` cannot both exist. */
  private async inTheWay(host: CodeHost, repository: HostRepository): Promise<readonly Finding[]> {
    const above = `${this.config.brand}-merge`;
    try {
      if ((await host.readBranch(repository, above)) === null) return [];
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      return [];
    }
    const wayOut = `Rename or delete it: testing branches are named ${above}/….`;
    return [problem(nameOfRepository(repository), `the branch ${above} is in the way of testing branches`, wayOut)];
  }

  private async examineQueue(
    host: CodeHost,
    repository: HostRepository,
    queue: RegisteredQueue,
  ): Promise<readonly Finding[]> {
    const { targetBranch } = queue;
    const about = `${nameOfRepository(repository)} ${targetBranch}`;
    try {
      const tip = await host.readBranch(repository, targetBranch);
      if (tip === null) {
        return [problem(about, 'the branch does not exist', 'Push it, or delete the queue: sluice queue delete.')];
      }
      const question = { byHand: queue.requiredStatuses, base: tip.commit };
      return [
        checkStatuses(about, await requiredStatusesOf({ host, repository, targetBranch }, question, this.config.brand)),
      ];
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      return [unknown(about, `its branch and its required statuses could not be read: ${error.message}`)];
    }
  }
}

function decisionsOf(repository: string, { targetBranch, failedDecisions }: RegisteredQueue): readonly Finding[] {
  if (failedDecisions === 0) return [];
  return [
    problem(
      `${repository} ${targetBranch}`,
      `the queue is blocked: decisions that failed in a row: ${failedDecisions}`,
      'The queue retries automatically. For the reason, look for "A decision of queue …" in the log of the service.',
    ),
  ];
}

function sharedNamesOf(repository: string, { targetBranch, sharedNames }: RegisteredQueue): readonly Finding[] {
  if (sharedNames.length === 0) return [];
  return [
    ok(
      `${repository} ${targetBranch}`,
      `several jobs report the status ${sharedNames.join(', ')}, and each has to pass`,
      'Give each job its own name, so that a failure names its job.',
    ),
  ];
}

function checkStatuses(about: string, found: Awaited<ReturnType<typeof requiredStatusesOf>>): Finding {
  if (found.type === 'found') return ok(about, `waits for ${found.names.join(', ')} (${SOURCES[found.source]})`);
  if (found.type === 'unreadable')
    return problem(
      about,
      found.problem.replace(/\.$/, ''),
      'No pull request fails because of this, but no test starts. A pull request that fixes the file is tested by the last readable version of the file.',
    );
  return problem(
    about,
    found.details.replace(/\.$/, ''),
    'Without a required status, no pull request is tested: sluice queue update <repository> --required-statuses <names...>',
  );
}
