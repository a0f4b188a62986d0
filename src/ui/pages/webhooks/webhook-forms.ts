import { WEBHOOK_EVENTS } from '../../../webhooks/events/webhook-event';
import type { WebhookRecord } from '../../../webhooks/http/dto/webhook.dto';
import { type Form, type RefusedForm, textIn } from '../../form';
import { attributes, html, type Html } from '../../html';
import { actionButton, askingForm, choiceField, problemOf, textField } from '../../parts/forms';

export const WEBHOOK_FORMS = '/ui/webhooks';
export const WEBHOOK_KIND_WORDS: Readonly<Record<string, string>> = {
  webhook: 'Program',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  discord: 'Discord',
};

/** The name of the field of an event. */
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
    ...{ hint: 'host/owner/name; empty: all of the organization' },
    ...{ value: textIn(typed, 'repo'), problem: problemOf(refused, 'repo') },
  })}
  ${textField({
    ...{ id: 'webhook-branch', name: 'branch', label: 'Branch', mayBeEmpty: true, maxLength: 255 },
    ...{ hint: 'of its queue; empty: all of them' },
    ...{ value: textIn(typed, 'branch'), problem: problemOf(refused, 'branch', 'targetBranch') },
  })}
  ${events(typed)}`;
  const words = { open: 'New webhook…', button: 'Make the webhook', tone: 'main' } as const;
  return askingForm({ action: `${WEBHOOK_FORMS}/create`, hidden: {}, ...words, body }, refused);
}

function events(typed: Form): Html {
  return html`<fieldset class="field">
    <legend>Only of <span class="hint">none: what is usual for its kind</span></legend>
    ${WEBHOOK_EVENTS.map(
      (event) =>
        html`<p class="check-line">
          <input
            type="checkbox"
            id="${eventField(event)}"
            name="${eventField(event)}"
            value="yes"
            ${attributes({ checked: textIn(typed, eventField(event)) === 'yes' })}
          /><label for="${eventField(event)}">${event.replaceAll('_', ' ')}</label>
        </p>`,
    )}
  </fieldset>`;
}

/** What an administrator can do with a webhook. */
export function webhookActions(webhook: WebhookRecord, refused: RefusedForm | null): Html {
  const { id, name, kind, previousSecretUntil } = webhook;
  const form = (act: string) => ({ action: `${WEBHOOK_FORMS}/${act}`, hidden: { webhook: id } });
  return html`${actionButton({ ...form('test'), button: 'Send a test' })} ${kind === 'webhook' && rotation()}
  ${deletion()}`;

  function rotation(): Html {
    const body = html`<p>
      The new secret is shown once. For 24 hours what is sent has two signatures: by it, and by the one before.
    </p>`;
    const { action, hidden } = form('rotate');
    // Sent twice, it would end the secret that the receiver still has.
    const seen = { ...hidden, until: previousSecretUntil ?? '' };
    return askingForm({ action, hidden: seen, open: 'New secret…', button: 'Rotate the secret', body }, refused);
  }

  function deletion(): Html {
    const body = html`<p>
      <b class="outside">${name}</b> is told nothing any more. What still waits to be sent goes with it, and so does the
      log of its deliveries.
    </p>`;
    const words = { open: 'Delete…', button: 'Delete the webhook', tone: 'danger' } as const;
    return askingForm({ ...form('delete'), ...words, body }, refused);
  }
}
