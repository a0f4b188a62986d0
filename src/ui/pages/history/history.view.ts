import type { HistoryDay, HistoryFigures, QueueHistoryByDay } from '../../../modules/views/queue-history.dto';
import type { FlakyTestCosts } from '../../../modules/views/flaky-costs.dto';
import { attributes, type Content, html, type Html } from '../../html';
import { countText, numberText, percentText } from '../../parts/basics';
import { bandChart, chartCard, columnChart, dayTable, legendKey } from '../../parts/charts';
import { historyDayPath, historyPath } from '../../parts/links';
import { liveWith, queueShell } from '../../parts/queue-shell';
import { wordsOfReason } from '../../../modules/views/reason-words';
import { page } from '../../parts/shell';
import { roughly } from '../../parts/times';
import type { Visit } from '../../visit';
import { flakyCosts } from './flaky-costs.view';

const MINUTE_MS = 60_000;
/** The page updates immediately after a change, and then waits for this time before the next update. */
const REST_SECONDS = 5;
export const RANGES = [7, 28, 90, 365] as const;
export type HistoryRange = (typeof RANGES)[number];

interface ShownHistory {
  readonly history: QueueHistoryByDay;
  readonly range: HistoryRange;
  readonly costs: FlakyTestCosts;
}

/** The results of the last days: four numbers, then the charts from which they come. */
export function historyPage(visit: Visit, { history, range, costs }: ShownHistory): Html {
  const { repo, targetBranch: branch, days, version } = history;
  const body = html`<div class="head">
      <div>
        <h1>The last ${countText(range, 'day')}</h1>
        <p class="lede">${ledeOf(history)}</p>
      </div>
      <nav class="acts" aria-label="Time range">
        ${RANGES.map((one) => rangeLink(history, one, range))}
        <a class="button" href="${historyPath(repo, branch, { days: range, as: 'csv' })}" download>CSV</a>
      </nav>
    </div>
    ${numbers(history)}
    ${
      days.length > 0 &&
      html`<div class="charts" data-steady>
        ${timeInQueue(days)} ${howItEnded(history)} ${runsPerMerge(days)} ${whyNot(history.total)}
      </div>`
    }
    ${flakyCosts(costs)}
    <p class="soft sect">Days are in UTC. The figures of today are incomplete.</p>`;
  return page(visit, {
    ...queueShell({ visit, repo, branch }, 'history'),
    ...liveWith({ repo, branch }, version, { restSeconds: REST_SECONDS }),
    title: `History of ${repo.owner}/${repo.name} ${branch}`,
    body,
  });
}

function rangeLink({ repo, targetBranch }: QueueHistoryByDay, range: HistoryRange, shown: HistoryRange): Html {
  return html`<a
    class="button ${range === shown ? 'main' : ''}"
    href="${historyPath(repo, targetBranch, { days: range })}"
    ${attributes({ 'aria-current': range === shown && 'page' })}
    >${range === 365 ? '1 year' : `${range} days`}</a
  >`;
}

function ledeOf({ total, before, days }: QueueHistoryByDay): Content {
  if (days.length === 0) return 'The queue did not exist yet in this time.';
  const { waitedP50Ms: half, waitedP90Ms: most, runsPerMerged: runs } = total;
  if (half === null || most === null) return 'Nothing merged through the queue in this time.';
  const instead =
    before?.runsPerMerged != null && before.runsPerMerged !== runs
      ? ` instead of ${before.runsPerMerged} before that`
      : '';
  return html`Half of the merged pull requests took <b>${roughly(half)}</b> or less, 9 of 10 took ${roughly(most)} or
    less. It took <b>${countText(runs ?? 0, 'run')}</b> for one merged pull request${instead}.`;
}

function numbers({ total, before, lastWeek, days }: QueueHistoryByDay): Html {
  const { mergedCount, waitedP50Ms, waitedP90Ms, runsPerMerged } = total;
  const { etaErrorMs, etaCount, etaWithinShare } = lastWeek;
  const aDay = days.length === 0 ? 0 : mergedCount / days.length;
  return html`<dl class="kpis" ${attributes({ 'data-announced': announcementOf(days.at(-1)) })}>
    ${figure('Merged', numberText(mergedCount), `${numberText(Math.round(aDay * 10) / 10)} a day${changeSince(total, before)}`)}
    ${figure('Time in queue, half took at most', waitedP50Ms === null ? 'nothing merged' : roughly(waitedP50Ms), waitedP90Ms === null ? '' : `9 of 10: ${roughly(waitedP90Ms)}`)}
    ${figure('Runs per merged', runsPerMerged === null ? '–' : numberText(runsPerMerged), before?.runsPerMerged == null ? `${countText(total.runCount, 'run')}` : `${numberText(before.runsPerMerged)} before`)}
    ${figure('Error of forecasts, last 7 days', etaErrorMs === null ? 'unknown yet' : roughly(etaErrorMs), etaErrorMs === null ? 'no pull request with a forecast has ended' : `median of ${numberText(etaCount)}; ${percentText(etaWithinShare ?? 0)} in the interval`)}
  </dl>`;
}

