import { Controller, Logger, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type HostEvent, HostInbox, HostUnavailable, type StatusReport } from '../../../domain/code-host.port';
import { Clock } from '../../../platform/clock/clock';
import { PrismaService } from '../../../platform/database/prisma.service';
import { DomainError } from '../../../platform/errors/domain-error';
import { InTurn } from '../../../platform/http/request-room';
import { WebhookEndpoint } from '../../../platform/openapi/webhook-endpoint';
import { parseRepositoryPath } from '../../../platform/repository-name';
import { numberAt, textAt } from '../../reading';
import { type RegisteredRepository, RepositoryIdentities } from '../../repository-identities';
import { type ConfiguredGitLab, GitLabHosts } from '../gitlab-hosts';
import { idOfDelivery, objectionToDelivery } from './delivery-proof';
import { endedCommitIn, gitLabEventsIn } from './told-events';

/** Where a GitLab delivers what happened. Everything that proves itself is taken, whatever it is about: refusals switch a webhook off. */
@Controller('webhooks/gitlab')
@InTurn('first')
export class GitLabWebhooksController {
  private readonly logger = new Logger(GitLabWebhooksController.name);

  constructor(
    private readonly hosts: GitLabHosts,
    private readonly identities: RepositoryIdentities,
    private readonly inbox: HostInbox,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  @Post(':host')
  @WebhookEndpoint()
  async takeDelivery(@Param('host') host: string, @Req() request: Request): Promise<void> {
    const sender = this.hosts.get(host);
    if (sender === null) throw new DomainError('NOT_FOUND', 'No host of that name delivers here.');
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const delivery = { header: (name: string) => request.get(name) ?? null, body };
    const objection = objectionToDelivery(sender, delivery, this.clock.now());
    if (objection !== null) {
      this.logger.warn(`A delivery of ${sender.host} was refused: ${objection}.`);
      throw new DomainError('AUTHENTICATION_REQUIRED', 'The delivery does not prove that it is from this host.');
    }
    await this.store(sender, idOfDelivery(delivery), parse(body));
  }

  private async store(sender: ConfiguredGitLab, id: string, payload: unknown): Promise<void> {
    const named = parseRepositoryPath(pathOfProject(payload));
    if (named === null) return;
    const hostId = numberAt(payload, 'project', 'id') ?? numberAt(payload, 'project_id');
    const found = { ...named, hostId: hostId === null ? null : String(hostId) };
    const events: HostEvent[] = [];
    for (const repository of await this.identities.rowsOf(sender.host, found)) {
      events.push(...gitLabEventsIn(payload, repository.id, sender.bots));
      const reports = await this.reportsOf(sender, repository, endedCommitIn(payload));
      events.push(...reports.map((report) => ({ type: 'status_reported', report }) as const));
    }
    for (const [index, one] of events.entries()) {
      await this.inbox.append(sender.host, index === 0 ? id : `${id}/${index}`, one);
    }
  }

  /** What is reported of a commit that the queue tests. A host that does not answer now is asked again by polling. */
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

/** What is told of jobs names the project only by its number and its address at older versions. */
function pathOfProject(payload: unknown): string {
  const path = textAt(payload, 'project', 'path_with_namespace');
  const address = textAt(payload, 'repository', 'git_http_url') ?? '';
  if (path !== null || !URL.canParse(address)) return path ?? '';
  return new URL(address).pathname.replace(/^\//, '').replace(/\.git$/, '');
}

function parse(body: Buffer): unknown {
  try {
    const payload = JSON.parse(body.toString('utf8')) as unknown;
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  } catch {
    // The message of the parser quotes the body, so it is not passed on.
  }
  throw new DomainError('MALFORMED_JSON', 'The body is not a JSON object.');
}
