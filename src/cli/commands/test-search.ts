import type { Command } from 'commander';
import { Option } from 'commander';
import { askingService } from '../answering';
import type { ApiClient } from '../api-client';
import { describeRepository } from '../arguments';
import { type Reply, table } from '../reply';
import type { Terminal } from '../terminal';
import { shownStatus } from './test-standing';
import { asked, type AskedTests, type TestsOptions } from './asked-tests';

interface FindOptions extends TestsOptions {
  readonly choice: string;
  readonly sort: string;
}

interface Found {
  readonly tests: readonly {
    readonly id: string;
    readonly name: string;
    readonly parent: string;
    readonly status: { readonly value: string };
    readonly quarantined: boolean;
    readonly failure_rate_last_7d: number;
    readonly pull_requests_impacted_last_7d: number;
  }[];
  readonly page: { readonly total_rows: number };
}

const MOST_SHOWN = 100;

/** Finds tests by words, most disturbing first. */
export function addTestSearch(command: Command, terminal: Terminal): void {
  command
    .argument('[words...]', 'parts of a name, suite, file or owner; a test must have each of them')
    .addOption(
      new Option('--choice <tests>', 'tests to search; failing: tests with a failure in the last 7 days')
        .choices(['unhealthy', 'failing', 'quarantined', 'all'])
        .default('all'),
    )
    .addOption(
      new Option('--sort <order>', 'order of the tests')
        .choices(['pull_requests_impacted', 'since', 'name'])
        .default('pull_requests_impacted'),
    );
  askingService<FindOptions>(command, terminal, ({ args, options }, api) =>
    findTests(api, asked(args, options), (args[1] as string[] | undefined) ?? [], options),
  );
}

async function findTests(
  api: ApiClient,
  of: AskedTests,
  words: readonly string[],
  { choice, sort, org }: FindOptions,
): Promise<Reply> {
  const search = words.join(' ');
  const question = { choice, sort, ...(search !== '' && { search }) };
  const found = await api.post<Found>('flaky-tests/find-tests', {
    ...of,
    ...question,
    page_query: { page_size: MOST_SHOWN },
  });
  const repository = describeRepository(of.repo);
  const { tests, page } = found;
  if (tests.length === 0) return { data: found, lines: [`No test of ${repository} matches.`] };
  const rows = tests.map((test) => [
    test.id,
    test.quarantined ? `${shownStatus(test)}, quarantined` : shownStatus(test),
    `${Math.round(test.failure_rate_last_7d * 100)} %`,
    String(test.pull_requests_impacted_last_7d),
    test.parent === '' ? test.name : `${test.parent} › ${test.name}`,
  ]);
  const more =
    page.total_rows > tests.length ? [`${page.total_rows - tests.length} more tests match: give more words.`] : [];
  return {
    data: found,
    lines: [...table([['TEST', 'STATUS', 'FAILS', 'PULL REQUESTS', 'NAME'], ...rows]), ...more],
    next: `sluice tests show ${repository} <test> --org ${org}`,
  };
}
