import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { HostInbox } from '../../domain/code-host.port';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { DomainError } from '../../platform/errors/domain-error';
import { newId } from '../../platform/ids';
import { QueueLocator } from '../shared/queue-locator';
import type { ReportedStatus, ReportStatusRequest } from './dto/report-status.dto';

const DIGITS_OF_NANOSECONDS = 20;

@Injectable()
export class StatusesService {
  constructor(
    private readonly locator: QueueLocator,
    private readonly hosts: CodeHostRegistry,
    private readonly inbox: HostInbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Accepts the report of a CI system for a repository whose code host has no statuses. Errors:
   * STATUSES_COME_FROM_HOST.
   */
  async report(caller: Caller, request: ReportStatusRequest): Promise<ReportedStatus> {
    const repository = await this.locator.repository(caller, request.repo);
    this.requireHostWithoutStatuses(repository.host);
    const { context, state } = request;
    const sha = request.sha.toLowerCase();
    const report = {
      repositoryId: repository.id,
      sha,
      kind: 'status',
      reporter: `token:${caller.tokenName}`,
      name: context,
      state,
      hostTime: this.clock.now(),
      // The id orders reports of one name within a millisecond, because `hrtime` is monotonic.
      hostId: String(process.hrtime.bigint()).padStart(DIGITS_OF_NANOSECONDS, '0'),
      url: request.url ?? null,
      description: request.description ?? null,
    } as const;
    await this.inbox.append(repository.host, newId(), { type: 'status_reported', report });
    return { sha, context, state };
  }

  private requireHostWithoutStatuses(name: string): void {
    const host = this.hosts.hostFor(name);
    if (!host) throw new DomainError('UPSTREAM_ERROR', `The code host ${name} is not configured any more.`);
    if (!host.capabilities.hasOwnStatuses) return;
    const message = `${name} has statuses of its own, and only these count: let CI report to ${name}.`;
    throw new DomainError('STATUSES_COME_FROM_HOST', message);
  }
}
