import type { LandedPicture, LeftPullRequest, RunEvidence } from '../../modules/views/left-pull-request.dto';
import { html, type Html, prose } from '../html';
import { countText, shortSha } from './basics';
import { logLink } from './checks';
import { icon } from './icons';
import { historyPath, pullRequestPath, quarantinePath } from './links';
import { authorIn, findable, isMineIn, prLink, type Scene, titleIn } from './scene';
import { ago } from './times';

/** The last merges. The tip of the target is framed, because the sequence begins there. */
export function landings(scene: Scene, list: readonly LandedPicture[], tip: string | null): Html {
  const isTip = list[0]?.commit === tip;
  return html`<section aria-labelledby="landed">
    <div class="colhead">
      <h2 id="landed">Merged into <span class="sha">${scene.branch}</span></h2>
      <a class="soft" href="${historyPath(scene.repo, scene.branch, {})}">History</a>
    </div>
    <ol class="landings">
      ${
        !isTip &&
        tip !== null &&
        html`<li class="tip">
          <span class="out" aria-hidden="true"></span
          ><span class="meta"><span class="sha">${shortSha(tip)}</span><b>tip</b></span>
        </li>`
      }
      ${list.map((one, index) => landing(scene, one, isTip && index === 0))}
    </ol>
    ${list.length === 0 && html`<p class="soft">Nothing has merged through this queue yet.</p>`}
  </section>`;
}

function landing(scene: Scene, { prNumber: number, commit, landedAt }: LandedPicture, isTip: boolean): Html {
  const at = ago(landedAt, scene.now);
  const classes = [isTip && 'tip', isMineIn(scene, number) && 'is-mine'].filter(Boolean).join(' ');
  return html`<li
    class="${classes}"
    data-number="${number}"
    data-find="#${number} ${titleIn(scene, number)} ${authorIn(scene, number)}"
    data-answer="#${number} has landed on ${scene.branch}."
    tabindex="-1"
  >
    ${isTip && html`<span class="out" aria-hidden="true"></span>`}<span class="ell outside"
      >${prLink(scene, number)} ${titleIn(scene, number)}</span
    >
    <span class="meta"
      ><span class="sha">${shortSha(commit)}</span><span class="outside">${authorIn(scene, number)}</span
      ><span>${at}</span>${isTip && html`<b>tip</b>`}</span
    >
  </li>`;
}

/** Draws failed and cancelled pull requests, with the evidence of each. */
export function sentBack(scene: Scene, left: readonly LeftPullRequest[]): Html | null {
  if (left.length === 0) return null;
  return html`<section class="card sect" aria-labelledby="sent">
    <h2 id="sent">Removed in 24 hours <span class="soft">${left.length}</span></h2>
    <ul class="sent">
      ${left.map((one) => leftItem(scene, one))}
    </ul>
  </section>`;
}

function leftItem(scene: Scene, { prNumber: number, at, message, by, evidence }: LeftPullRequest): Html {
  const failed = scene.named.get(number)?.state !== 'cancelled';
  const why = message ?? (failed ? 'Failed.' : by === null ? 'Cancelled.' : `Cancelled by ${by}.`);
  const log = evidence?.redStatuses.find(({ url }) => url !== '');
  return html`<li ${findable(scene, number, `#${number}: ${why}`)}>
    <span class="ell outside"
      ><span class="${failed ? 'st-failed' : 'st-cancelled'}">${icon(failed ? 'cross' : 'dash')}</span>
      ${prLink(scene, number)} ${titleIn(scene, number)}</span
    >
    <p class="why outside">${prose(withoutAddresses(why, evidence))}</p>
    ${evidence !== null && failedTests(evidence)}
    <span class="meta"
      ><span class="outside">${authorIn(scene, number)}${isMineIn(scene, number) && ' (you)'}</span
      ><span>${ago(at, scene.now)}</span>${log && logLink(log.url, 'log')}<a
        href="${pullRequestPath(scene.repo, scene.branch, number)}"
        >what to do</a
      ></span
    >
  </li>`;
}

/**
 * Removes the URLs of failed statuses from a sentence that has a log link next to it. The sentence has these URLs for
 * answers without links.
 */
export function withoutAddresses(sentence: string, evidence: RunEvidence | null): string {
  const addresses = (evidence?.redStatuses ?? []).flatMap(({ url }) => (url === '' ? [] : url));
  return addresses.reduce((text, url) => text.replaceAll(`, ${url}`, ''), sentence);
}

/** Removes every URL from a sentence without evidence, because the page of the pull request has the link. */
export function withoutAnyAddress(sentence: string): string {
  return sentence.replaceAll(/, https?:\/\/\S*[^\s.,;:)]/g, '');
}

/** The first failed tests, each with its known history. */
export function failedTests({ failedTests: tests, failedTestCount: count }: RunEvidence): Html | null {
  if (tests.length === 0) return null;
  const more = (count ?? tests.length) - tests.length;
  return html`<ul class="evidence outside">
    ${tests.map(
      ({ id, name, parent, status, quarantined }) =>
        html`<li>
          <a href="/ui/tests/${id}">${parent === '' ? name : `${parent} › ${name}`}</a>${knownAs(status, quarantined)}
          ${status !== 'healthy' && !quarantined && html`<a href="${quarantinePath(id)}">Quarantine…</a>`}
        </li>`,
    )}
    ${more > 0 && html`<li>and ${countText(more, 'more', 'more')}</li>`}
  </ul>`;
}

function knownAs(status: string, quarantined: boolean): string {
  if (quarantined) return ' (quarantined: its failures are ignored)';
  return status === 'flaky' || status === 'broken' ? ` (known to be ${status})` : '';
}
