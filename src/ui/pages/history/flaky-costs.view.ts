import type { FlakyTestCost, FlakyTestCosts } from '../../../modules/views/flaky-costs.dto';
import { html, type Html } from '../../html';
import { countText, numberText } from '../../parts/basics';
import { roughly } from '../../parts/times';

const DAY_MS = 86_400_000;

/** Failed runs whose tree passed in another run, grouped by the failed tests. */
export function flakyCosts(costs: FlakyTestCosts): Html {
  const { runCount, lostMs, pullRequestCount, since, readAt } = costs;
  const days = Math.round((Date.parse(readAt) - Date.parse(since)) / DAY_MS);
  const inAll = `${countText(runCount, 'run')}, ${roughly(lostMs)} lost, ${countText(pullRequestCount, 'pull request')}`;
  return html`<section class="card sect" aria-labelledby="flaky">
    <h2 id="flaky">
      <span>Costs of flaky tests in ${countText(days, 'day')}</span>
      <span class="soft">${runCount === 0 ? 'runs that failed on code that passed in another run' : inAll}</span>
    </h2>
    ${
      runCount === 0
        ? html`<p class="pad soft">Nothing: no test run failed on code that passed in another test run.</p>`
        : html`${costs.tests.length > 0 && table(costs.tests)}
            <p class="pad soft">${noteOf(costs)}</p>`
    }
  </section>`;
}

function noteOf({ unexplainedRunCount: unexplained, hasMore }: FlakyTestCosts): string {
  return [
    'The table counts failed test runs whose code passed in another test run. Each run counts for every test that failed in it.',
    unexplained > 0 && `For ${countText(unexplained, 'run')}, CI uploaded no report that names the failed test.`,
    hasMore && 'Only the newest runs are counted.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

function table(tests: readonly FlakyTestCost[]): Html {
  return html`<div class="scroll-x">
    <table class="list cards-on-phone">
      <thead>
        <tr>
          <th scope="col">Test</th>
          <th scope="col">Status</th>
          <th class="num" scope="col">Failed runs</th>
          <th class="num" scope="col">Lost</th>
          <th class="num" scope="col">Pull requests</th>
        </tr>
      </thead>
      <tbody>
        ${tests.map(row)}
      </tbody>
    </table>
  </div>`;
}

function row({ testCaseId, name, parent, file, variant, statuses, ...cost }: FlakyTestCost): Html {
  const title = parent === '' ? name : `${parent} › ${name}`;
  return html`<tr data-row data-part="${testCaseId}" tabindex="-1">
    <td class="title outside">
      <a class="prn" href="/ui/tests/${testCaseId}">${title}</a
      >${variant !== '' && html` <span class="soft">${variant}</span>`}
      ${file !== '' && html`<br /><span class="sha soft">${file}</span>`}
    </td>
    <td class="inline">${statuses.map((status) => html`<code class="outside">${status}</code> `)}</td>
    <td class="num inline" data-l="failed runs">${numberText(cost.runCount)}</td>
    <td class="num inline" data-l="lost">${roughly(cost.lostMs)}</td>
    <td class="num inline" data-l="pull requests">${numberText(cost.pullRequestCount)}</td>
  </tr>`;
}
