import { WEBHOOK_EVENTS } from '../../../processing/notifications/webhook-event';
import type { WebhookRecord } from '../../../modules/webhooks/webhook.dto';
import { type RefusedForm, textIn } from '../../form';
import { attributes, html, type Html } from '../../html';
import { actionButton, askingForm, choiceField, fieldProblem, problemOf, textField } from '../../parts/forms';

export const WEBHOOK_FORMS = '/ui/webhooks';
export const WEBHOOK_KIND_WORDS: Readonly<Record<string, string>> = {
  webhook: 'Program',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  discord: 'Discord',
};

/** The form field for an event. */
export function eventField(event: string): string {
  return `event.${event}`;
}

export function newWebhook(refused: RefusedForm | null): Html {
  const typed = refused?.typed;
  const body = html`${textField({
    ...{ id: 'webhook-name', name: 'name', label: 'Name', hint: 'such as deploy bot', maxLength: 64 },
    ...{ value: textIn(typed, 'name'), problem: problemOf(refused, 'name') },
  })}
  ${textField({
    ...{ id: 'webhook-url', name: 'url', label: 'Address', hint: 'beginning with https://', maxLength: 2_000 },
    ...{ value: textIn(typed, 'url'), problem: problemOf(refused, 'url') },
  })}
  ${choiceField({
    ...{ id: 'webhook-kind', name: 'kind', label: 'Tells', choices: Object.entries(WEBHOOK_KIND_WORDS) },
    chosen: textIn(typed, 'kind'),
  })}
  ${textField({
    ...{ id: 'webhook-repo', name: 'repo', label: 'Repository', mayBeEmpty: true, maxLength: 600 },
    ...{ hint: 'host/owner/name; empty: all repositories of the organization' },
    ...{ value: textIn(typed, 'repo'), problem: problemOf(refused, 'repo') },
  })}
  ${textField({
    ...{ id: 'webhook-branch', name: 'branch', label: 'Branch', mayBeEmpty: true, maxLength: 255 },
    ...{ hint: 'target branch of a queue; empty: all queues' },
    ...{ value: textIn(typed, 'branch'), problem: problemOf(refused, 'branch', 'targetBranch') },
  })}
  ${eventsField((event) => textIn(typed, eventField(event)) === 'yes', 'no event selected: the default events of this kind of webhook', '')}`;
  const words = { open: 'New webhook…', button: 'Create the webhook', tone: 'main' } as const;
  return askingForm({ action: `${WEBHOOK_FORMS}/create`, hidden: {}, ...words, body }, refused);
}

function eventsField(isChosen: (event: string) => boolean, hint: string, problem: string): Html {
  return html`<fieldset class="field">
    <legend>Only these events <span class="hint">${hint}</span></legend>
    ${fieldProblem('webhook-events-problem', problem)}
    ${WEBHOOK_EVENTS.map(
      (event) =>
        html`<p class="check-line">
          <input
            type="checkbox"
            id="${eventField(event)}"
            name="${eventField(event)}"
            value="yes"
            ${attributes({ checked: isChosen(event) })}
          /><label for="${eventField(event)}">${event.replaceAll('_', ' ')}</label>
        </p>`,
    )}
  </fieldset>`;
}

