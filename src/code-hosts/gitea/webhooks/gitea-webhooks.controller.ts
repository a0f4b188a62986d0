import { createHmac, timingSafeEqual } from 'node:crypto';
import { Controller, Logger, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HostInbox } from '../../../domain/code-host.port';
import { DomainError } from '../../../platform/errors/domain-error';
import { WebhookEndpoint } from '../../../platform/openapi/webhook-endpoint';
import { parseRepositoryPath } from '../../../platform/repository-name';
import { at, numberAt, textAt } from '../../reading';
import { RepositoryIdentities } from '../../repository-identities';
import { type ConfiguredGitea, GiteaHosts } from '../gitea-hosts';
import { giteaEventsIn } from './delivered-events';
import { InTurn } from '../../../platform/http/request-room';

const LONGEST_ID = 200;
/** Forgejo sends its own headers beside those of Gitea, and both those of GitHub. */
const SIGNATURES = ['x-gitea-signature', 'x-forgejo-signature', 'x-hub-signature-256'];
const IDS = ['x-gitea-delivery', 'x-forgejo-delivery', 'x-github-delivery'];

/** Where a Gitea or Forgejo delivers what happened. Everything that is signed rightly is taken, whatever it is about. */
@Controller('webhooks/gitea')
@InTurn('first')
export class GiteaWebhooksController {
  private readonly logger = new Logger(GiteaWebhooksController.name);

  constructor(
    private readonly hosts: GiteaHosts,
    private readonly identities: RepositoryIdentities,
    private readonly inbox: HostInbox,
  ) {}

  @Post(':host')
  @WebhookEndpoint()
  async takeDelivery(@Param('host') host: string, @Req() request: Request): Promise<void> {
    const sender = this.hosts.get(host);
    if (sender === null) throw new DomainError('NOT_FOUND', 'No host of that name delivers here.');
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    this.requireSigned(sender, request, body);
    const id = IDS.map((name) => request.get(name) ?? '').find((value) => value !== '') ?? '';
    if (id === '' || id.length > LONGEST_ID) {
      throw new DomainError('VALIDATION_FAILED', 'The header X-Gitea-Delivery is needed.');
    }
    await this.store(sender, id, parse(body));
  }

  private async store({ host, bots }: ConfiguredGitea, id: string, payload: unknown): Promise<void> {
    // A workflow run of Forgejo has its repository inside.
    const repository = at(payload, 'repository') ?? at(payload, 'run', 'repository');
    const named = parseRepositoryPath(textAt(repository, 'full_name') ?? '');
    if (named === null) return;
    const hostId = numberAt(repository, 'id');
    const found = { ...named, hostId: hostId === null ? null : String(hostId) };
    const repositories = await this.identities.rowsOf(host, found);
    const events = repositories.flatMap((repository) => giteaEventsIn(payload, repository.id, bots));
    for (const [index, one] of events.entries()) {
      await this.inbox.append(host, index === 0 ? id : `${id}/${index}`, one);
    }
  }

  /** Checks the signature before anything of the body is read. */
  private requireSigned({ webhookSecret }: ConfiguredGitea, request: Request, body: Buffer): void {
    const given = SIGNATURES.map((name) => request.get(name)).find((value) => value !== undefined);
    if (webhookSecret !== null && isSignedWith(webhookSecret, body, given)) return;
    const why = webhookSecret === null ? 'no webhook secret is configured' : 'its signature is wrong';
    this.logger.warn(`A delivery was refused: ${why}.`);
    throw new DomainError('AUTHENTICATION_REQUIRED', 'The delivery is not signed with the secret of this service.');
  }
}

/** Whether the signature was made of these bytes with this secret; takes the same time for any answer. */
function isSignedWith(secret: string, body: Buffer, header: string | undefined): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from((header ?? '').replace(/^sha256=/, ''));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parse(body: Buffer): unknown {
  try {
    const payload = JSON.parse(body.toString('utf8')) as unknown;
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  } catch {
    // The message of the parser quotes the body, so it is not passed on.
  }
  throw new DomainError('MALFORMED_JSON', 'The body is not a JSON object; choose application/json for the webhook.');
}
