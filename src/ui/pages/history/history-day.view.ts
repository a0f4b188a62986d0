import type { SubmittedPullRequest } from '../../../modules/pull-requests/submitted-pull-request.dto';
import type { HistoryDay, QueueHistoryByDay } from '../../../modules/views/queue-history.dto';
import { type Content, html, type Html, prose } from '../../html';
import { withoutAnyAddress } from '../../parts/bank';
import { countText } from '../../parts/basics';
import { historyDayPath, historyPath, pullRequestPath } from '../../parts/links';
import { queueShell } from '../../parts/queue-shell';
import { wordsOfReason } from '../../../modules/views/reason-words';
import { page } from '../../parts/shell';
import { type StateName, stateMark } from '../../parts/states';
import { dayOfMonth, moment, roughly } from '../../parts/times';
import type { Visit } from '../../visit';

export interface ShownHistoryDay {
  readonly history: QueueHistoryByDay;
  readonly day: string;
  readonly pullRequests: readonly SubmittedPullRequest[];
  /** The cursor of the next page; null: this is the last page. */
  readonly cursor: string | null;
  readonly now: Date;
}

/** The pull requests that left the queue on a day. */
export function historyDayPage(visit: Visit, shown: ShownHistoryDay): Html {
  const { history, day, pullRequests, cursor } = shown;
  const { repo, targetBranch: branch } = history;
  const figures = history.days.find((one) => one.day === day);
  const body = html`<div class="head">
      <div>
        <h1>Pull requests of ${dayOfMonth(day)}</h1>
        <p class="lede">${ledeOf(figures)}</p>
      </div>
      <div class="acts"><a class="button" href="${historyPath(repo, branch, {})}">All days</a></div>
    </div>
    <section class="card" aria-label="Pull requests">
      ${pullRequests.length === 0 ? html`<p class="pad soft">No pull request merged, failed or was cancelled on this day.</p>` : table(shown)}
      ${cursor !== null && html`<div class="more"><a class="button" rel="next" href="${historyDayPath(repo, branch, day, cursor)}">Show the next 100</a></div>`}
    </section>
    <p class="soft sect">
      Each pull request is shown with its current state: a failed pull request may have been submitted again and merged.
      The log is kept for a limited time; the numbers are kept for years.
    </p>`;
  return page(visit, {
    ...queueShell({ visit, repo, branch }, 'history'),
    title: `${day} in ${repo.owner}/${repo.name} ${branch}`,
    body,
  });
}

function ledeOf(figures: HistoryDay | undefined): Content {
  if (figures === undefined) return 'The queue did not exist yet.';
  const { mergedCount, failedCount, cancelledCount, waitedP50Ms } = figures;
  const half = waitedP50Ms === null ? '' : ` Half of the merged pull requests took ${roughly(waitedP50Ms)} or less.`;
  return `${mergedCount} merged, ${failedCount} failed, ${cancelledCount} cancelled, with ${countText(figures.runCount, 'test run')}.${half}`;
}

function table(shown: ShownHistoryDay): Html {
  return html`<div class="scroll-x">
    <table class="list cards-on-phone">
      <thead>
        <tr>
          <th scope="col">Pull request</th>
          <th scope="col">Author</th>
          <th scope="col">Now</th>
          <th scope="col">Why</th>
          <th class="num" scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        ${shown.pullRequests.map((one) => row(shown, one))}
      </tbody>
    </table>
  </div>`;
}

function row({ history, now }: ShownHistoryDay, pullRequest: SubmittedPullRequest): Html {
  const { prNumber: number, prTitle, prAuthor, state, stateReason, stateMessage, stateChangedAt } = pullRequest;
  const { repo, targetBranch } = history;
  const left = state === 'failed' || state === 'cancelled';
  const why = left ? (stateMessage ?? (stateReason === null ? '' : wordsOfReason(stateReason).text)) : '';
  const about = `#${number} ${prTitle} ${prAuthor}`;
  return html`<tr
    data-row
    tabindex="-1"
    data-number="${number}"
    data-find="${about}"
    data-answer="#${number}: ${state}."
  >
    <td class="outside">
      <a class="prn" href="${pullRequestPath(repo, targetBranch, number)}">#${number}</a> ${prTitle}
    </td>
    <td class="outside soft">${prAuthor}</td>
    <td class="inline">${stateMark(MARKS[state] ?? 'testing')}</td>
    <td class="outside">${prose(withoutAnyAddress(why))}</td>
    <td class="num soft">${moment(stateChangedAt, now)}</td>
  </tr>`;
}

const MARKS: Readonly<Partial<Record<SubmittedPullRequest['state'], StateName>>> = {
  not_ready: 'not_ready',
  pending: 'waiting',
  testing: 'testing',
  tests_passed: 'passed',
  pending_failure: 'suspect',
  merged: 'merged',
  failed: 'failed',
  cancelled: 'cancelled',
};
