import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { readQueueSettings } from '../../domain/stored-settings';
import type { Caller } from '../../platform/requests/caller';
import { Sql } from '../../platform/database/sql';
import { DomainError } from '../../platform/errors/domain-error';
import type { QueueReference } from './queue-reference.dto';
import type { RepositoryReference } from './repository-reference.dto';
import type { HostRepository } from '../../domain/host-repository';
import type { LocatedQueue } from '../../domain/located-queue';

interface Row extends HostRepository {
  readonly queueId: string | null;
  readonly settings: unknown;
}

/**
 * Finds the repository or queue of a request. For repositories and queues that the caller's token does not cover, the
 * errors are the same as if they did not exist.
 */
@Injectable()
export class QueueLocator {
  constructor(
    private readonly sql: Sql,
    private readonly hosts: CodeHostRegistry,
  ) {}

  /** Errors: REPOSITORY_NOT_FOUND. */
  async repository(caller: Caller, repo: RepositoryReference): Promise<HostRepository> {
    const { id, host, owner, name } = await this.find(caller, repo, null);
    return { id, host, owner, name };
  }

  /** The active queue of the branch. Errors: REPOSITORY_NOT_FOUND, MERGE_QUEUE_NOT_FOUND. */
  async queue(caller: Caller, { repo, targetBranch }: QueueReference): Promise<LocatedQueue> {
    const { id, host, owner, name, queueId, settings } = await this.find(caller, repo, targetBranch);
    if (queueId === null) throw noSuchQueue(targetBranch);
    const { mergeMethod } = readQueueSettings(settings);
    return { id: queueId, branch: targetBranch, mergeMethod, repository: { id, host, owner, name } };
  }

  private async find(caller: Caller, repo: RepositoryReference, branch: string | null): Promise<Row> {
    const [row] = await this.sql.rows<Row>`/* queue-locator find */
      SELECT r."id", r."host", r."owner", r."name", q."id" AS "queueId", q."settings"
      FROM "Repository" r
      LEFT JOIN "Queue" q ON q."repositoryId" = r."id" AND q."liveBranch" = ${branch}
      WHERE r."host" = ${repo.host} AND r."lookupName" = ${this.hosts.lookupNameOf(repo)}
        AND r."organizationId" = ${caller.organizationId}::uuid
        AND (${caller.repositoryIds}::uuid[] IS NULL OR r."id" = ANY(${caller.repositoryIds}::uuid[]))`;
    if (!row) throw noSuchRepository(repo);
    return row;
  }
}

export function noSuchRepository({ host, owner, name }: RepositoryReference): DomainError {
  return new DomainError('REPOSITORY_NOT_FOUND', `There is no repository ${owner}/${name} on ${host}.`);
}

/** The error for a missing queue, also for a queue that was deleted after it was found. */
export function noSuchQueue(branch: string): DomainError {
  return new DomainError('MERGE_QUEUE_NOT_FOUND', `The repository has no merge queue for the branch ${branch}.`);
}
