import type { RepositoryName } from '../../../platform/repository-name';
import type { Page } from '../../../shared/dto/page.dto';
import type {
  FailingTestItem,
  QuarantinedTestItem,
  TestCaseItem,
} from '../../../test-health/http/lists/dto/test-lists.dto';
import { attributes, type Content, html, type Html } from '../../html';
import { command, countText, percentText } from '../../parts/basics';
import { pathTo, repositoryText } from '../../parts/links';
import { page } from '../../parts/shell';
import { stateMark } from '../../parts/states';
import { dayOfMonth } from '../../parts/times';
import type { Visit } from '../../visit';

export const TEST_LISTS = ['broken', 'flaky', 'failing', 'quarantined'] as const;
export type TestListName = (typeof TEST_LISTS)[number];

/** A test as the table shows it, whichever list it came from. */
interface Row {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly state: Content;
  readonly why: string;
  readonly figure: string;
  readonly owner: string;
  readonly since: string;
}

export interface ShownTests {
  readonly list: TestListName;
  readonly rows: readonly Row[];
  readonly page: Page;
  /** How many each list has. */
  readonly counts: Readonly<Record<TestListName, number>>;
}

export function testListPage(visit: Visit, repo: RepositoryName, shown: ShownTests): Html {
  const { counts, list } = shown;
  const body = html`<div class="head">
      <div>
        <h1>${titleOf(counts)}</h1>
        <p class="lede">${LEDES[list]}</p>
      </div>
      <nav class="acts" aria-label="Lists of tests">${TEST_LISTS.map((name) => listLink(repo, name, shown))}</nav>
    </div>
    <section class="card" aria-label="Tests">
      ${shown.rows.length === 0 ? html`<p class="pad soft">None.</p>` : table(list, shown.rows)} ${pager(repo, shown)}
    </section>
    <section class="card sect" aria-labelledby="in">
      <h2 id="in">How to get results in</h2>
      <div class="pad">
        <p class="soft">Any CI job that writes JUnit or other reports:</p>
        ${command(`npx sluice upload --repo ${repositoryText(repo)} 'reports/**/*.xml'`)}
      </div>
    </section>`;
  const crumbs = [
    { text: repo.owner, href: '/ui' },
    { text: repo.name, href: testListPath(repo, 'broken') },
  ];
  return page(visit, { title: `Tests of ${repo.owner}/${repo.name}`, crumbs, body });
}

const LEDES: Readonly<Record<TestListName, string>> = {
  broken: 'They fail whatever is tested. Each holds up everybody until it is mended.',
  flaky: 'They fail and pass on the same code.',
  failing: 'Everything that failed at least once in the last 7 days, on any branch.',
  quarantined: 'They run, and CI may ignore their failures.',
};

function titleOf({ broken, flaky, quarantined }: ShownTests['counts']): string {
  if (broken + flaky === 0) return 'No test needs care';
  const verb = broken + flaky === 1 ? 'needs' : 'need';
  return `${countText(broken + flaky, 'test')} ${verb} care: ${broken} broken, ${flaky} flaky; ${quarantined} quarantined`;
}

function testListPath(repo: RepositoryName, list: TestListName, token = ''): string {
  return pathTo('/ui/tests', { repo: repositoryText(repo), list, ...(token !== '' && { page: token }) });
}

function listLink(repo: RepositoryName, name: TestListName, { list, counts }: ShownTests): Html {
  const isCurrent = name === list;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return html`<a
    class="button ${isCurrent ? 'main' : ''}"
    href="${testListPath(repo, name)}"
    ${attributes({ 'aria-current': isCurrent && 'page' })}
    >${title} ${counts[name]}</a
  >`;
}

function table(list: TestListName, rows: readonly Row[]): Html {
  return html`<div class="scroll-x">
    <table class="list cards-on-phone">
      <thead>
        <tr>
          <th scope="col">Test</th>
          <th scope="col">Status</th>
          <th class="num" scope="col">${FIGURES[list]}</th>
          <th class="o-mid" scope="col">Owner</th>
          <th class="num o-mid" scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => tableRow(list, row))}
      </tbody>
    </table>
  </div>`;
}

const FIGURES: Readonly<Record<TestListName, string>> = {
  broken: 'Held up, 7 days',
  flaky: 'Held up, 7 days',
  failing: 'Fails, 7 days',
  quarantined: 'Setting',
};

function tableRow(list: TestListName, { id, title, file, state, why, figure, owner, since }: Row): Html {
  return html`<tr data-row tabindex="-1" data-find="${title} ${file}" data-answer="${title}: ${why}">
    <td class="outside">
      <a class="prn" href="/ui/tests/${id}">${title}</a>
      ${file !== '' && html`<br /><span class="sha soft">${file}</span>`}
      ${why !== '' && html`<br /><span class="soft">${why}</span>`}
    </td>
    <td class="inline">${state}</td>
    <td class="num inline" data-l="${FIGURES[list].toLowerCase()}">${figure}</td>
    <td class="o-mid soft outside">${owner}</td>
    <td class="num o-mid soft">${dayOfMonth(since)}</td>
  </tr>`;
}

function pager(repo: RepositoryName, { list, page: place }: ShownTests): Html | null {
  const { total_pages, page_index, prev_page_token: before, next_page_token: after } = place;
  if (total_pages <= 1) return null;
  return html`<nav class="more" aria-label="Pages">
    <span class="soft">Page ${page_index + 1} of ${total_pages}</span>
    <span>
      ${page_index > 0 && html`<a class="button" rel="prev" href="${testListPath(repo, list, before)}">Previous</a>`}
      ${after !== '' && html`<a class="button" rel="next" href="${testListPath(repo, list, after)}">Next</a>`}
    </span>
  </nav>`;
}

export function rowOfTest(test: TestCaseItem | FailingTestItem): Row {
  const { id, name, parent, file_path: file, codeowners, quarantined, status } = test;
  const mark = status.value === 'flaky' || status.value === 'broken' ? status.value : 'healthy';
  const figure =
    'failure_rate_last_7d' in test
      ? percentText(test.failure_rate_last_7d)
      : String(test.pull_requests_impacted_last_7d);
  return {
    ...{ id, title: parent === '' ? name : `${parent} › ${name}`, file, figure },
    state: html`${stateMark(mark)} ${quarantined && stateMark('quarantined')}`,
    ...{ why: status.reason, owner: codeowners.join(', '), since: status.timestamp },
  };
}

export function rowOfQuarantined(test: QuarantinedTestItem): Row {
  const { test_case_id: id, name, parent, file, codeowners, quarantined_at: since } = test;
  return {
    ...{ id, title: parent === '' ? name : `${parent} › ${name}`, file, since },
    state: stateMark('quarantined'),
    ...{ why: '', figure: test.quarantine_setting.replaceAll('_', ' '), owner: codeowners.join(', ') },
  };
}
