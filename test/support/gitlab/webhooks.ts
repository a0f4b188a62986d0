import { createHash, createHmac } from 'node:crypto';
import { ForgeWebhooks, type WebhookDelivery } from '../forge/webhooks';

/** Deliveries with GitLab's headers. A delivery has the plain secret or, if a key is set, a signature. */
export class GitLabWebhooks extends ForgeWebhooks {
  /** The key for signatures; null if deliveries carry the secret. */
  signingKey: Buffer | null = null;
  /** Whether deliveries have ids. GitLab before 17.4 sends no ids. */
  sendsIds = true;
  /** The id that a delivery shares with the deliveries that the same change causes. */
  chain = 'c0ffee00-0000-4000-8000-000000000000';

  constructor(private readonly clock: () => Date) {
    super(clock);
  }

  protected headersOf({ event, guid, body }: WebhookDelivery): Record<string, string> {
    return {
      'content-type': 'application/json',
      'x-gitlab-event': NAMES[event] ?? event,
      'x-gitlab-event-uuid': this.chain,
      ...(this.sendsIds ? { 'idempotency-key': guid } : {}),
      ...(this.signingKey === null ? { 'x-gitlab-token': this.secret } : this.signatureOf(guid, body)),
    };
  }

  private signatureOf(id: string, body: string): Record<string, string> {
    const seconds = String(Math.floor(this.clock().getTime() / 1000));
    const signature = createHmac('sha256', this.signingKey ?? '')
      .update(`${id}.${seconds}.${body}`)
      .digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
  }
}

const NAMES: Readonly<Record<string, string>> = {
  push: 'Push Hook',
  merge_request: 'Merge Request Hook',
  note: 'Note Hook',
  pipeline: 'Pipeline Hook',
  build: 'Job Hook',
};

/** A key in the form that GitLab's page for webhooks shows. */
export const SIGNING_KEY = createHash('sha256').update('a key of tests').digest();
