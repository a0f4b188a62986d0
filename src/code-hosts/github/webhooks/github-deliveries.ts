import { Injectable, Logger } from '@nestjs/common';
import { HostInbox, HostUnavailable } from '../../../domain/code-host.port';
import { parseRepositoryPath } from '../../../platform/repository-name';
import type { GitHubApi } from '../client/github-api';
import { numberAt, textAt } from '../../reading';
import type { RepositoryPath } from '../client/routes';
import type { ConfiguredGitHub } from '../github-hosts';
import { isSameName, type RegisteredRepository, RepositoryIdentities } from '../../repository-identities';
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
  private readonly logger = new Logger(GitHubDeliveries.name);

  constructor(
    private readonly identities: RepositoryIdentities,
    private readonly inbox: HostInbox,
  ) {}

  async take({ host, api }: ConfiguredGitHub, { id, event, payload }: GitHubDelivery): Promise<void> {
    // The installations have changed. They are read again when needed.
    if (event.startsWith('installation')) api.credentials.forgetInstallations();
    const named = parseRepositoryPath(textAt(payload, 'repository', 'full_name') ?? '');
    if (named === null) return;
    const hostId = numberAt(payload, 'repository', 'id');
    const found = { ...named, hostId: hostId === null ? null : String(hostId) };
    const repositories = await this.identities.rowsOf(host, found);
    const events = repositories.flatMap((repository) => eventsIn(event, payload, repository.id));
    for (const [index, one] of events.entries()) {
      await this.inbox.append(host, index === 0 ? id : `${id}/${index}`, one);
    }
    for (const registered of repositories) if (!isSameName(registered, named)) await this.ask(api, registered, named);
  }

  /** The delivery names it otherwise than we do. It may be late, so GitHub is asked which name it has now. */
  private async ask(api: GitHubApi, registered: RegisteredRepository, named: RepositoryPath): Promise<void> {
    try {
      await api.findName(registered, named);
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      this.logger.warn(`A delivery calls ${registered.owner}/${registered.name} otherwise: ${error.message}`);
    }
  }
}
