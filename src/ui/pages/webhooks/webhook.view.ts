import type { ListedWebhookDeliveries, WebhookDeliveryRecord } from '../../../modules/webhooks/webhook-delivery.dto';
import type { WebhookRecord } from '../../../modules/webhooks/webhook.dto';
import type { RefusedForm } from '../../form';
import { html, type Html } from '../../html';
import { command, countText, facts } from '../../parts/basics';
import { icon } from '../../parts/icons';
import { pathTo } from '../../parts/links';
import { page } from '../../parts/shell';
import { stateMark, type StateName } from '../../parts/states';
import { ago, moment } from '../../parts/times';
import type { Visit } from '../../visit';
import { redeliverButton, webhookActions } from './webhook-forms';
import { kindText, placeText } from './webhooks.view';

const STATES: Readonly<Record<string, readonly [StateName, string]>> = {
  waiting: ['waiting', 'Waits'],
  leased: ['running', 'Being sent'],
  delivered: ['passed', 'Taken'],
  given_up: ['failed', 'Given up'],
};

export interface ShownWebhook {
  readonly webhook: WebhookRecord;
  readonly listed: ListedWebhookDeliveries;
  readonly refused: RefusedForm | null;
  /** A new secret, which is shown only once; null: no new secret. */
  readonly secret: string | null;
  readonly done: Html | null;
  readonly now: Date;
}

/** The events of one webhook, newest first, with their deliveries. */
export function webhookPage(visit: Visit, shown: ShownWebhook): Html {
  const { webhook, listed, refused, secret, done, now } = shown;
  const { id, name } = webhook;
  const body = html`<div class="head">
      <div>
        <h1>${name}</h1>
        <p class="lede">${ledeOf(webhook)}</p>
      </div>
      <div class="acts">${webhookActions(webhook, refused)}</div>
    </div>
    ${done} ${secret !== null && secretNote(secret)}
    <div class="two">
      <section class="card" aria-label="Deliveries">
        ${listed.deliveries.length === 0 ? html`<p class="pad soft">The webhook has received no event yet.</p>` : table(listed, id, now)}
        ${
          listed.nextCursor !== null &&
          html`<nav class="more" aria-label="Pages">
            <span></span
            ><a class="button" rel="next" href="${pathTo(`/ui/webhooks/${id}`, { cursor: listed.nextCursor })}"
              >Older</a
            >
          </nav>`
        }
      </section>
      <aside class="stack" aria-label="Facts">
        <section class="card">
          <h2>Facts</h2>
          <div class="pad">${factsOf(webhook, now)}</div>
        </section>
        <section class="card">
          <h2>In a terminal</h2>
          <div class="pad">${command(`sluice webhook test ${id}`)}</div>
        </section>
      </aside>
    </div>`;
  const crumbs = [
    { text: 'Webhooks', href: '/ui/webhooks' },
    { text: name, href: `/ui/webhooks/${id}` },
  ];
  return page(visit, { title: `Webhook ${name}`, crumbs, body });
}

function secretNote(secret: string): Html {
  return html`<div class="note" role="status">
    ${icon('check', 'st-passed')}
    <div>
      <p><b>This secret signs all deliveries. Note the secret now: it is not shown again.</b></p>
      ${command(secret)}
    </div>
  </div>`;
}

function isSettled(state: string): boolean {
  return state === 'delivered' || state === 'given_up';
}

function ledeOf({ waitingCount, paused }: WebhookRecord): string {
  if (paused)
    return `Paused. ${countText(waitingCount, 'delivery', 'deliveries')} wait until the webhook is resumed, each for a day.`;
  if (waitingCount === 0) return 'No delivery is waiting.';
  const verb = waitingCount === 1 ? 'waits' : 'wait';
  return `${countText(waitingCount, 'delivery', 'deliveries')} ${verb}. A failed delivery is retried for a day.`;
}

function factsOf(webhook: WebhookRecord, now: Date): Html {
  const { address, description, events, gatherSeconds, createdAt, createdBy, previousSecretUntil: until } = webhook;
  return facts([
    ...(description === '' ? [] : [['For', html`<span class="outside">${description}</span>`] as const]),
    ['Kind', kindText(webhook)],
    ['URL', html`<span class="sha outside">${address}</span>`],
    ['Queue', placeText(webhook)],
    ['Events', events.join(', ')],
    ...(gatherSeconds === null ? [] : [['Collects', `test events for ${gatherSeconds} s`] as const]),
    ['Created', html`${ago(createdAt, now)} by <span class="outside">${createdBy}</span>`],
    ...(until === null ? [] : [['Old secret', html`also signs until ${moment(until, now)}`] as const]),
  ]);
}

function table({ deliveries }: ListedWebhookDeliveries, webhookId: string, now: Date): Html {
  return html`<div class="scroll-x">
    <table class="list cards-on-phone">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">State</th>
          <th scope="col">Last answer</th>
          <th class="num" scope="col">Tries</th>
          <th class="num" scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map((delivery) => row(delivery, webhookId, now))}
      </tbody>
    </table>
  </div>`;
}

function row(delivery: WebhookDeliveryRecord, webhookId: string, now: Date): Html {
  const { id, type, message, state, attempts, createdAt, lastStatus, lastProblem, nextAttemptAt } = delivery;
  const [mark, word] = STATES[state] ?? ['waiting', state];
  const came = lastProblem ?? (lastStatus === null ? 'none yet' : `answered ${lastStatus}`);
  const again = nextAttemptAt !== null && attempts > 0;
  return html`<tr data-row tabindex="-1" data-find="${type} ${id}">
    <td class="title outside">${type.replaceAll('_', ' ')}<br /><span class="soft">${message}</span></td>
    <td class="inline">${stateMark(mark, word)}</td>
    <td class="outside">
      ${came}${isSettled(state) && html` ${redeliverButton(webhookId, id)}`}${again && html`<br /><span class="soft">again at ${moment(nextAttemptAt, now)}</span>`}
    </td>
    <td class="num inline" data-l="tries">${attempts}</td>
    <td class="num soft">${ago(createdAt, now)}</td>
  </tr>`;
}
