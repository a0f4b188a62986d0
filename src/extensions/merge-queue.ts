import { Injectable, type Type } from '@nestjs/common';
import type { Caller } from '../platform/requests/caller';
import { ROLES } from '../platform/requests/roles';
import { PrismaService } from '../platform/database/prisma.service';
import { DomainError } from '../platform/errors/domain-error';
import { RequestValidationPipe } from '../platform/errors/request-validation.pipe';
import {
  GetSubmittedPullRequestRequest,
  SubmitPullRequestRequest,
} from '../modules/pull-requests/pull-request-requests.dto';
import type { SubmittedPullRequest } from '../modules/pull-requests/submitted-pull-request.dto';
import { PullRequestReader } from '../modules/pull-requests/pull-request-reader';
import { PullRequestsService } from '../modules/pull-requests/pull-requests.service';
import type { QueueWithPullRequests } from '../modules/queues/queue-record.dto';
import { QueuesService } from '../modules/queues/queues.service';
import { QueuedPullRequestReference, QueueReference } from '../modules/shared/queue-reference.dto';

/**
 * The originator of an operation. A caller of a route has a token, which may be limited to repositories and to a
 * highest priority. An organization, with a name for timelines, may do everything in that organization.
 */
export type OnBehalfOf = Caller | { readonly organization: string; readonly actor: string };

/**
 * The operations of the HTTP API for extensions. Rules and refusals are the same as in the API; refusals are thrown as
 * DomainError. Capabilities are not checked: a route names its capability in its @Endpoint.
 */
@Injectable()
export class MergeQueue {
  private readonly pipe = new RequestValidationPipe();

  constructor(
    private readonly prisma: PrismaService,
    private readonly pullRequests: PullRequestsService,
    private readonly reader: PullRequestReader,
    private readonly queues: QueuesService,
  ) {}

  async submitPullRequest(as: OnBehalfOf, request: SubmitPullRequestRequest): Promise<SubmittedPullRequest> {
    return this.pullRequests.submit(await this.callerOf(as), await this.checked(SubmitPullRequestRequest, request));
  }

  async cancelPullRequest(as: OnBehalfOf, request: QueuedPullRequestReference): Promise<SubmittedPullRequest> {
    const caller = await this.callerOf(as);
    const checked = await this.checked(QueuedPullRequestReference, request);
    return this.pullRequests.cancelOrRestart('cancelRequested', caller, checked);
  }

  async getSubmittedPullRequest(
    as: OnBehalfOf,
    request: GetSubmittedPullRequestRequest,
  ): Promise<SubmittedPullRequest> {
    return this.reader.read(await this.callerOf(as), await this.checked(GetSubmittedPullRequestRequest, request));
  }

  async getQueue(as: OnBehalfOf, request: QueueReference): Promise<QueueWithPullRequests> {
    return this.queues.read(await this.callerOf(as), await this.checked(QueueReference, request));
  }

  private async checked<T extends object>(type: Type<T>, request: T): Promise<T> {
    return (await this.pipe.transform(request, { type: 'body', metatype: type })) as T;
  }

  private async callerOf(as: OnBehalfOf): Promise<Caller> {
    if ('organizationId' in as) return as;
    const { organization, actor } = as;
    const found = await this.prisma.organization.findUnique({ where: { slug: organization } });
    if (!found) throw new DomainError('NOT_FOUND', `There is no organization ${organization}.`);
    return {
      organizationId: found.id,
      organizationSlug: found.slug,
      tokenId: `extension ${actor}`,
      tokenName: actor,
      role: 'admin',
      capabilities: ROLES.admin.can,
      repositoryIds: null,
      bestPriority: null,
      address: null,
    };
  }
}