/** The actions of an administrator for a webhook. */
export function webhookActions(webhook: WebhookRecord, refused: RefusedForm | null): Html {
  const { id, name, kind, paused, previousSecretUntil } = webhook;
  const form = (act: string) => ({ action: `${WEBHOOK_FORMS}/${act}`, hidden: { webhook: id } });
  const { action, hidden } = form('pause');
  const pause = { action, hidden: { ...hidden, paused: paused ? 'no' : 'yes' }, button: paused ? 'Resume' : 'Pause' };
  return html`${actionButton({ ...form('test'), button: 'Send a test' })} ${actionButton(pause)}
  ${changeForm(webhook, refused)} ${redeliverFailedForm(webhook, refused)} ${kind === 'webhook' && rotation()}
  ${deletion()}`;

  function rotation(): Html {
    const body = html`<p>
      The new secret is shown once. For 24 hours each delivery has two signatures: by the new and by the old secret.
    </p>`;
    const { action, hidden } = form('rotate');
    // A form that is sent twice must not replace the secret that the receiver still uses.
    const seen = { ...hidden, until: previousSecretUntil ?? '' };
    return askingForm({ action, hidden: seen, open: 'New secret…', button: 'Rotate the secret', body }, refused);
  }

  function deletion(): Html {
    const body = html`<p>
      <b class="outside">${name}</b> receives no more events. The waiting deliveries and the delivery log of the webhook
      are deleted.
    </p>`;
    const words = { open: 'Delete…', button: 'Delete the webhook', tone: 'danger' } as const;
    return askingForm({ ...form('delete'), ...words, body }, refused);
  }
}

function changeForm(webhook: WebhookRecord, refused: RefusedForm | null): Html {
  const { id, name, description, events, gatherSeconds } = webhook;
  const action = `${WEBHOOK_FORMS}/update`;
  const typed = refused?.action === action ? refused.typed : undefined;
  const valueOf = (field: string, before: string) => (typed === undefined ? before : textIn(typed, field));
  const isChosen = (event: string) =>
    typed === undefined ? events.includes(event) : textIn(typed, eventField(event)) === 'yes';
  const problem = (field: string) => (typed === undefined ? '' : problemOf(refused, field));
  const body = html`${textField({
    ...{ id: 'webhook-name', name: 'name', label: 'Name', hint: 'unique in the organization', maxLength: 64 },
    ...{ value: valueOf('name', name), problem: problem('name') },
  })}
  ${textField({
    ...{ id: 'webhook-description', name: 'description', label: 'For', mayBeEmpty: true, maxLength: 500 },
    ...{ hint: 'purpose of the webhook', value: valueOf('description', description), problem: problem('description') },
  })}
  ${textField({
    ...{ id: 'webhook-url', name: 'url', label: 'New URL', mayBeEmpty: true, maxLength: 2_000 },
    ...{
      hint: 'empty: unchanged; waiting deliveries go to the new URL',
      value: valueOf('url', ''),
      problem: problem('url'),
    },
  })}
  ${
    gatherSeconds !== null &&
    textField({
      ...{ id: 'webhook-gather', name: 'gather', label: 'Collect test events', maxLength: 4, inputmode: 'numeric' },
      ...{ hint: 'seconds; 0: not at all', value: valueOf('gather', String(gatherSeconds)) },
      problem: problem('gatherSeconds'),
    })
  }
  ${eventsField(isChosen, 'from now on', problem('events'))}`;
  return askingForm({ action, hidden: { webhook: id }, open: 'Change…', button: 'Change the webhook', body }, refused);
}

const SINCE = [
  ['1', 'the last hour'],
  ['24', 'the last day'],
  ['168', 'the last week'],
  ['720', 'the last 30 days'],
] as const;

/** The chosen number of hours; null: the text is not one of the offered values. */
export function chosenHours(text: string): number | null {
  return SINCE.some(([hours]) => hours === text) ? Number(text) : null;
}

function redeliverFailedForm({ id }: WebhookRecord, refused: RefusedForm | null): Html {
  const body = choiceField({
    ...{ id: 'webhook-hours', name: 'hours', label: 'Deliveries given up in', choices: SINCE },
    chosen: textIn(refused?.typed, 'hours') || '24',
  });
  const words = { open: 'Resend failed deliveries…', button: 'Resend deliveries' } as const;
  return askingForm({ action: `${WEBHOOK_FORMS}/redeliver-failed`, hidden: { webhook: id }, ...words, body }, refused);
}

/** The button that sends one delivery again. */
export function redeliverButton(webhookId: string, deliveryId: string): Html {
  const hidden = { webhook: webhookId, delivery: deliveryId };
  return actionButton({ action: `${WEBHOOK_FORMS}/redeliver`, hidden, button: 'Send again' });
}
