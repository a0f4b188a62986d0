import { ForgeWebhooks, hmacOf, type WebhookDelivery } from '../forge/webhooks';

/**
 * Deliveries with the headers of Gitea and, for Forgejo, with additional headers. `event` is the type of a delivery,
 * and the first words of this type are the name of the event.
 */
export class GiteaWebhooks extends ForgeWebhooks {
  constructor(
    now: () => Date,
    private readonly isForgejo: boolean,
  ) {
    super(now);
  }

  protected headersOf({ event: type, guid, body }: WebhookDelivery): Record<string, string> {
    const event = EVENTS[type] ?? type;
    const signature = this.secret === '' ? '' : hmacOf(this.secret, body);
    const headers = (name: string): Record<string, string> => ({
      [`x-${name}-delivery`]: guid,
      [`x-${name}-event`]: event,
      [`x-${name}-event-type`]: type,
      [`x-${name}-signature`]: signature,
    });
    return {
      'content-type': 'application/json',
      ...headers('gitea'),
      ...(this.isForgejo ? headers('forgejo') : {}),
      'x-github-delivery': guid,
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${signature}`,
    };
  }
}

/**
 * Names of events that differ from the type of their delivery. One version of the server sends no name for a status.
 */
const EVENTS: Readonly<Record<string, string>> = {
  status: '',
  pull_request_sync: 'pull_request',
  pull_request_label: 'pull_request',
  pull_request_comment: 'issue_comment',
  pull_request_review_approved: 'pull_request_approved',
  pull_request_review_rejected: 'pull_request_rejected',
};
