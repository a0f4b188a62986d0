import { createHmac, timingSafeEqual } from 'node:crypto';
import { Controller, Logger, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../platform/errors/domain-error';
import { WebhookEndpoint } from '../../../platform/openapi/webhook-endpoint';
import { type ConfiguredGitHub, GitHubHosts } from '../github-hosts';
import { GitHubDeliveries } from './github-deliveries';
import { InTurn } from '../../../platform/http/request-room';

const LONGEST_ID = 200;

/** Where GitHub delivers what happened. */
@Controller('webhooks/github')
@InTurn('first')
export class GitHubWebhooksController {
  private readonly logger = new Logger(GitHubWebhooksController.name);

  constructor(
    private readonly hosts: GitHubHosts,
    private readonly deliveries: GitHubDeliveries,
  ) {}

  @Post(':host')
  @WebhookEndpoint()
  takeDeliveryOf(@Param('host') host: string, @Req() request: Request): Promise<void> {
    const sender = this.hosts.get(host);
    if (sender === null) throw new DomainError('NOT_FOUND', 'No host of that name delivers here.');
    return this.take(sender, request);
  }

  /** Before hosts had paths of their own, deliveries came here. */
  @Post()
  @WebhookEndpoint()
  takeDelivery(@Req() request: Request): Promise<void> {
    return this.take(this.hosts.senderOf(request.get('x-github-enterprise-host')), request);
  }

  private async take(named: ConfiguredGitHub | null, request: Request): Promise<void> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const sender = this.requireSigned(named, request, body);
    const id = request.get('x-github-delivery') ?? '';
    const event = request.get('x-github-event') ?? '';
    if (id === '' || id.length > LONGEST_ID || event === '') {
      throw new DomainError('VALIDATION_FAILED', 'The headers X-GitHub-Delivery and X-GitHub-Event are needed.');
    }
    await this.deliveries.take(sender, { id, event, payload: parse(body) });
  }

  /** Checks the signature before anything of the body is read. */
  private requireSigned(sender: ConfiguredGitHub | null, request: Request, body: Buffer): ConfiguredGitHub {
    const secret = sender?.webhookSecret ?? null;
    if (sender !== null && secret !== null && isSignedWith(secret, body, request.get('x-hub-signature-256'))) {
      return sender;
    }
    this.logger.warn(`A delivery was refused: ${sender === null ? 'its host is not configured' : refusalBy(secret)}.`);
    throw new DomainError('AUTHENTICATION_REQUIRED', 'The delivery is not signed with the secret of this service.');
  }
}

/** Whether `X-Hub-Signature-256` was made of these bytes with this secret; takes the same time for any answer. */
function isSignedWith(secret: string, body: Buffer, header: string | undefined): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function refusalBy(secret: string | null): string {
  return secret === null ? 'no webhook secret is configured' : 'its signature is wrong';
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
