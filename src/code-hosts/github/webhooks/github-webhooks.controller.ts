import { Controller, Logger, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../platform/errors/domain-error';
import { WebhookEndpoint } from '../../../platform/openapi/webhook-endpoint';
import { bytesOf, isSignedWith, deliveredObject } from '../../forge/webhooks/host-deliveries';
import { type ConfiguredGitHub, GitHubHosts } from '../github-hosts';
import { GitHubDeliveries } from './github-deliveries';
import { AdmitAs } from '../../../platform/http/admission-control';

const LONGEST_ID = 200;

/** The webhook endpoint for GitHub. */
@Controller('webhooks/github')
@AdmitAs('first')
export class GitHubWebhooksController {
  private readonly logger = new Logger(GitHubWebhooksController.name);

  constructor(
    private readonly hosts: GitHubHosts,
    private readonly deliveries: GitHubDeliveries,
  ) {}

  @Post(':host')
  @WebhookEndpoint()
  takeDeliveryOf(@Param('host') host: string, @Req() request: Request): Promise<void> {
    return this.take(this.hosts.requireSender(host), request);
  }

  /** The path for deliveries from before hosts had paths of their own. */
  @Post()
  @WebhookEndpoint()
  takeDelivery(@Req() request: Request): Promise<void> {
    return this.take(this.hosts.senderOf(request.get('x-github-enterprise-host')), request);
  }

  private async take(named: ConfiguredGitHub | null, request: Request): Promise<void> {
    const body = bytesOf(request);
    const sender = this.requireSigned(named, request, body);
    const id = request.get('x-github-delivery') ?? '';
    const event = request.get('x-github-event') ?? '';
    if (id === '' || id.length > LONGEST_ID || event === '') {
      throw new DomainError('VALIDATION_FAILED', 'The headers X-GitHub-Delivery and X-GitHub-Event are required.');
    }
    await this.deliveries.take(sender, { id, event, payload: deliveredObject(body) });
  }

  /** Checks the signature before reading the body. */
  private requireSigned(sender: ConfiguredGitHub | null, request: Request, body: Buffer): ConfiguredGitHub {
    const secret = sender?.webhookSecret ?? null;
    const signature = request.get('x-hub-signature-256') ?? '';
    const isSigned = secret !== null && signature.startsWith('sha256=') && isSignedWith(secret, body, signature);
    if (sender !== null && isSigned) return sender;
    this.logger.warn(`A delivery was refused: ${sender === null ? 'its host is not configured' : refusalBy(secret)}.`);
    throw new DomainError('AUTHENTICATION_REQUIRED', 'The delivery is not signed with the secret of this service.');
  }
}

function refusalBy(secret: string | null): string {
  return secret === null ? 'no webhook secret is configured' : 'its signature is wrong';
}
