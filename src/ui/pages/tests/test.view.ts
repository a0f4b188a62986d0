import type { RepositoryName } from '../../../platform/repository-name';
import type { TestDetails } from '../../../modules/test-health/http/details/dto/test-details.dto';
import type { FailingTestItem } from '../../../modules/test-health/http/lists/dto/test-lists.dto';
import type { RefusedForm } from '../../form';
import { type Content, html, type Html, prose } from '../../html';
import { countText, facts, percentText, shortSha } from '../../parts/basics';
import { icon, type IconName } from '../../parts/icons';
import { outsideLink, testsPath } from '../../parts/links';
import { page } from '../../parts/shell';
import { standingOfTest, stateMark } from '../../parts/states';
import { ago, dayOfMonth } from '../../parts/times';
import { may, type Visit } from '../../visit';
import { quarantineForm } from './quarantine-form';
import { daysChart, daysTable, lastDaysOf } from './days-chart';
import { runsStrip } from './runs-strip';
import { numberOrBranch } from './where';

export interface ShownTest {
  readonly repo: RepositoryName;
  readonly details: TestDetails;
  /** Whether the quarantine form is open. */
  readonly asksQuarantine: boolean;
  /** Null: no form was refused. */
  readonly refused: RefusedForm | null;
  readonly done: Html | null;
  readonly now: Date;
}

/** Everything about one test. */
export function testPage(visit: Visit, { repo, details, asksQuarantine, refused, done, now }: ShownTest): Html {
  const { test } = details;
  const days = lastDaysOf(details.days, now);
  const body = html`<div class="head">
      <div>
        <h1 class="outside">${fullNameOf(test)}</h1>
        <p class="lede">${aboutOf(test)}</p>
      </div>
      ${may(visit, 'administer') && html`<div class="acts">${quarantineForm(repo, details, { isOpen: asksQuarantine, refused })}</div>`}
    </div>
    ${done} ${asksQuarantine && !may(visit, 'administer') && mayNot()}
    <div class="two">
      <div class="stack">
        ${verdict(test)} ${runsStrip(details.latest_runs)}
        <section class="card" aria-labelledby="days">
          <h2 id="days">
            <span>The last ${days.length} days</span> <span class="soft">oldest on the left; the red part failed</span>
          </h2>
          <div class="pad">${daysChart(days)}</div>
          ${daysTable(days)}
        </section>
        ${failures(details, now)}
      </div>
      <aside class="stack" aria-label="History">${changes(details)} ${alarms(details)}</aside>
    </div>`;
  const crumbs = [
    { text: repo.owner, href: '/ui' },
    { text: repo.name, href: testsPath(repo) },
    { text: 'Tests', href: testsPath(repo) },
  ];
  return page(visit, { title: fullNameOf(test), crumbs, body });
}

function mayNot(): Html {
  return html`<div class="note">
    Only a token with the role <b>admin</b> quarantines a test. <a href="/ui/sign-in">Sign in with another token</a>, or
    ask the team that has one.
  </div>`;
}

function fullNameOf({ parent, name }: FailingTestItem): string {
  return parent === '' ? name : `${parent} › ${name}`;
}

function aboutOf({ file_path, classname, variant, codeowners, ticket }: FailingTestItem): Content {
  const parts: Content[] = [
    file_path !== '' && html`<span class="sha outside">${file_path}</span>`,
    classname !== '' && html`class <b class="outside">${classname}</b>`,
    variant !== '' && html`variant <b class="outside">${variant}</b>`,
    codeowners.length > 0 && html`owner <b class="outside">${codeowners.join(', ')}</b>`,
    ticket.html_url !== '' && html`ticket ${outsideLink(ticket.html_url, ticket.html_url)}`,
  ].filter((part) => part !== false);
  return parts.map((part, index) => [index > 0 && ' · ', part]);
}

function verdict(test: FailingTestItem): Html {
  const { value, reason, timestamp } = test.status;
  const mark = standingOfTest(value, test.failure_rate_last_7d);
  const box = mark === 'broken' || mark === 'only_failed' ? 'failed' : mark === 'healthy' ? 'passed' : '';
  return html`<section class="verdict-box ${box}" aria-label="Current status">
    <p>
      ${stateMark(mark)} ${test.quarantined && stateMark('quarantined')}
      <span class="soft">since ${dayOfMonth(timestamp)}</span>
    </p>
    <p class="say outside">${reason === '' ? 'No monitor is active on this test.' : prose(sentence(reason))}</p>
    <p class="soft">${costOf(test)} ${test.quarantined && 'While it is quarantined, CI may ignore its failures.'}</p>
  </section>`;
}

