import type { RepositoryName } from '../../../platform/repository-name';
import type {
  FindTestsRequest,
  FoundTestItem,
  FoundTests,
} from '../../../modules/test-health/http/search/dto/find-tests.dto';
import { attributes, html, type Html } from '../../html';
import { command, countText, numberText, percentText } from '../../parts/basics';
import { pathTo, quarantinePath, repositoryText } from '../../parts/links';
import { page } from '../../parts/shell';
import { standingMark, stateMark } from '../../parts/states';
import { dayOfMonth } from '../../parts/times';
import { may, type Visit } from '../../visit';
import { fortnight } from './fortnight';

type TestChoice = NonNullable<FindTestsRequest['choice']>;
type TestOrder = NonNullable<FindTestsRequest['sort']>;

export const LISTED_CHOICES: readonly TestChoice[] = ['unhealthy', 'failing', 'quarantined', 'all'];

/** The request of a page of tests. */
export interface AskedTestList {
  readonly repo: RepositoryName;
  readonly choice: TestChoice;
  readonly sort: TestOrder;
  /** The searched words; empty: tests with any name. */
  readonly search: string;
}

export function testListPage(visit: Visit, asked: AskedTestList, found: FoundTests, now: Date): Html {
  const { repo, search } = asked;
  const body = html`<div class="head">
      <div>
        <h1>${titleOf(found)}</h1>
        <p class="lede">${ledeOf(asked, found)}</p>
      </div>
      <nav class="acts" aria-label="Lists of tests">
        ${LISTED_CHOICES.map((choice) => choiceLink(choice, asked, found))}
      </nav>
    </div>
    ${searched(asked, found)}
    <section class="card" aria-label="Tests">
      ${found.tests.length === 0 ? html`<p class="pad soft">None.</p>` : table(visit, asked, found.tests, now)}
      ${pager(asked, found)}
    </section>
    <section class="card sect" aria-labelledby="in">
      <h2 id="in">Upload test results</h2>
      <div class="pad">
        <p class="soft">Any CI job that writes JUnit or other reports:</p>
        ${command(`sluice upload --repo ${repositoryText(repo)} 'reports/**/*.xml'`)}
      </div>
    </section>`;
  const crumbs = [
    { text: repo.owner, href: '/ui' },
    { text: repo.name, href: listPath({ ...asked, search: '' }) },
  ];
  const { repo: of, list, sort } = questionOf(asked);
  const find = {
    ...{ action: '/ui/tests', hidden: { repo: of, list, ...(sort !== undefined && { sort }) } },
    ...{ text: 'Find a test by name, file or owner', ...(search !== '' && { value: search }) },
  };
  return page(visit, { title: `Tests of ${repo.owner}/${repo.name}`, crumbs, find, body });
}

function titleOf({ totals: { broken, flaky, known } }: FoundTests): string {
  const ill = broken + flaky;
  if (ill === 0) return known < 2 ? 'No test needs attention' : `None of ${countText(known, 'test')} needs attention`;
  const tests = known < 2 ? countText(ill, 'test') : `${numberText(ill)} of ${countText(known, 'test')}`;
  return `${tests} ${ill === 1 ? 'needs' : 'need'} attention`;
}

/** The meaning of the chosen list, with the cost of its tests. */
function ledeOf({ choice }: AskedTestList, { totals, pull_requests_impacted_last_7d: impacted }: FoundTests): Html {
  const { broken, flaky, quarantined } = totals;
  const cost = html`${impacted > 0 && html`In 7 days these tests failed on <b>${countText(impacted, 'pull request')}</b>.`}`;
  switch (choice) {
    case 'unhealthy':
      return html`${broken > 0 && html`${broken} broken: they fail whatever is tested. `}${
        flaky > 0 && html`${flaky} flaky: they fail and pass on the same code. `
      }${quarantined > 0 && html`<b>${quarantined} quarantined</b>: they run, and CI may ignore their failures. `}${cost}`;
    case 'failing':
      return html`All tests that failed at least once in the last 7 days, on any branch. ${cost}`;
    case 'quarantined':
      return html`Quarantined tests run, and CI may ignore their failures. ${cost}`;
    case 'all':
      return html`All tests that ran recently. ${cost}`;
  }
}

function questionOf({ repo, choice, sort, search }: AskedTestList): Readonly<Record<'repo' | 'list', string>> & {
  readonly sort?: string;
  readonly q?: string;
} {
  return {
    ...{ repo: repositoryText(repo), list: choice },
    ...(sort !== 'pull_requests_impacted' && { sort }),
    ...(search !== '' && { q: search }),
  };
}

function listPath(asked: AskedTestList, token = ''): string {
  return pathTo('/ui/tests', { ...questionOf(asked), ...(token !== '' && { page: token }) });
}

