import type { QueuePicture } from '../../../modules/views/queue-picture.dto';
import { type Content, html, type Html } from '../../html';
import { icon } from '../../parts/icons';
import { isMineIn, prLink, type Scene } from '../../parts/scene';
import { shortEta } from '../../parts/etas';

const MOST_SHOWN = 6;

/** The pull requests of the person, at the top of the page. */
export function mineStrip(scene: Scene, picture: QueuePicture): Html | null {
  const mine = numbersOf(picture).filter((number) => isMineIn(scene, number));
  if (mine.length === 0) return null;
  const items = mine
    .slice(0, MOST_SHOWN)
    .map((number) => html`<li>${prLink(scene, number)} ${standing(scene, picture, number)}</li>`);
  return html`<section class="answer" aria-label="Your pull requests">
    <span class="label">${icon('person')} Yours</span>
    <ul>
      ${items}${mine.length > MOST_SHOWN && html`<li class="soft">and ${mine.length - MOST_SHOWN} more</li>`}
    </ul>
    <button type="button" class="bare" data-mine aria-pressed="false">Only mine <kbd>m</kbd></button>
  </section>`;
}

/** The numbers of all pull requests in the picture: first the ones in progress, then waiting, then finished ones. */
function numbersOf({ runs, line, passed, searches, waiting, left }: QueuePicture): readonly number[] {
  return [
    ...new Set([
      ...runs.flatMap(({ members }) => members.map(({ prNumber }) => prNumber)),
      ...[...line, ...passed, ...searches].flatMap(({ members }) => members),
      ...[...waiting, ...left].map(({ prNumber }) => prNumber),
    ]),
  ];
}

function standing(scene: Scene, picture: QueuePicture, number: number): Content {
  const { runs, searches, waiting, passed } = picture;
  const one = scene.named.get(number);
  const eta = () => (one?.eta ? html`<b>merges about ${shortEta(one.eta, scene.now)}</b>` : null);
  const withEta = (text: string) => [text, one?.eta && ', ', eta()];
  if (one?.state === 'failed') return 'failed';
  if (one?.state === 'cancelled') return 'removed';
  const search = searches.find(({ members }) => members.includes(number));
  if (search !== undefined) return search.suspects.includes(number) ? 'a suspect in bisection' : 'in bisection';
  const run = runs.find(({ members }) => members.some(({ prNumber }) => prNumber === number));
  if (run?.phase === 'landing') return html`<b>merging now</b>`;
  if (run !== undefined) return withEta(`${WORDS[run.phase] ?? run.phase} in run ${run.number}`);
  if (passed.some(({ members }) => members.includes(number))) return withEta('passed');
  const wait = waiting.find(({ prNumber }) => prNumber === number);
  if (wait?.place === null) return 'not ready';
  return wait === undefined ? eta() : withEta(`waits, place ${wait.place}`);
}

const WORDS: Readonly<Record<string, string>> = {
  building: 'being built',
  conflicted: 'in conflict',
  failed: 'failed',
};
