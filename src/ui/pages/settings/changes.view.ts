import type { AuditPage } from '../../../platform/audit/audit-log';
import { html, type Html } from '../../html';
import { icon } from '../../parts/icons';
import { moment } from '../../parts/times';
import { SETTING_TITLES } from './setting-titles';

const HOW: Readonly<Record<string, string>> = {
  api: 'through the API',
  page: 'on a page',
  mcp: 'by an agent',
  command_line: 'on the service machine',
  service: 'automatically',
};

/**
 * The changes of a queue, newest first: person, time, old and new values, source. Null: this person may not see the
 * changes.
 */
export function changesOf(now: Date, changes: AuditPage['events'] | null): Html | null {
  if (changes === null) return null;
  const items = changes.map(
    ({ at, actor, channel, address, action, before, after }) =>
      html`<li>
        ${moment(at.toISOString(), now)}<span class="dot">${icon('person')}</span>
        <div>
          <p class="outside"><b>${actor}</b>: ${wordsOf(action, before, after)}</p>
          <p class="soft">${HOW[channel] ?? channel}${address !== null && `, from ${address}`}</p>
        </div>
      </li>`,
  );
  return html`<section class="card" aria-labelledby="changes">
    <h2 id="changes">Changes and their authors</h2>
    ${
      items.length === 0
        ? html`<p class="pad soft">No changes yet.</p>`
        : html`<ol class="story">
            ${items}
          </ol>`
    }
  </section>`;
}

/** The change in words: `concurrency 1 → 2`, or only the action when the queue was created or deleted. */
function wordsOf(action: string, before: unknown, after: unknown): string {
  if (action !== 'queue.updated' && action !== 'queue.state_changed')
    return action.replace('queue.', '').replaceAll('_', ' ');
  const [from, to] = [before, after] as Readonly<Record<string, unknown>>[];
  return Object.keys(to ?? {})
    .map((name) => `${titleOf(name)} ${shortText(from?.[name])} → ${shortText(to?.[name])}`)
    .join(', ');
}

/** The title of a changed field. A field that is not a setting, such as the state, is shown by its API name. */
function titleOf(name: string): string {
  return (SETTING_TITLES as Readonly<Record<string, string>>)[name] ?? name;
}

function shortText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
