import type { NextBatch, WaitingPullRequest } from '../../modules/views/pictured-pull-request.dto';
import { html, type Html, prose } from '../html';
import { numberText } from './basics';
import { etaText, shortEta } from './etas';
import { authorIn, findable, mineTag, priorityPill, prLink, type Scene, titleIn } from './scene';
import { moment, roughly } from './times';

export interface WaitingPart {
  readonly waiting: readonly WaitingPullRequest[];
  readonly nextBatch: NextBatch | null;
  readonly waitingCount: number;
  readonly notReadyCount: number;
  /** The URL with the next rows; null: these rows are the last. */
  readonly next: string | null;
}

/**
 * The waiting pull requests as a table, because people compare positions, reasons and times. Groups show the order of
 * the next starts.
 */
export function waitingTable(scene: Scene, part: WaitingPart): Html {
  const { waiting, waitingCount, notReadyCount, next } = part;
  const notReady = notReadyCount > 0 ? `, not ready ${notReadyCount}` : '';
  return html`<section class="card sect" aria-labelledby="waiting">
    <h2 id="waiting">
      <span>Waiting <span class="soft">${numberText(waitingCount)}${notReady}</span></span>
      <span class="soft">in test order</span>
    </h2>
    ${waiting.length === 0 ? html`<p class="pad soft">The queue is empty.</p>` : table(scene, part)}
    ${next !== null && html`<div class="more" data-more><span class="soft">Scroll to load more. The search finds all of them.</span><a class="button" href="${next}" rel="next">Show the next 100</a></div>`}
  </section>`;
}

function table(scene: Scene, part: WaitingPart): Html {
  return html`<div class="scroll-x">
    <table class="list waits cards-on-phone">
      <thead>
        <tr>
          <th class="num pos" scope="col">Place</th>
          <th scope="col">Pull request</th>
          <th scope="col">Author</th>
          <th scope="col">Why it waits</th>
          <th class="num c-since" scope="col">Since</th>
          <th class="num" scope="col">Merges about</th>
        </tr>
      </thead>
      ${groupsOf(part, scene.now).map(
        ({ name, rows }) =>
          html`<tbody>
            ${
              name !== null &&
              html`<tr class="group">
                <td colspan="6">${name}</td>
              </tr>`
            }
            ${rows.map((row) => waitingRow(scene, row))}
          </tbody>`,
      )}
    </table>
  </div>`;
}

interface Group {
  readonly name: Html | string | null;
  readonly rows: readonly WaitingPullRequest[];
}

function groupsOf({ waiting, nextBatch }: WaitingPart, now: Date): readonly Group[] {
  const isNext = ({ prNumber }: WaitingPullRequest) => nextBatch?.members.includes(prNumber) ?? false;
  const next = waiting.filter(isNext);
  const then = waiting.filter((one) => one.place !== null && !isNext(one));
  const notReady = waiting.filter(({ place }) => place === null);
  const groups: Group[] = [
    { name: nextBatch && batchName(nextBatch, now), rows: next },
    { name: next.length > 0 ? 'Then' : null, rows: then },
    { name: 'Not ready', rows: notReady },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function batchName({ members, size, startsAt }: NextBatch, now: Date): Html {
  return html`Next batch: ${members.length} of ${size}, starts ${moment(startsAt, now)} at the latest`;
}

function waitingRow(scene: Scene, { prNumber: number, place, since, waitingFor }: WaitingPullRequest): Html {
  const eta = scene.named.get(number)?.eta;
  const where = place === null ? 'is not ready' : `waits, place ${place}`;
  const answer = `#${number} ${where}. ${waitingFor ?? ''} ${place === null ? '' : etaText(eta)}`;
  return html`<tr ${findable(scene, number, answer)}>
    <td class="num pos inline" data-l="Place">${place ?? '–'}</td>
    <td class="title outside">
      ${prLink(scene, number)} ${titleIn(scene, number)} ${priorityPill(scene, number)} ${mineTag(scene, number)}
    </td>
    <td class="who inline outside">${authorIn(scene, number)}</td>
    <td class="reason outside">${prose(waitingFor ?? '')}</td>
    <td class="num c-since inline" data-l="waits">${roughly(scene.now.getTime() - Date.parse(since))}</td>
    <td class="num inline" data-l="lands">${place === null ? '–' : shortEta(eta, scene.now)}</td>
  </tr>`;
}
