import type { RefusedForm } from '../../form';
import type { WebhookRecord } from '../../../modules/webhooks/webhook.dto';
import { html, type Html } from '../../html';
import { command, countText } from '../../parts/basics';
import { page } from '../../parts/shell';
import { stateMark } from '../../parts/states';
import type { Visit } from '../../visit';
import { newWebhook, WEBHOOK_KIND_WORDS } from './webhook-forms';

export function kindText({ kind }: WebhookRecord): string {
  return WEBHOOK_KIND_WORDS[kind] ?? kind;
}

/** `acme/shop main`, or all repositories of the organization. */
export function placeText({ repository, targetBranch }: WebhookRecord): string {
  if (repository === null) return 'all repositories of the organization';
  return targetBranch === null ? repository : `${repository} ${targetBranch}`;
}

interface ShownWebhooks {
  readonly webhooks: readonly WebhookRecord[];
  /** Null: no form was refused. */
  readonly refused: RefusedForm | null;
  readonly done: Html | null;
}

/** The receivers of events, one per row. */
export function webhookListPage(visit: Visit, { webhooks, refused, done }: ShownWebhooks): Html {
  const body = html`<div class="head">
      <div>
        <h1>${webhooks.length === 0 ? 'No webhooks' : countText(webhooks.length, 'webhook')}</h1>
        <p class="lede">Programs and chats that receive events of queues and tests.</p>
      </div>
      <div class="acts">${newWebhook(refused)}</div>
    </div>
    ${done} ${webhooks.length > 0 && table(webhooks)}
    <section class="card sect" aria-labelledby="make">
      <h2 id="make">In a terminal</h2>
      <div class="pad">
        <p class="soft">A chat channel for one queue, or the URL of a program for all events:</p>
        ${command('sluice webhook create shop-channel https://hooks.slack.com/services/… --kind slack --repo github.com/acme/shop --branch main')}
        ${command('sluice webhook create deploy-bot https://hooks.example/sluice')}
      </div>
    </section>`;
  return page(visit, { title: 'Webhooks', crumbs: [{ text: 'Webhooks', href: '/ui/webhooks' }], body });
}

function table(webhooks: readonly WebhookRecord[]): Html {
  return html`<section class="card" aria-label="Webhooks">
    <div class="scroll-x">
      <table class="list cards-on-phone">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Tells</th>
            <th scope="col">Of</th>
            <th scope="col">What</th>
            <th class="num" scope="col">Waiting</th>
          </tr>
        </thead>
        <tbody>
          ${webhooks.map(row)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function row(webhook: WebhookRecord): Html {
  const { id, name, address, events, paused, waitingCount } = webhook;
  return html`<tr data-row tabindex="-1" data-find="${name} ${address}">
    <td class="title outside">
      <a href="/ui/webhooks/${id}">${name}</a>${paused && html` ${stateMark('waiting', 'Paused')}`}
    </td>
    <td class="outside">${kindText(webhook)}<br /><span class="sha soft">${address}</span></td>
    <td class="outside">${placeText(webhook)}</td>
    <td class="soft">${events.join(', ')}</td>
    <td class="num inline" data-l="waiting">${waitingCount > 0 ? stateMark('waiting', String(waitingCount)) : 0}</td>
  </tr>`;
}
