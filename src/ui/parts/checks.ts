import type { RunPicture, StatusPicture } from '../../modules/views/run-picture.dto';
import { attributes, html, type Html } from '../html';
import { icon } from './icons';
import { isWebAddress } from './links';
import { clockOf } from './times';

const OWN_LOG = /\/v1\/checkRuns\/([0-9a-f-]{36})\/log$/;

/** The required statuses of a run: a mark for each decided status, a bar for each open one. */
export function checks({ statuses, pushedAt, phase }: RunPicture, now: Date): Html | null {
  if (statuses.length === 0) return null;
  const began = pushedAt === null ? null : Date.parse(pushedAt);
  return html`<ul class="checks">
    ${statuses.map((status) => html`<li>${check(status, began, phase === 'testing', now)}</li>`)}
  </ul>`;
}

function check(status: StatusPicture, began: number | null, isTesting: boolean, now: Date): Html {
  const { state, reportedAt } = status;
  const took = began === null || reportedAt === null ? '' : clockOf(Date.parse(reportedAt) - began);
  if (state === 'passed')
    return html`<span class="st st-passed">${icon('check')}${unseen('passed')}</span>${name(status)}<span class="w"
        >${took}</span
      >`;
  if (state === 'failed')
    return html`<span class="st st-failed">${icon('cross')}${unseen('failed')}</span>${name(status)}<span class="w"
        >red, ${took}</span
      >`;
  if (state === 'lost')
    return html`<span class="st st-timeout">${icon('warn')}${unseen('lost')}</span>${name(status)}<span class="w"
        >given up by CI</span
      >`;
  if (!isTesting || began === null)
    return html`<span class="st st-waiting">${icon('dash')}${unseen('waits')}</span>${name(status)}<span class="w"
        >not reported</span
      >`;
  const mark =
    state === 'missing'
      ? html`<span class="st st-waiting" title="Not reported yet">${icon('dash')}${unseen('not reported yet')}</span>`
      : html`<span class="st st-testing">${icon('ring', 'spin')}${unseen('runs')}</span>`;
  return html`${mark}${name(status)}${progress(status, now.getTime() - began)}`;
}

/** Text for screen readers, which cannot see a mark. */
function unseen(word: string): Html {
  return html`<span class="hide">${word} </span>`;
}

function progress({ name: what, expectedMs }: StatusPicture, elapsed: number): Html {
  const of = expectedMs === null ? '' : ` of ~${clockOf(expectedMs)}`;
  const seconds = Math.max(0, Math.floor(elapsed / 1_000));
  return html`${expectedMs !== null && bar(what, elapsed, expectedMs)}<span
      class="w"
      data-tick="${seconds}"
      data-of="${of}"
      >${clockOf(elapsed)}${of}</span
    >`;
}

function bar(what: string, elapsed: number, expected: number): Html {
  const isOver = elapsed > expected;
  const done = Math.max(0, Math.min(100, Math.round((elapsed / Math.max(1, expected)) * 100)));
  return html`<progress
    ${attributes({ class: isOver && 'over' })}
    max="100"
    value="${done}"
    aria-label="${what}: ${isOver ? 'longer than usual' : `${done} % of its usual time`}"
  ></progress>`;
}

/**
 * The name of a status, with a link to the log if the status has one. A log of the check runner opens as a page, and a
 * log of a CI system at its URL.
 */
function name({ name: text, url }: StatusPicture): Html {
  return logLink(url, text, 'n');
}

export function logLink(url: string, text: string, className = ''): Html {
  const [, ours] = OWN_LOG.exec(url) ?? [];
  if (ours !== undefined) return html`<a class="${className}" href="/ui/logs/${ours}">${text}</a>`;
  if (!isWebAddress(url)) return html`<span class="${className}">${text}</span>`;
  return html`<a class="${className}" href="${url}" rel="noreferrer noopener">${text}</a>`;
}
