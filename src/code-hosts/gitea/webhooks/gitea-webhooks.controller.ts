import { Controller, Logger, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../../platform/errors/domain-error';
import { AdmitAs } from '../../../platform/http/admission-control';
import { WebhookEndpoint } from '../../../platform/openapi/webhook-endpoint';
import { bytesOf, HostDeliveries, isSignedWith, deliveredObject } from '../../forge/webhooks/host-deliveries';
import { at, numberAt, textAt } from '../../reading';
import { type ConfiguredGitea, GiteaHosts } from '../gitea-hosts';
import { giteaEventsIn } from './delivered-events';

const LONGEST_ID = 200;
/**
 * The headers with the signature. Forgejo sends its own headers in addition to Gitea's, and both also send GitHub's.
 */
const SIGNATURES = ['x-gitea-signature', 'x-forgejo-signature', 'x-hub-signature-256'];
const IDS = ['x-gitea-delivery', 'x-forgejo-delivery', 'x-github-delivery'];

/**
 * The webhook endpoint for Gitea and Forgejo. Every correctly signed delivery is accepted, even if it does not concern
 * the queue.
 */
@Controller('webhooks/gitea')
@AdmitAs('first')
export class GiteaWebhooksController {
  private readonly logger = new Logger(GiteaWebhooksController.name);

  constructor(
    private readonly hosts: GiteaHosts,
    private readonly deliveries: HostDeliveries,
  ) {}

  @Post(':host')
  @WebhookEndpoint()
  async takeDelivery(@Param('host') name: string, @Req() request: Request): Promise<void> {
    const sender = this.hosts.requireSender(name);
    const { host, bots } = sender;
    const body = bytesOf(request);
    this.requireSigned(sender, request, body);
    const id = IDS.map((header) => request.get(header) ?? '').find((value) => value !== '') ?? '';
    if (id === '' || id.length > LONGEST_ID) {
      throw new DomainError('VALIDATION_FAILED', 'The header X-Gitea-Delivery is missing.');
    }
    const payload = deliveredObject(body);
    // A delivery of Forgejo about a workflow run has the repository inside of the run.
    const repository = at(payload, 'repository') ?? at(payload, 'run', 'repository');
    const delivery = { host, id, path: textAt(repository, 'full_name'), hostId: numberAt(repository, 'id') };
    await this.deliveries.store(delivery, (row) => giteaEventsIn(payload, row.id, bots));
  }

  /** Checks the signature before reading the body. */
  private requireSigned({ webhookSecret }: ConfiguredGitea, request: Request, body: Buffer): void {
    const given = SIGNATURES.map((name) => request.get(name)).find((value) => value !== undefined);
    if (webhookSecret !== null && isSignedWith(webhookSecret, body, given)) return;
    const why = webhookSecret === null ? 'no webhook secret is configured' : 'its signature is wrong';
    this.logger.warn(`A delivery was refused: ${why}.`);
    throw new DomainError('AUTHENTICATION_REQUIRED', 'The delivery is not signed with the secret of this service.');
  }
}