function costOf(test: FailingTestItem): string {
  const { failure_rate_last_7d: week, failure_rate_last_24h: day, pull_requests_impacted_last_7d: held } = test;
  const leftOut = test.left_out_failures;
  const rates = `In 7 days ${percentText(week)} of its runs failed, in 24 hours ${percentText(day)}.`;
  const impact = `It failed in ${countText(held, 'pull request')} in 7 days.`;
  if (leftOut === 0) return `${rates} ${impact}`;
  const say = leftOut === 1 ? 'does not count' : 'do not count';
  return `${rates} ${impact} ${countText(leftOut, 'failure')} ${say}: so many tests failed together that the machines are the likely cause.`;
}

function failures({ failure_groups: groups, latest_failures: latest }: TestDetails, now: Date): Html {
  return html`<section class="card" aria-labelledby="fails">
    <h2 id="fails">
      <span>Different failures</span>
      ${groups.length > 0 && html`<span class="soft">${countText(groups.length, 'kind')}, each with its latest failure</span>`}
    </h2>
    ${groups.map(
      ({ summary, message, stack, timestamp, commit, branch, pr_number, job_url, counted: counts }) =>
        html`<div class="fail-group">
          <p>
            <b>${ago(timestamp, now)}</b>
            <span class="soft outside">${whereOf({ commit, branch, pr_number })}${!counts && ', not counted'}</span>
            ${job_url !== '' && outsideLink(job_url, 'job')}
          </p>
          <pre class="evidence outside" tabindex="0">
${message === '' ? summary : message}${stack !== '' && `\n${stack}`}</pre>
        </div>`,
    )}
    ${groups.length === 0 && latest.length === 0 && html`<p class="pad soft">No failure is stored.</p>`}
    ${
      groups.length === 0 &&
      latest.length > 0 &&
      html`<ul class="pad">
        ${summariesOf(latest).map(
          ({ summary, times, last }) =>
            html`<li>
              <b>${times === 1 ? 'Once' : `${times} times`}</b> <span class="soft">last ${ago(last, now)}</span>
              <span class="outside">${summary || 'The report has no message.'}</span>
            </li>`,
        )}
      </ul>`
    }
  </section>`;
}

interface Summary {
  readonly summary: string;
  readonly times: number;
  readonly last: string;
}

/** `failures`: newest first. The most recent message comes first. */
function summariesOf(failures: TestDetails['latest_failures']): readonly Summary[] {
  const bySummary = new Map<string, Summary>();
  for (const { summary, timestamp } of failures) {
    const { times, last } = bySummary.get(summary) ?? { times: 0, last: timestamp };
    bySummary.set(summary, { summary, times: times + 1, last });
  }
  return [...bySummary.values()];
}

function whereOf({ commit, branch, pr_number }: { commit: string; branch: string; pr_number: number | null }): string {
  const where = numberOrBranch({ branch, pr_number });
  return [where !== '' && `in ${where}`, commit !== '' && `on ${shortSha(commit)}`].filter(Boolean).join(' ');
}

interface Change {
  readonly at: string;
  readonly picture: IconName;
  readonly tone: string;
  readonly text: Content;
}

function changes({ status_history: statuses, quarantine_history: quarantines }: TestDetails): Html {
  const items: Change[] = [
    ...statuses.map(({ timestamp, from, to, reason }): Change => {
      const text = html`${sentence(from)} → ${to}: <span class="outside">${reason}</span>`;
      const tone = to === 'healthy' ? 'pass' : to === 'broken' ? 'fail' : 'wait';
      return { at: timestamp, picture: to === 'healthy' ? 'check' : 'half', tone, text };
    }),
    ...quarantines.map(({ timestamp, actor, quarantined, reason }): Change => {
      const what = quarantined ? 'Quarantined' : 'Not quarantined';
      const by = actor === '' ? '' : ` by ${actor}`;
      return {
        at: timestamp,
        picture: 'tag',
        tone: 'wait',
        text: html`${what}${by}: <span class="outside">${reason}</span>`,
      };
    }),
  ];
  items.sort((a, b) => b.at.localeCompare(a.at));
  return html`<section class="card" aria-labelledby="changes">
    <h2 id="changes">Status history</h2>
    ${items.length === 0 && html`<p class="pad soft">The status has never changed.</p>`}
    <ol class="story">
      ${items.map(
        ({ at, picture, tone, text }) =>
          html`<li>
            ${dayOfMonth(at)}<span class="dot ${tone}">${icon(picture)}</span>
            <div>${text}</div>
          </li>`,
      )}
    </ol>
  </section>`;
}

function alarms({ alarms: list }: TestDetails): Html {
  return html`<section class="card" aria-labelledby="alarms">
    <h2 id="alarms">Active monitors</h2>
    <div class="pad">
      ${list.length === 0 && html`<p class="soft">None.</p>`}
      ${facts(list.map(({ monitor, reason, until, status }) => [monitor, html`<b>${status}</b>: <span class="outside">${reason}</span>. <span class="soft">${until !== '' && `Until ${until}.`}</span>`]))}
    </div>
  </section>`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
