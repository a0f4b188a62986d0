import { ForgeWebhooks, hmacOf, type WebhookDelivery } from '../forge/webhooks';

export type { DeliveryFate, WebhookDelivery, WebhookEvent } from '../forge/webhooks';

/** Webhook deliveries with GitHub's headers. */
export class Webhooks extends ForgeWebhooks {
  /** The value of the header `X-GitHub-Enterprise-Host`; null if the header is not sent, as at github.com. */
  enterpriseHost: string | null = null;
  /** The id of the app that receives the deliveries. */
  appId = 0;

  protected headersOf({ event, guid, body }: WebhookDelivery): Record<string, string> {
    return {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/d0b1e00',
      'x-github-event': event,
      'x-github-delivery': guid,
      'x-github-hook-id': '1',
      'x-github-hook-installation-target-type': 'integration',
      'x-github-hook-installation-target-id': String(this.appId),
      ...(this.enterpriseHost === null ? {} : { 'x-github-enterprise-host': this.enterpriseHost }),
      ...(this.secret === '' ? {} : { 'x-hub-signature-256': signatureOf(this.secret, body) }),
    };
  }
}

/** The signature that GitHub makes over the bytes of a delivery. */
export function signatureOf(secret: string, body: string): string {
  return `sha256=${hmacOf(secret, body)}`;
}
