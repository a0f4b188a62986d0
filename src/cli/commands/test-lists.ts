import type { ApiClient } from '../api-client';
import { describeRepository } from '../arguments';
import { type Reply, table } from '../reply';
import { shownStatus } from './test-standing';
import type { AskedTests } from './asked-tests';

export const LISTS = ['flaky', 'broken', 'quarantined', 'failing'] as const;
export type ListName = (typeof LISTS)[number];

/** A row of any list; the lists have different field names. */
interface ListedTest {
  readonly id?: string;
  readonly test_case_id?: string;
  readonly name: string;
  readonly status: string | { readonly value: string; readonly reason: string };
  readonly quarantined?: boolean;
  readonly failure_rate_last_7d?: number;
}

interface Answer {
  readonly tests?: readonly ListedTest[];
  readonly quarantined_tests?: readonly ListedTest[];
  readonly page: { readonly next_page_token: string };
}

const PAGE_SIZE = 100;
const WEEK_MS = 7 * 24 * 3_600_000;

export async function listTests(api: ApiClient, asked: AskedTests, which: ListName, now: Date): Promise<Reply> {
  const found = await allPages(api, asked, which, now);
  const rows = found.map((test) => [
    test.test_case_id ?? test.id ?? '',
    typeof test.status === 'string'
      ? test.status
      : shownStatus({ status: test.status, failure_rate_last_7d: test.failure_rate_last_7d ?? 0 }),
    (test.quarantined ?? true) ? 'quarantined' : '-',
    typeof test.status === 'string' ? test.name : `${test.name} (${test.status.reason})`,
  ]);
  const repository = describeRepository(asked.repo);
  const none = which === 'failing' ? 'failed in the last 7 days' : `is ${which}`;
  if (rows.length === 0) return { data: found, lines: [`No test of ${repository} ${none}.`] };
  return {
    data: found,
    lines: table([['TEST', 'STATUS', 'QUARANTINE', 'NAME'], ...rows]),
    next: `sluice tests quarantine ${repository} <test> always --org ${asked.org_url_slug} --reason <text>`,
  };
}

async function allPages(api: ApiClient, asked: AskedTests, which: ListName, now: Date): Promise<ListedTest[]> {
  const { operation, more } = questionOf(which, now);
  const found: ListedTest[] = [];
  let page_token = '';
  do {
    const page_query = { page_size: PAGE_SIZE, page_token };
    const answer = await api.post<Answer>(`flaky-tests/${operation}`, { ...asked, ...more, page_query });
    found.push(...(answer.tests ?? answer.quarantined_tests ?? []));
    page_token = answer.page.next_page_token;
  } while (page_token !== '');
  return found;
}

function questionOf(which: ListName, now: Date): { operation: string; more: object } {
  switch (which) {
    case 'flaky':
    case 'broken':
      return { operation: 'list-unhealthy-tests', more: { status: which } };
    case 'quarantined':
      return { operation: 'list-quarantined-tests', more: {} };
    case 'failing': {
      const start_time = new Date(now.getTime() - WEEK_MS).toISOString();
      return { operation: 'list-failing-tests', more: { start_time, end_time: now.toISOString() } };
    }
  }
}
