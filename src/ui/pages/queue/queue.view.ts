import type { QueuePicture } from '../../../modules/views/queue-picture.dto';
import type { RefusedForm } from '../../form';
import { html, type Html } from '../../html';
import { landings, sentBack } from '../../parts/bank';
import { command, countText } from '../../parts/basics';
import { groupWithoutRun, lanes, line } from '../../parts/line';
import { pathTo, repositoryText } from '../../parts/links';
import { runCard } from '../../parts/run-card';
import type { Scene } from '../../parts/scene';
import { searchCard } from '../../parts/search-matrix';
import { page } from '../../parts/shell';
import { liveWith, queueShell } from '../../parts/queue-shell';
import { waitingTable } from '../../parts/waiting-table';
import { notes, queueHead } from './head';
import { mineStrip } from './mine';

interface ShownQueue {
  readonly picture: QueuePicture;
  /** The search text, if it is not a number; "": no search. */
  readonly asked: string;
  /** Null: no form was refused. */
  readonly refused: RefusedForm | null;
  /** The note about the form that led to this page. */
  readonly done: Html | null;
}

/** One queue: its last merges, running tests, waiting and finished pull requests. */
export function queuePage(scene: Scene, { picture, asked, refused, done }: ShownQueue): Html {
  const { landings: landed, tip, left } = picture;
  const body = html`${queueHead(scene, picture, refused)} ${done} ${notes(picture, scene.now)} ${askedNote(asked)}
    ${mineStrip(scene, picture)}
    <div class="river" data-steady>
      <div class="flow">
        ${inProgress(scene, picture)} ${waiting(scene, picture)} ${isEmpty(picture) && waysIn(scene)}
      </div>
      <div class="bank">${landings(scene, landed, tip)} ${sentBack(scene, left)}</div>
    </div>`;
  const title = `${scene.repo.owner}/${scene.repo.name} ${scene.branch}`;
  const shell = {
    ...queueShell(scene, 'queue', countOf(picture)),
    ...(refused === null && liveWith(scene, picture.version)),
  };
  return page(scene.visit, { ...shell, title, body });
}

function askedNote(asked: string): Html | null {
  if (asked === '') return null;
  return html`<div class="note warn" role="status">
    <div>
      <p><b>Search by number: enter the number of a pull request.</b></p>
      <p class="soft">An example is 412. Titles and authors are found on this page as you type.</p>
    </div>
  </div>`;
}

function inProgress(scene: Scene, picture: QueuePicture): Html {
  const { runs, searches, passed } = picture;
  const searching = new Set(searches.flatMap((search) => search.runs));
  const others = runs.filter((run) => !searching.has(run.number));
  return html`${searches.map((search) => searchCard(scene, search, runs))}
    <section aria-label="In test">
      <div class="colhead">
        <h2>In test <span class="soft">${slotsText(picture)}</span></h2>
        <span class="soft">${howBuilt(picture)}</span>
      </div>
      ${drawing(scene, picture, others)}
    </section>
    ${
      passed.length > 0 &&
      html`<section aria-label="Passed">
        <div class="colhead">
          <h2>Passed <span class="soft">in the order in which they passed</span></h2>
        </div>
        ${passed.map((group) => groupWithoutRun(scene, group))}
      </section>`
    }`;
}

/**
 * The drawing of the test runs. In sequential and parallel mode, it shows on which runs each run is built. With flow
 * scheduling, it has one card per run.
 */
function drawing(scene: Scene, picture: QueuePicture, runs: QueuePicture['runs']): Html {
  const { conditions, expectedRunMs, line: groups } = picture;
  if (conditions.scheduling === 'flow') {
    if (runs.length === 0) return line(scene, [], groups, { expectedRunMs, free: freeText(picture) });
    return html`<div class="stack-runs">${runs.map((run) => runCard(scene, run, expectedRunMs))}</div>`;
  }
  if (conditions.mode === 'parallel' && runs.length > 1) {
    return html`${lanes(scene, runs, expectedRunMs)}${groups.map((group) => groupWithoutRun(scene, group))}`;
  }
  return line(scene, runs, groups, { expectedRunMs, free: freeText(picture) });
}

function slotsText({ slots: { line: own, searches } }: QueuePicture): string {
  const beside =
    searches === null || searches.inUse === 0
      ? ''
      : `, ${searches.inUse} of ${countText(searches.all, 'bisection slot')}`;
  return `${own.inUse} of ${countText(own.all, 'slot')}${beside}`;
}

function howBuilt({ conditions, runs }: QueuePicture): string {
  if (runs.length < 2) return '';
  if (conditions.scheduling === 'flow') return 'each is built on pull requests that passed';
  return conditions.mode === 'parallel'
    ? 'a card across two lanes is built on both'
    : 'each is built on all runs above it';
}

function freeText({ slots, conditions, waitingCount, tip, targetBranch }: QueuePicture): string | null {
  const free = slots.line.all - slots.line.inUse;
  if (free <= 0 || waitingCount > 0 || conditions.state !== 'running') return null;
  const base = tip === null ? targetBranch : `${targetBranch} ${tip.slice(0, 7)}`;
  return slots.line.inUse === 0
    ? `${countText(free, 'free slot')}. The next pull request is tested on \`${base}\`.`
    : `${countText(free, 'free slot')}: a pull request submitted now starts at once.`;
}

function waiting(scene: Scene, picture: QueuePicture): Html {
  const { nextCursor } = picture;
  const question = { repo: repositoryText(scene.repo), branch: scene.branch };
  const next = nextCursor === undefined ? null : pathTo('/ui/queue', { ...question, cursor: nextCursor });
  return waitingTable(scene, { ...picture, next });
}

function countOf({ runs, line: groups, passed, searches, waitingCount, notReadyCount }: QueuePicture): number {
  const numbersInProgress = [
    ...runs.flatMap(({ members }) => members.map(({ prNumber }) => prNumber)),
    ...[...groups, ...passed, ...searches].flatMap(({ members }) => members),
  ];
  return new Set(numbersInProgress).size + waitingCount + notReadyCount;
}

function isEmpty(picture: QueuePicture): boolean {
  return countOf(picture) === 0;
}

function waysIn({ repo, branch }: Scene): Html {
  return html`<section class="card sect" aria-labelledby="ways">
    <h2 id="ways">How to submit</h2>
    <div class="pad">
      <p class="soft">Comment <code>/sluice merge</code> on a pull request, if the code host has comments. Or run:</p>
      ${command(`sluice pr submit ${repositoryText(repo)} 7 --branch ${branch}`)}
    </div>
  </section>`;
}
