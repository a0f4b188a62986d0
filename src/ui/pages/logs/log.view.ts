import type { CheckRunRecord } from '../../../modules/pull-requests/check-run.dto';
import { type Content, html, type Html } from '../../html';
import { countText, facts, numberText, shortSha } from '../../parts/basics';
import { pullRequestPath, queuePath, testsPath } from '../../parts/links';
import { page } from '../../parts/shell';
import { stateMark, type StateName } from '../../parts/states';
import { terminalLines, type TerminalPiece } from '../../parts/terminal-text';
import { moment, roughly } from '../../parts/times';
import type { Visit } from '../../visit';

/** A browser shows this many lines without delay; the text download has all lines. */
const MOST_LINES = 5_000;

const STATES: Readonly<Record<string, readonly [StateName, string]>> = {
  queued: ['waiting', 'Waits for a free slot'],
  running: ['running', 'Running'],
  success: ['passed', 'Passed'],
  failure: ['failed', 'Failed'],
  timed_out: ['timeout', 'Timed out'],
  cancelled: ['cancelled', 'Stopped'],
};

/** The output of a command of the check runner. */
export function logPage(visit: Visit, check: CheckRunRecord, log: string, now: Date): Html {
  const { repo, targetBranch, name } = check;
  const lines = terminalLines(log);
  const body = html`${head(check)}
    <div class="two">
      <section class="card" aria-labelledby="log">
        <h2 id="log">
          <span>Log</span>
          <span class="soft">${extentOf(lines.length)} · <a href="/ui/logs/${check.id}/text">whole text</a></span>
        </h2>
        ${logLines(lines)}
      </section>
      <aside class="stack" aria-label="Facts">
        <section class="card">
          <h2>Facts</h2>
          <div class="pad">${factsOf(check, now)}</div>
        </section>
      </aside>
    </div>`;
  const crumbs = [
    { text: repo.owner, href: '/ui' },
    { text: repo.name, href: targetBranch === null ? testsPath(repo) : queuePath(repo, targetBranch) },
    ...(targetBranch === null ? [] : [{ text: targetBranch, href: queuePath(repo, targetBranch) }]),
  ];
  return page(visit, { title: `Log of ${name}`, crumbs, body });
}

function head({ name, command, state }: CheckRunRecord): Html {
  const [mark, word] = STATES[state] ?? ['waiting', state];
  return html`<div class="head">
    <div>
      <h1 class="outside">${name}</h1>
      <p class="lede">${stateMark(mark, word)} <code>${command}</code></p>
    </div>
  </div>`;
}

function extentOf(count: number): string {
  if (count <= MOST_LINES) return countText(count, 'line');
  return `the last ${numberText(MOST_LINES)} of ${numberText(count)} lines`;
}

function logLines(lines: readonly (readonly TerminalPiece[])[]): Html {
  if (lines.length === 0) return html`<p class="pad soft">The command has written nothing.</p>`;
  const first = Math.max(0, lines.length - MOST_LINES);
  const items = lines.slice(first).map((line, index) => {
    const number = first + index + 1;
    return html`<li id="L${number}">
      <a href="#L${number}" tabindex="-1">${number}</a><span class="text">${line.map(piece)}</span>
    </li>`;
  });
  return html`<ol class="log" tabindex="0" aria-labelledby="log">
    ${items}
  </ol>`;
}

function piece({ text, look }: TerminalPiece): Content {
  return look === '' ? text : html`<span class="${look}">${text}</span>`;
}

function factsOf(check: CheckRunRecord, now: Date): Html {
  const { repo, targetBranch, runNumber, prNumbers, sha, startedAt, endedAt, exitCode } = check;
  const until = endedAt === null ? now.getTime() : Date.parse(endedAt);
  const pullRequests = prNumbers.map((number, index) => [
    index > 0 && ', ',
    targetBranch === null
      ? `#${number}`
      : html`<a class="prn" href="${pullRequestPath(repo, targetBranch, number)}">#${number}</a>`,
  ]);
  return facts([
    ['Test run', runNumber === null ? 'not stored any more' : String(runNumber)],
    ['Pull requests', pullRequests.length === 0 ? 'none' : pullRequests],
    ['Commit', html`<span class="sha" title="${sha}">${shortSha(sha)}</span>`],
    ['Started', startedAt === null ? 'not yet' : moment(startedAt, now)],
    ['Took', startedAt === null ? '' : roughly(until - Date.parse(startedAt))],
    ['Ended with', exitCode === null ? (endedAt === null ? 'not yet' : 'was stopped') : String(exitCode)],
  ]);
}
