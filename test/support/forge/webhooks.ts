import { createHmac, randomUUID } from 'node:crypto';

export interface WebhookDelivery {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly repositoryId: number | null;
  readonly installationId: number | null;
  /** The exact bytes over which the signature is made. */
  readonly body: string;
  readonly redelivery: boolean;
  readonly deliveredAt: Date;
  /** The status of the receiver's answer; 0 if the receiver did not answer, null if nothing was sent. */
  statusCode: number | null;
}

/** How a delivery is treated. A `held` delivery is sent by `release`. */
export type DeliveryFate = 'delivered' | 'dropped' | 'doubled' | 'held';

export interface WebhookEvent {
  readonly event: string;
  readonly action: string | null;
  readonly repositoryId: number | null;
  readonly installationId: number | null;
  /** Makes the payload. Called immediately, but only if there is a receiver. */
  readonly payload: () => unknown;
}

const ANSWER_WITHIN_MS = 10_000;

/**
 * Signs and delivers events in order, as unreliably as a test wants. The subclass of each code host adds its headers.
 */
export abstract class ForgeWebhooks {
  /** All deliveries since the first receiver was set, including dropped ones. */
  readonly deliveries: WebhookDelivery[] = [];
  url: string | null = null;
  secret = '';
  fateOf: (delivery: WebhookDelivery) => DeliveryFate = () => 'delivered';
  private held: WebhookDelivery[] = [];
  private queue: Promise<void> = Promise.resolve();
  private lastId = 0;

  constructor(private readonly now: () => Date) {}

  /** Records deliveries without a receiver, and sends none. */
  deliverToNobody(): void {
    this.deliverTo('http://nobody.invalid');
    this.fateOf = () => 'dropped';
  }

  deliverTo(url: string | null, secret = this.secret): void {
    this.url = url;
    this.secret = secret;
  }

  send({ payload, ...event }: WebhookEvent): void {
    if (this.url === null) return;
    const delivery = this.record({ ...event, guid: randomUUID(), body: JSON.stringify(payload()), redelivery: false });
    const fate = this.fateOf(delivery);
    if (fate === 'held') this.held.push(delivery);
    if (fate === 'delivered' || fate === 'doubled') this.post(delivery);
    if (fate === 'doubled') this.post(delivery);
  }

  /** Sends the held deliveries in the order that `arrange` gives them. */
  release(arrange: (held: readonly WebhookDelivery[]) => readonly WebhookDelivery[] = (held) => held): void {
    const { held } = this;
    this.held = [];
    for (const delivery of arrange(held)) this.post(delivery);
  }

  /** Sends the delivery again under the same id, like the button "Redeliver". */
  replay(guid: string): void {
    const known = this.deliveries.find((one) => one.guid === guid);
    if (known === undefined) throw new Error(`There was no delivery ${guid}`);
    const { event, action, repositoryId, installationId, body } = known;
    this.post(this.record({ event, action, repositoryId, installationId, guid, body, redelivery: true }));
  }

  /** Resolves when every delivery has been answered. */
  async settled(): Promise<void> {
    let seen: Promise<void> | null = null;
    while (seen !== this.queue) {
      seen = this.queue;
      await seen;
    }
  }

  private record(facts: Omit<WebhookDelivery, 'id' | 'deliveredAt' | 'statusCode'>): WebhookDelivery {
    const delivery = { ...facts, id: ++this.lastId, deliveredAt: this.now(), statusCode: null };
    this.deliveries.push(delivery);
    return delivery;
  }

  private post(delivery: WebhookDelivery): void {
    const { url } = this;
    if (url === null) return;
    this.queue = this.queue.then(async () => {
      try {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const answer = await fetch(url, {
          method: 'POST',
          body: delivery.body,
          headers: this.headersOf(delivery),
          signal,
          redirect: 'manual',
        });
        await answer.arrayBuffer();
        delivery.statusCode = answer.status;
      } catch {
        delivery.statusCode = 0;
      }
    });
  }

  /** All headers of a delivery, including its signature if a secret is set. */
  protected abstract headersOf(delivery: WebhookDelivery): Record<string, string>;
}

/** The HMAC-SHA256 of a delivery's bytes, in hexadecimal digits. */
export function hmacOf(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
