import { html, type Html } from '../html';
import { icon } from './icons';

const SENTENCES = {
  submitted: 'Submitted.',
  cancelled: 'Taken out of the queue.',
  restarted: 'The tests run again.',
  promoted: 'Ahead of all that wait with its priority.',
  moved: 'Nothing was done: it has moved on since the page was made that you saw. This is how it stands now.',
  paused: 'Paused.',
  draining: 'Draining.',
  running: 'Resumed.',
  emptied: 'Everything was taken out of the queue that may be.',
  saved: 'Saved.',
  queue_created: 'The queue is there, and takes pull requests.',
  queue_deleted: 'The queue is deleted.',
  webhook_created: 'The webhook is made.',
  webhook_deleted: 'The webhook is deleted, with its deliveries.',
  webhook_tested: 'The test is on its way. Look again in a moment: it is the first of the deliveries.',
  webhook_paused: 'Paused. What happens waits, each message for a day.',
  webhook_resumed: 'It goes on, with what waited.',
  webhook_redelivered: 'It is on its way again. Look again in a moment.',
  webhook_nothing_failed: 'Nothing is sent again: nothing was given up since then.',
  already_rotated:
    'Nothing was done: the secret was changed after this page was made. Who has not noted the new one rotates it again.',
  quarantine_set: 'Set, and in force from now on.',
  unchanged: 'Nothing was changed: every setting is as it was.',
} as const;

export type Done = keyof typeof SENTENCES;

/** What the form did from which somebody comes; of others nothing is said. */
export function doneNote(done: unknown): Html | null {
  if (typeof done !== 'string' || !Object.hasOwn(SENTENCES, done)) return null;
  return html`<div class="note" role="status">
    ${icon('check', 'st-passed')}
    <div><p>${SENTENCES[done as Done]}</p></div>
  </div>`;
}

/** The path of a page, which is to say what a form did. */
export function donePath(path: string, done: Done): string {
  return `${path}${path.includes('?') ? '&' : '?'}done=${done}`;
}
