import { Controller, Logger, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HostUnavailable, type StatusReport } from '../../../domain/code-host.port';
import { Clock } from '../../../platform/clock/clock';
import { PrismaService } from '../../../platform/database/prisma.service';
import { DomainError } from '../../../platform/errors/domain-error';
import { AdmitAs } from '../../../platform/http/admission-control';
import { WebhookEndpoint } from '../../../platform/openapi/webhook-endpoint';
import { bytesOf, HostDeliveries, deliveredObject } from '../../forge/webhooks/host-deliveries';
import { numberAt, textAt } from '../../reading';
import type { RegisteredRepository } from '../../repository-identities';
import { type ConfiguredGitLab, GitLabHosts } from '../gitlab-hosts';
import { idOfDelivery, objectionToDelivery } from './delivery-proof';
import { endedCommitIn, gitLabEventsIn } from './told-events';

/**
 * The webhook endpoint for GitLab. Every proven delivery is accepted, even if it does not concern the queue, because
 * refusals make GitLab disable a webhook.
 */
@Controller('webhooks/gitlab')
@AdmitAs('first')
export class GitLabWebhooksController {
  private readonly logger = new Logger(GitLabWebhooksController.name);

  constructor(
    private readonly hosts: GitLabHosts,
    private readonly deliveries: HostDeliveries,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  @Post(':host')
  @WebhookEndpoint()
  async takeDelivery(@Param('host') name: string, @Req() request: Request): Promise<void> {
    const sender = this.hosts.requireSender(name);
    const body = bytesOf(request);
    const delivered = { header: (header: string) => request.get(header) ?? null, body };
    const objection = objectionToDelivery(sender, delivered, this.clock.now());
    if (objection !== null) {
      this.logger.warn(`A delivery of ${sender.host} was refused: ${objection}.`);
      throw new DomainError(
        'AUTHENTICATION_REQUIRED',
        'The delivery has no valid proof that it comes from this code host.',
      );
    }
    const payload = deliveredObject(body);
    const hostId = numberAt(payload, 'project', 'id') ?? numberAt(payload, 'project_id');
    const delivery = { host: sender.host, id: idOfDelivery(delivered), path: pathOfProject(payload), hostId };
    await this.deliveries.store(delivery, async (repository) => {
      const reports = await this.reportsOf(sender, repository, endedCommitIn(payload));
      return [
        ...gitLabEventsIn(payload, repository.id, sender.bots),
        ...reports.map((report) => ({ type: 'status_reported', report }) as const),
      ];
    });
  }

  /**
   * The reports on a commit that the queue tests. Empty if GitLab does not answer now; a later poll reads the reports.
   */
  private async reportsOf(
    { host, readReports }: ConfiguredGitLab,
    repository: RegisteredRepository,
    commit: string | null,
  ): Promise<readonly StatusReport[]> {
    if (commit === null) return [];
    const where = { commit, live: true, queue: { repositoryId: repository.id, deletedAt: null } };
    if ((await this.prisma.testRun.findFirst({ where, select: { id: true } })) === null) return [];
    try {
      return await readReports({ ...repository, host }, commit);
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      this.logger.warn(error.message);
      return [];
    }
  }
}

/** The path of the project in a delivery. Older versions send job events without it, so it is taken from a URL. */
function pathOfProject(payload: unknown): string {
  const path = textAt(payload, 'project', 'path_with_namespace');
  const address = textAt(payload, 'repository', 'git_http_url') ?? '';
  if (path !== null || !URL.canParse(address)) return path ?? '';
  return new URL(address).pathname.replace(/^\//, '').replace(/\.git$/, '');
}
