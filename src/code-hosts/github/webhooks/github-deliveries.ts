import { Injectable } from '@nestjs/common';
import { HostInbox } from '../../../domain/code-host.port';
import { parseRepositoryPath } from '../../../platform/repository-name';
import { numberAt, textAt } from '../client/reading';
import type { ConfiguredGitHub } from '../github-hosts';
import { RepositoryIdentities } from '../repository-identities';
import { eventsIn } from './delivered-events';

export interface GitHubDelivery {
  /** GitHub's id; the same when it is delivered again. */
  readonly id: string;
  readonly event: string;
  readonly payload: unknown;
}

/** Stores the host events of deliveries before GitHub is answered. */
@Injectable()
export class GitHubDeliveries {
  constructor(
    private readonly identities: RepositoryIdentities,
    private readonly inbox: HostInbox,
  ) {}

  async take({ host, api }: ConfiguredGitHub, { id, event, payload }: GitHubDelivery): Promise<void> {
    // The installations have changed. They are read again when needed.
    if (event.startsWith('installation')) api.credentials.forgetInstallations();
    const repositories = await this.registered(host, payload);
    const events = repositories.flatMap((repository) => eventsIn(event, payload, repository));
    for (const [index, one] of events.entries()) {
      await this.inbox.append(host, index === 0 ? id : `${id}/${index}`, one);
    }
  }

  private async registered(host: string, payload: unknown): Promise<readonly string[]> {
    const named = parseRepositoryPath(textAt(payload, 'repository', 'full_name') ?? '');
    const id = numberAt(payload, 'repository', 'id');
    if (named === null) return [];
    return this.identities.rowsOf(host, { ...named, hostId: id === null ? null : String(id) });
  }
}