/** The sentence that a screen reader announces after a change; null: the queue is younger than the shown days. */
function announcementOf(today: HistoryDay | undefined): string | null {
  if (today === undefined) return null;
  const { mergedCount, failedCount, cancelledCount } = today;
  return `Today so far: ${mergedCount} merged, ${failedCount} failed, ${cancelledCount} cancelled.`;
}

function figure(name: string, value: string, beside: string): Html {
  return html`<div class="kpi">
    <dt>${name}</dt>
    <dd>${value}</dd>
    <dd class="d">${beside}</dd>
  </div>`;
}

function changeSince({ mergedCount }: HistoryFigures, before: HistoryFigures | null): string {
  if (before === null || before.mergedCount === 0) return '';
  const change = Math.round((mergedCount / before.mergedCount - 1) * 100);
  return `, ${change < 0 ? '−' : '+'}${Math.abs(change)} %`;
}

function timeInQueue(days: readonly HistoryDay[]): Html {
  const inMinutes = (ms: number | null) => (ms === null ? null : ms / MINUTE_MS);
  const points = days.map(({ day, waitedP50Ms, waitedP90Ms }) => {
    return { day, half: inMinutes(waitedP50Ms), most: inMinutes(waitedP90Ms) };
  });
  const longest = Math.max(0, ...days.map(({ waitedP90Ms }) => waitedP90Ms ?? 0));
  const label = `Time in queue by day; on the slowest day 9 of 10 pull requests took ${roughly(longest)} or less`;
  const text = (ms: number | null) => (ms === null ? '–' : roughly(ms));
  return chartCard('Time in queue', {
    unit: 'minutes',
    chart: bandChart(label, points),
    legend: [legendKey('w', 'half of the merged pull requests took at most'), legendKey('l90', '9 of 10 took at most')],
    table: dayTable(
      ['Half took at most', '9 of 10 took at most'],
      days.map(({ day, waitedP50Ms, waitedP90Ms }) => ({ day, cells: [text(waitedP50Ms), text(waitedP90Ms)] })),
    ),
  });
}

function howItEnded({ repo, targetBranch, days }: QueueHistoryByDay): Html {
  const columns = days.map(({ day, mergedCount, failedCount, cancelledCount }) => ({
    day,
    parts: [
      { tone: 'm', value: mergedCount },
      { tone: 'f', value: failedCount },
      { tone: 'c', value: cancelledCount },
    ] as const,
    text: `${day}: ${mergedCount} merged, ${failedCount} failed, ${cancelledCount} cancelled`,
    href: mergedCount + failedCount + cancelledCount === 0 ? null : historyDayPath(repo, targetBranch, day),
  }));
  const rows = days.map(({ day, mergedCount, failedCount, cancelledCount }) => ({
    day,
    cells: [
      mergedCount,
      failedCount,
      cancelledCount,
      html`<a href="${historyDayPath(repo, targetBranch, day)}" aria-label="Pull requests of ${day}">which</a>`,
    ],
  }));
  return chartCard('How it ended', {
    unit: 'click a day to see its pull requests',
    chart: columnChart('How pull requests ended, by day', columns),
    legend: [legendKey('m', 'merged'), legendKey('f', 'failed'), legendKey('c', 'cancelled')],
    table: dayTable(['Merged', 'Failed', 'Cancelled', 'Pull requests'], rows),
  });
}

function runsPerMerge(days: readonly HistoryDay[]): Html {
  const columns = days.map(({ day, runsPerMerged, runCount, mergedCount }) => ({
    day,
    parts: [{ tone: 'w' as const, value: runsPerMerged ?? 0 }],
    text: `${day}: ${countText(runCount, 'run')}, ${mergedCount} merged`,
    href: null,
  }));
  return chartCard('Test runs per merged pull request', {
    unit: '',
    chart: columnChart('Test runs per merged pull request, by day', columns),
    legend: legendKey('w', 'less than 1: batches merged with one run'),
    table: dayTable(
      ['Runs', 'Merged', 'Runs per merged'],
      days.map(({ day, runCount, mergedCount, runsPerMerged }) => {
        return { day, cells: [runCount, mergedCount, runsPerMerged ?? '–'] };
      }),
    ),
  });
}

function whyNot({ reasons, mergedCount, failedCount, cancelledCount }: HistoryFigures): Html {
  const left = failedCount + cancelledCount;
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return html`<section class="card chart" aria-labelledby="why">
    <h2 id="why">
      Why pull requests did not merge <span class="soft">${numberText(left)} of ${numberText(left + mergedCount)}</span>
    </h2>
    ${reasons.length === 0 && html`<p class="pad soft">All pull requests merged.</p>`}
    <ul class="bars">
      ${reasons.map(({ reason, count }) => {
        const { text, isFailure } = wordsOfReason(reason);
        return html`<li data-part="${reason}">
          <span class="outside">${text}</span
          ><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect class="${isFailure ? 'f' : 'c'}" width="${Math.round((count / most) * 100)}" height="8" /></svg
          ><span class="num">${numberText(count)}</span>
        </li>`;
      })}
    </ul>
  </section>`;
}
