import { html, type Html } from '../html';
import { icon } from './icons';

const SENTENCES = {
  submitted: 'Submitted.',
  cancelled: 'Removed from the queue.',
  restarted: 'The tests run again.',
  promoted: 'Moved ahead of all waiting pull requests of the same priority.',
  moved: 'Nothing was done: the pull request has changed since you loaded the page. This is its current state.',
  paused: 'Paused.',
  draining: 'Draining.',
  running: 'Resumed.',
  emptied: 'All pull requests that can be cancelled were removed from the queue.',
  saved: 'Saved.',
  queue_created: 'The queue was created and accepts pull requests.',
  queue_deleted: 'The queue was deleted.',
  webhook_created: 'The webhook was created.',
  webhook_deleted: 'The webhook was deleted, with its deliveries.',
  webhook_tested: 'The test is being sent. Reload in a moment: it is the first delivery in the list.',
  webhook_paused: 'Paused. Each event is kept for a day.',
  webhook_resumed: 'Resumed. The events of the pause are sent now.',
  webhook_redelivered: 'The delivery is being sent again. Reload in a moment.',
  webhook_nothing_failed: 'Nothing is sent again: no delivery was given up since then.',
  already_rotated:
    'Nothing was done: the secret was changed after you loaded this page. If you did not note the new secret, rotate it again.',
  quarantine_set: 'The quarantine of the test is set, and in force from now on.',
  unchanged: 'Nothing was changed: every setting has its old value.',
} as const;

export type Done = keyof typeof SENTENCES;

/** The note about the form that led to this page; null: the name is unknown. */
export function doneNote(done: unknown): Html | null {
  if (typeof done !== 'string' || !Object.hasOwn(SENTENCES, done)) return null;
  return html`<div class="note" role="status">
    ${icon('check', 'st-passed')}
    <div><p>${SENTENCES[done as Done]}</p></div>
  </div>`;
}

/** The path of a page that shows a note about a form. */
export function donePath(path: string, done: Done): string {
  return `${path}${path.includes('?') ? '&' : '?'}done=${done}`;
}
