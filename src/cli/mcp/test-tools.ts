import { z } from 'zod';
import { SystemClock } from '../../platform/clock/clock';
import { CliError } from '../cli-error';
import { MOST_LOG } from './others-text';
import { readingTool, REPOSITORY_FIELD, repositoryOf, takeOf, type Tool } from './tool';

const WEEK_MS = 7 * 24 * 3_600_000;
const MOST_TESTS = 100;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

const WHICH = ['failing', 'flaky', 'broken', 'quarantined'] as const;

const listTests = readingTool({
  name: 'list_tests',
  title: 'List failing, flaky, broken or quarantined tests',
  description:
    'Tests of a repository. failing: failed in the last 7 days. flaky and broken: by their status. quarantined: their failures are to be ignored.',
  input: {
    repository: REPOSITORY_FIELD,
    which: z.enum(WHICH).default('failing').describe('Which tests.'),
    take: takeOf(MOST_TESTS, 25, 'tests'),
    page_token: z
      .string()
      .max(10_000)
      .optional()
      .describe('next_page_token of the page before; absent: the first page.'),
  },
  async work({ repository, which, take, page_token }, service) {
    const request = {
      repo: repositoryOf(repository),
      org_url_slug: await service.organization(),
      page_query: { page_size: take, ...(page_token && { page_token }) },
    };
    const data = await service.api.post<{ readonly page: { readonly total_rows: number } }>(...listOf(which, request));
    return { data, sentence: `${data.page.total_rows} ${which} test${data.page.total_rows === 1 ? '' : 's'}.` };
  },
});

const showTest = readingTool({
  name: 'show_test',
  title: 'Show a test and its failures',
  description:
    'Why a test has its status, since which commit it fails, and its last different failures, each with message and stack.',
  input: {
    repository: REPOSITORY_FIELD,
    test_id: z.uuid().describe('Id of the test, from list_tests or an explanation.'),
  },
  async work({ repository, test_id }, service) {
    const request = { repo: repositoryOf(repository), org_url_slug: await service.organization(), test_id };
    const data = await service.api.post<{ readonly failure_groups: readonly object[] }>(
      'flaky-tests/get-test-details',
      request,
    );
    const { length } = data.failure_groups;
    return { data, sentence: `The test failed in ${length === 1 ? 'one way' : `${length} different ways`} recently.` };
  },
});

const readLog = readingTool({
  name: 'read_check_log',
  title: 'Read the log of a check',
  description: `The end of the log of a command that the service's own check runner ran: at most ${MOST_LOG} characters. For a check of another CI, open the URL of the status yourself; this tool opens no URL.`,
  input: {
    check_run: z
      .string()
      .max(2_000)
      .describe('Id of the check run, or the URL of its failed status, which contains the id.'),
  },
  async work({ check_run }, { api }) {
    const id = idIn(check_run);
    const record = await api.get<{ readonly state: string }>(`checkRuns/${id}`);
    const log = await api.text(`/v1/checkRuns/${id}/log`);
    const sentence = `The check run is ${record.state}; its log has ${log.length} characters.`;
    return { data: { ...record, logCharacters: log.length, log: log.slice(-MOST_LOG) }, sentence };
  },
});

export const TEST_TOOLS: readonly Tool[] = [listTests, showTest, readLog];

function listOf(which: (typeof WHICH)[number], request: object): [operation: string, body: object] {
  if (which === 'quarantined') return ['flaky-tests/list-quarantined-tests', request];
  if (which !== 'failing') return ['flaky-tests/list-unhealthy-tests', { ...request, status: which.toUpperCase() }];
  const now = new SystemClock().now();
  const start_time = new Date(now.getTime() - WEEK_MS).toISOString();
  return ['flaky-tests/list-failing-tests', { ...request, start_time, end_time: now.toISOString() }];
}

function idIn(text: string): string {
  const id = UUID.exec(text)?.[0];
  if (id !== undefined) return id;
  throw new CliError('check_run does not contain the id of a check run.', {
    code: 'VALIDATION_FAILED',
    next: 'Pass the URL of a failed status from explain_pull_request. A URL without an id belongs to another CI, which has the log.',
  });
}
