import { Injectable, Logger } from '@nestjs/common';
import { HostUnavailable } from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import { HostDeliveries } from '../../forge/webhooks/host-deliveries';
import { at, numberAt, textAt } from '../../reading';
import type { RepositoryPath } from '../client/routes';
import type { ConfiguredGitHub } from '../github-hosts';
import { isSameName, type RegisteredRepository } from '../../repository-identities';
import { eventsIn } from './delivered-events';

export interface GitHubDelivery {
  /** GitHub's id of the delivery, which stays the same when it is delivered again. */
  readonly id: string;
  readonly event: string;
  readonly payload: unknown;
}

/** Stores the host events of a delivery before GitHub gets its answer. */
@Injectable()
export class GitHubDeliveries {
  private readonly logger = new Logger(GitHubDeliveries.name);

  constructor(private readonly deliveries: HostDeliveries) {}

  async take({ host, api }: ConfiguredGitHub, { id, event, payload }: GitHubDelivery): Promise<void> {
    // The installations have changed, so they are read again when needed.
    if (event.startsWith('installation')) api.credentials.forgetInstallations();
    const repository = at(payload, 'repository');
    const delivery = { host, id, path: textAt(repository, 'full_name'), hostId: numberAt(repository, 'id') };
    const stored = await this.deliveries.store(delivery, (row) => eventsIn(event, payload, row.id));
    for (const registered of stored?.repositories ?? [])
      if (!isSameName(registered, stored!.named)) await this.ask(api, registered, stored!.named);
  }

  /**
   * Asks GitHub for the present name of a repository for which a delivery has another name than its row, because the
   * delivery may be late.
   */
  private async ask(api: GitHubApi, registered: RegisteredRepository, named: RepositoryPath): Promise<void> {
    try {
      await api.findName(registered, named);
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      this.logger.warn(
        `A delivery has another name for ${registered.owner}/${registered.name}, and GitHub did not confirm it: ${error.message}`,
      );
    }
  }
}