function choiceLink(choice: TestChoice, asked: AskedTestList, { totals }: FoundTests): Html {
  const isCurrent = choice === asked.choice;
  const title = choice.charAt(0).toUpperCase() + choice.slice(1);
  const { known, broken, flaky, failing, quarantined } = totals;
  const counts: Readonly<Record<TestChoice, number>> = { unhealthy: broken + flaky, failing, quarantined, all: known };
  return html`<a
    class="button ${isCurrent ? 'main' : ''}"
    href="${listPath({ ...asked, choice })}"
    ${attributes({ 'aria-current': isCurrent && 'page' })}
    >${title} ${counts[choice].toLocaleString('en')}</a
  >`;
}

function searched(asked: AskedTestList, { page: { total_rows: count } }: FoundTests): Html | null {
  if (asked.search === '') return null;
  const answer = count === 0 ? 'No test of this list matches' : `${countText(count, 'test')} of this list match`;
  return html`<div class="note">
    ${answer}${count === 1 ? 'es' : ''} “${asked.search}”.
    ${asked.choice !== 'all' && html`<a href="${listPath({ ...asked, choice: 'all' })}">Search all tests</a> `}
    <a href="${listPath({ ...asked, search: '' })}">Show the whole list</a>
  </div>`;
}

function table(visit: Visit, asked: AskedTestList, tests: readonly FoundTestItem[], now: Date): Html {
  return html`<div class="scroll-x">
    <table class="list cards-on-phone">
      <thead>
        <tr>
          ${sorting(asked, 'name', 'Test', '')}
          <th scope="col">Status</th>
          <th class="num" scope="col">Fails, 7 days</th>
          <th scope="col">14 days</th>
          ${sorting(asked, 'pull_requests_impacted', 'Pull requests', 'num')}
          <th scope="col">Quarantine</th>
          <th class="o-mid" scope="col">Owner</th>
          ${sorting(asked, 'since', 'Since', 'num o-mid')}
        </tr>
      </thead>
      <tbody>
        ${tests.map((test) => tableRow(visit, test, now))}
      </tbody>
    </table>
  </div>`;
}

/** The columns by which a list can be sorted. */
export const SORTED_BY: Readonly<Record<TestOrder, 'ascending' | 'descending'>> = {
  name: 'ascending',
  pull_requests_impacted: 'descending',
  since: 'descending',
};

const ARROWS = {
  ascending: html`<span aria-hidden="true"> ↑</span>`,
  descending: html`<span aria-hidden="true"> ↓</span>`,
};

function sorting(asked: AskedTestList, sort: TestOrder, title: string, classes: string): Html {
  const isCurrent = asked.sort === sort;
  return html`<th class="${classes}" scope="col" ${attributes({ 'aria-sort': isCurrent && SORTED_BY[sort] })}>
    <a href="${listPath({ ...asked, sort })}" title="Sort by this column">${title}</a
    >${isCurrent && ARROWS[SORTED_BY[sort]]}
  </th>`;
}

function tableRow(visit: Visit, test: FoundTestItem, now: Date): Html {
  const { id, status, file_path: file, codeowners, days } = test;
  const title = test.parent === '' ? test.name : `${test.parent} › ${test.name}`;
  return html`<tr data-row tabindex="-1" data-find="${title} ${file}" data-answer="${title}: ${status.reason}">
    <td class="outside">
      <a class="prn" href="/ui/tests/${id}">${title}</a>
      ${file !== '' && html`<br /><span class="sha soft">${file}</span>`}
      ${status.reason !== '' && html`<br /><span class="soft">${status.reason}</span>`}
    </td>
    <td class="inline">${standingMark(status.value, test.failure_rate_last_7d)}</td>
    <td class="num inline" data-l="fails">${percentText(test.failure_rate_last_7d)}</td>
    <td>${fortnight(days, now)}</td>
    <td class="num inline" data-l="held up">${test.pull_requests_impacted_last_7d}</td>
    <td class="inline">${quarantineOf(visit, test)}</td>
    <td class="o-mid soft outside">${codeowners.join(', ')}</td>
    <td class="num o-mid soft">${dayOfMonth(status.timestamp)}</td>
  </tr>`;
}

function quarantineOf(
  visit: Visit,
  { id, name, status, quarantined, quarantine_setting: setting }: FoundTestItem,
): Html {
  if (quarantined) return html`${stateMark('quarantined')}`;
  if (setting === 'never_quarantine') return html`<span class="soft">never, set manually</span>`;
  const isAsked = status.value !== 'healthy' && may(visit, 'administer');
  if (!isAsked) return html`<span class="soft">no</span>`;
  return html`<a class="button" href="${quarantinePath(id)}" aria-label="Quarantine ${name}…">Quarantine…</a>`;
}

function pager(asked: AskedTestList, { page: place }: FoundTests): Html | null {
  const { total_pages, page_index, prev_page_token: before, next_page_token: after } = place;
  if (total_pages <= 1) return null;
  return html`<nav class="more" aria-label="Pages">
    <span class="soft">Page ${page_index + 1} of ${total_pages}</span>
    <span>
      ${page_index > 0 && html`<a class="button" rel="prev" href="${listPath(asked, before)}">Previous</a>`}
      ${after !== '' && html`<a class="button" rel="next" href="${listPath(asked, after)}">Next</a>`}
    </span>
  </nav>`;
}
