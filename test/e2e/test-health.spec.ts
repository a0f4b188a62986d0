import { randomUUID } from 'node:crypto';
import type { FailingTestItem, QuarantinedTestItem } from '../../src/modules/test-health/http/lists/dto/test-lists.dto';
import { Rows } from './rows';
import { type Answer, type Client, codeOf, wrongFields } from './client';
import { NOW, Service } from './service';

const HOUR_MS = 3_600_000;
const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const COMMON = { repo: REPO, org_url_slug: 'acme', page_query: { page_size: 2 } };
const WEEK = { start_time: '2026-11-14T00:00:00Z', end_time: '2026-11-21T00:00:00Z' };
const FAILING = 'flaky-tests/list-failing-tests';
const UNHEALTHY = 'flaky-tests/list-unhealthy-tests';
const QUARANTINED = 'flaky-tests/list-quarantined-tests';
const FIND = 'flaky-tests/find-tests';

interface Failure {
  readonly summary?: string;
  readonly prNumber?: number;
}

type ListedTest = Partial<Omit<FailingTestItem, 'status'>> & Partial<Omit<QuarantinedTestItem, 'status'>>;

describe('The lists of failing, unhealthy and quarantined tests', () => {
  let service: Service;
  let reader: Client;
  let repositoryId: string;
  const ids: string[] = [];

  beforeAll(async () => {
    service = await Service.start({ publicUrl: 'https://queue.example' });
    const rows = new Rows(service.prisma, NOW);
    repositoryId = await rows.repository(await service.organization('acme'), 'widgets');
    await rows.repository(await service.organization('other'), 'secret');
    reader = await service.client('acme', 'read');
  });

  afterAll(() => service.stop());

  async function testCase(name: string, status: string, more = {}): Promise<string> {
    const row = {
      id: randomUUID(),
      repositoryId,
      name,
      variant: '',
      filePath: '',
      parent: '',
      classname: '',
      codeowners: [],
      status,
      statusReason: 'no results yet',
      statusChangedAt: NOW,
      quarantineSetting: 'unspecified',
      quarantined: false,
      ...more,
    };
    await service.prisma.testCase.create({ data: row });
    return row.id;
  }

  async function result(testCaseId: string, hoursAgo: number, outcome: string, more: Failure = {}): Promise<void> {
    const at = new Date(NOW.getTime() - hoursAgo * HOUR_MS);
    const { summary = '', prNumber = null } = more;
    const code = ['passed', 'failed', 'skipped'].indexOf(outcome);
    const day = at.toISOString().slice(0, 10);
    const summaryId = summary.length;
    await service.prisma.$queryRaw`SELECT test_results.ensure_day(${day}::date)::text`;
    await service.prisma.$executeRaw`
      INSERT INTO test_results.result
        (test_case_id, occurred_at, upload_id, summary_id, pr_number, outcome, branch_class, counted)
      VALUES (${testCaseId}::uuid, ${at}, 1, ${summaryId}, ${prNumber}, ${code}, 1, true)`;
    if (outcome !== 'failed') return;
    await service.prisma.$executeRaw`
      INSERT INTO test_results.failure_group
        (repository_id, day, test_case_id, summary_id, summary, failures, first_at, last_at)
      VALUES (${repositoryId}::uuid, ${day}::date, ${testCaseId}::uuid, ${summaryId}, ${summary}, 1, ${at}, ${at})
      ON CONFLICT (repository_id, day, test_case_id, summary_id) DO UPDATE SET failures = failure_group.failures + 1,
        first_at = least(failure_group.first_at, excluded.first_at),
        last_at = greatest(failure_group.last_at, excluded.last_at)`;
  }

  describe('of a repository without results', () => {
    const page = {
      total_rows: 0,
      total_pages: 0,
      next_page_token: '',
      prev_page_token: '',
      last_page_token: '',
      page_index: 0,
    };

    it.each([
      [FAILING, WEEK, 'tests'],
      [UNHEALTHY, { status: 'flaky' }, 'tests'],
      [QUARANTINED, {}, 'quarantined_tests'],
    ])('are empty: %s', async (list, more, rows) => {
      const answer = await reader.post(list, { ...COMMON, ...more });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { [rows]: [], page } });
    });
  });

  describe('of a repository with results', () => {
    beforeAll(async () => {
      const full = await testCase('adds widgets', 'flaky', {
        variant: 'linux',
        filePath: 'test/widgets.spec.ts',
        parent: 'widgets',
        classname: 'Widgets',
        codeowners: ['@acme/widgets'],
        statusReason: 'failed and passed on one commit',
        quarantined: true,
        quarantinedAt: new Date('2026-11-19T08:00:00Z'),
        quarantineSetting: 'always_quarantine',
        ticketUrl: 'https://tickets.example/1',
        lastFailedAt: new Date(NOW.getTime() - HOUR_MS),
      });
      await result(full, 1, 'failed', { summary: 'expected 2', prNumber: 7 });
      await result(full, 2, 'failed', { summary: 'expected 2', prNumber: 7 });
      await result(full, 3, 'failed', { summary: 'timed out', prNumber: 8 });
      await result(full, 4, 'passed');
      await result(full, 5, 'skipped');
      await result(full, 30, 'passed', { prNumber: 9 });
      await result(full, 24 * 8, 'failed', { summary: 'too long ago', prNumber: 10 });
      ids.push(full);
      for (const name of ['b', 'c', 'd', 'e']) {
        const lastFailedAt = new Date(NOW.getTime() - 10 * HOUR_MS);
        const id = await testCase(name, name === 'e' ? 'broken' : 'flaky', { quarantined: true, lastFailedAt });
        await result(id, 10, 'failed', name === 'c' ? { prNumber: 8 } : {});
        ids.push(id);
      }
      const passing = await testCase('always passes', 'healthy');
      await result(passing, 1, 'passed');
    });

    const item = () => ({
      id: ids[0],
      repository: { html_url: 'https://local/acme/widgets' },
      html_url: `https://queue.example/ui/tests/${ids[0]}`,
      name: 'adds widgets',
      variant: 'linux',
      status: { value: 'flaky', reason: 'failed and passed on one commit', timestamp: NOW.toISOString() },
      codeowners: ['@acme/widgets'],
      pull_requests_impacted_last_7d: 2,
      quarantined: true,
      file_path: 'test/widgets.spec.ts',
      parent: 'widgets',
      classname: 'Widgets',
      ticket: { html_url: 'https://tickets.example/1' },
    });

    async function all(list: string, more: object, rows: 'tests' | 'quarantined_tests'): Promise<ListedTest[]> {
      const found: ListedTest[] = [];
      let page_token = '';
      do {
        const { body } = await reader.post(list, { ...COMMON, ...more, page_query: { page_size: 2, page_token } });
        found.push(...(body[rows] as readonly ListedTest[]));
        page_token = body.page.next_page_token;
      } while (page_token !== '');
      return found;
    }

    it('have all facts about a failing test', async () => {
      const tests = await all(FAILING, WEEK, 'tests');
      expect(tests.find((test) => test.id === ids[0])).toEqual({
        ...item(),
        most_common_failures: [
          { summary: 'expected 2', occurrence_count: 2, last_occurrence: '2026-11-20T11:00:00.000Z' },
          { summary: 'timed out', occurrence_count: 1, last_occurrence: '2026-11-20T09:00:00.000Z' },
        ],
        failure_rate_last_7d: 3 / 5,
        failure_rate_last_24h: 3 / 4,
        left_out_failures: 0,
      });
    });

    it('have all facts about an unhealthy test', async () => {
      const tests = await all(UNHEALTHY, { status: 'FLAKY' }, 'tests');
      expect(tests.find((test) => test.id === ids[0])).toEqual(item());
    });

    it('have all facts about a quarantined test', async () => {
      const tests = await all(QUARANTINED, {}, 'quarantined_tests');
      expect(tests.find((test) => test.test_case_id === ids[0])).toEqual({
        name: 'adds widgets',
        parent: 'widgets',
        file: 'test/widgets.spec.ts',
        classname: 'Widgets',
        codeowners: ['@acme/widgets'],
        quarantined_at: '2026-11-19T08:00:00.000Z',
        status_last_updated_at: NOW.toISOString(),
        test_case_id: ids[0],
        variant: 'linux',
        status: 'flaky',
        quarantine_setting: 'always_quarantine',
      });
    });

    it('have empty strings for unknown values, and an empty URL for no ticket', async () => {
      const tests = await all(UNHEALTHY, { status: 'broken' }, 'tests');
      expect(tests).toHaveLength(1);
      expect(tests[0]).toMatchObject({
        variant: '',
        file_path: '',
        parent: '',
        classname: '',
        ticket: { html_url: '' },
      });
    });

    it('show every row once across pages, in the same order each time', async () => {
      const tests = await all(FAILING, WEEK, 'tests');
      expect(tests.map((test) => test.id)).toEqual([...ids].sort());
      expect(await all(FAILING, WEEK, 'tests')).toEqual(tests);
      const { body } = await reader.post(FAILING, { ...COMMON, ...WEEK });
      expect(body.page).toMatchObject({ total_rows: 5, total_pages: 3, page_index: 0, prev_page_token: '' });
      const last = await reader.post(FAILING, {
        ...COMMON,
        ...WEEK,
        page_query: { page_size: 2, page_token: body.page.last_page_token },
      });
      expect(last.body.tests).toHaveLength(1);
      expect(last.body.page).toMatchObject({ page_index: 2, next_page_token: '' });
    });

    it('include the start of a range and exclude its end', async () => {
      const at = (start_time: string, end_time: string) =>
        reader.post(FAILING, { ...COMMON, page_query: { page_size: 100 }, start_time, end_time });
      const names = async (answer: Promise<Answer>) => (await answer).body.tests.map((test) => test.name);
      expect(await names(at('2026-11-20T11:00:00Z', '2026-11-20T11:00:00.001Z'))).toEqual(['adds widgets']);
      expect(await names(at('2026-11-20T10:30:00Z', '2026-11-20T11:00:00Z'))).toEqual([]);
      expect(await names(at('2026-11-20T11:00:00Z', '2026-11-20T11:00:00Z'))).toEqual([]);
    });

    describe('are searchable', () => {
      const find = async (more: object, page_size = 100) =>
        (await reader.post(FIND, { ...COMMON, page_query: { page_size }, ...more })).body;
      const namesOf = async (more: object) => (await find(more)).tests.map(({ name }) => name);

      it('with all listed facts of each test, and with totals', async () => {
        const { tests, ...rest } = await find({});
        expect(tests.find((test) => test.id === ids[0])).toEqual({
          ...item(),
          failure_rate_last_7d: 3 / 5,
          quarantine_setting: 'always_quarantine',
          days: [
            { day: '2026-11-12', passed: 0, failed: 1, skipped: 0 },
            { day: '2026-11-19', passed: 1, failed: 0, skipped: 0 },
            { day: '2026-11-20', passed: 1, failed: 3, skipped: 1 },
          ],
        });
        expect(rest).toMatchObject({
          pull_requests_impacted_last_7d: 2,
          totals: { known: 6, broken: 1, flaky: 4, failing: 5, quarantined: 5 },
          page: { total_rows: 5, total_pages: 1, page_index: 0 },
        });
      });

      it('with the tests that failed on most pull requests first, unless the request names another order', async () => {
        expect((await namesOf({})).slice(0, 2)).toEqual(['adds widgets', 'c']);
        expect(await namesOf({ sort: 'NAME' })).toEqual(['b', 'c', 'd', 'e', 'adds widgets']);
        const { id } = await service.prisma.testCase.update({
          where: { id: ids[3]! },
          data: { statusChangedAt: new Date(NOW.getTime() + 1) },
        });
        expect((await find({ sort: 'since' })).tests[0]?.id).toBe(id);
      });

      it.each([
        ['failing', 5],
        ['quarantined', 5],
        ['ALL', 6],
      ])('by the filter %s', async (choice, count) => {
        expect((await find({ choice })).tests).toHaveLength(count);
      });

      it.each([
        ['WIDGETS adds', 'name and suite'],
        ['test/widgets.spec', 'file'],
        ['@acme', 'owner'],
        ['Widgets', 'class'],
      ])('by the words %j: %s', async (search) => {
        expect(await namesOf({ search, choice: 'all' })).toEqual(['adds widgets']);
      });

      it('by several words that must all occur, and which are no patterns', async () => {
        for (const search of ['adds nothing', '%', '_']) expect(await namesOf({ search })).toEqual([]);
      });

      it('page by page, each test once', async () => {
        const found: string[] = [];
        let page_token = '';
        do {
          const { tests, page } = await find({ page_query: { page_size: 2, page_token } });
          found.push(...tests.map(({ id }) => id ?? ''));
          page_token = page.next_page_token;
        } while (page_token !== '');
        expect(found).toHaveLength(5);
        expect([...found].sort()).toEqual([...ids].sort());
      });

      it('but refuse a page token of another search', async () => {
        const { page } = await find({}, 2);
        const page_query = { page_size: 2, page_token: page.next_page_token };
        for (const more of [{ sort: 'name' }, { choice: 'all' }, { search: 'a' }])
          expect(Object.keys(wrongFields(await reader.post(FIND, { ...COMMON, ...more, page_query })))).toEqual([
            'page_query.page_token',
          ]);
      });

      it('but refuse an invalid search, and name its wrong field', async () => {
        const answer = await reader.post(FIND, { ...COMMON, choice: 'ill', sort: 7, search: '' });
        expect(Object.keys(wrongFields(answer)).sort()).toEqual(['choice', 'search', 'sort']);
      });
    });

    it('refuse a page token of another search', async () => {
      const { body } = await reader.post(FAILING, { ...COMMON, ...WEEK });
      const page_query = { page_size: 2, page_token: body.page.next_page_token };
      const others = [
        [FAILING, { ...WEEK, end_time: '2026-11-20T00:00:00Z' }],
        [UNHEALTHY, { status: 'FLAKY' }],
        [QUARANTINED, {}],
      ] as const;
      for (const [list, more] of others) {
        const answer = await reader.post(list, { ...COMMON, ...more, page_query });
        expect(Object.keys(wrongFields(answer))).toEqual(['page_query.page_token']);
      }
    });
  });

  describe('check requests', () => {
    it('and name all wrong fields in one error', async () => {
      const answer = await reader.post(FAILING, {
        repo: 7,
        org_url_slug: '',
        page_query: { page_size: 0, page_token: 7 },
        start_time: 'yesterday',
      });
      expect(Object.keys(wrongFields(answer)).sort()).toEqual(
        ['end_time', 'org_url_slug', 'page_query.page_size', 'page_query.page_token', 'repo', 'start_time'].sort(),
      );
    });

    it.each([0, 101, 1.5, '2', null, undefined])('a page size of %j is invalid', async (page_size) => {
      const answer = await reader.post(QUARANTINED, { ...COMMON, page_query: { page_size } });
      expect(Object.keys(wrongFields(answer))).toEqual(['page_query.page_size']);
    });

    it.each([[], 'first', null, undefined])('a page query of %j is invalid', async (page_query) => {
      const answer = await reader.post(QUARANTINED, { ...COMMON, page_query });
      expect(Object.keys(wrongFields(answer))).toContain('page_query');
    });

    it.each([
      ['more than 7 days apart', '2026-11-01T00:00:00Z', '2026-11-08T00:00:01Z'],
      ['backwards', '2026-11-08T00:00:00Z', '2026-11-07T00:00:00Z'],
    ])('a range that is %s: the error names both ends', async (_what, start_time, end_time) => {
      const answer = await reader.post(FAILING, { ...COMMON, start_time, end_time });
      expect(Object.keys(wrongFields(answer)).sort()).toEqual(['end_time', 'start_time']);
    });

    it.each(['healthy', '', 7, null, undefined])('a status of %j is invalid', async (status) => {
      const answer = await reader.post(UNHEALTHY, { ...COMMON, status });
      expect(wrongFields(answer)).toEqual({ status: 'status must be one of: flaky, broken' });
    });

    it('in this order: fields, organization, repository', async () => {
      const foreign = { ...COMMON, org_url_slug: 'other', repo: { ...REPO, name: 'nowhere' } };
      expect(codeOf(await reader.post(QUARANTINED, { ...foreign, page_query: {} }))).toBe('400 VALIDATION_FAILED');
      expect(codeOf(await reader.post(QUARANTINED, foreign))).toBe('403 ORGANIZATION_MISMATCH');
      expect(codeOf(await reader.post(QUARANTINED, { ...foreign, org_url_slug: 'unknown' }))).toBe(
        '403 ORGANIZATION_MISMATCH',
      );
      expect(codeOf(await reader.post(QUARANTINED, { ...foreign, org_url_slug: 'acme' }))).toBe(
        '404 REPOSITORY_NOT_FOUND',
      );
    });

    it('and answer 404 for a repository of another organization', async () => {
      const foreign = await reader.post(QUARANTINED, { ...COMMON, repo: { ...REPO, name: 'secret' } });
      const unknown = await reader.post(QUARANTINED, { ...COMMON, repo: { ...REPO, name: 'nowhere' } });
      expect(codeOf(foreign)).toBe('404 REPOSITORY_NOT_FOUND');
      expect(foreign.body.error?.message.replace('secret', 'nowhere')).toBe(unknown.body.error?.message);
    });
  });
});
