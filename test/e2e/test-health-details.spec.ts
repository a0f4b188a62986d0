import { randomUUID } from 'node:crypto';
import type { TestDetails } from '../../src/modules/test-health/http/details/dto/test-details.dto';
import type { FailingTestItem } from '../../src/modules/test-health/http/lists/dto/test-lists.dto';
import { type Client, codeOf, wrongFields } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const DETAILS = 'flaky-tests/get-test-details';
const LINK = 'flaky-tests/link-ticket-to-test-case';
const UPLOAD = 'flaky-tests/upload-results';
const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const COMMON = { repo: REPO, org_url_slug: 'acme' };

describe('The details of a test', () => {
  let service: Service;
  let reader: Client;
  let submitter: Client;
  let testId: string;

  beforeAll(async () => {
    service = await Service.start();
    const rows = new Rows(service.prisma, NOW);
    await rows.repository(await service.organization('acme'), 'widgets');
    await rows.repository(await service.organization('other'), 'secret');
    reader = await service.client('acme', 'read');
    submitter = await service.client('acme', 'submit');
    await upload('2026-11-17T10:00:00Z', '<testcase name="adds"/>', { commit: 'a'.repeat(40) });
    await upload('2026-11-19T09:00:00Z', failure('expected two widgets'), {
      ...{ commit: 'b'.repeat(40), branch: 'feature', pr_number: '7', job_url: 'https://ci.example/jobs/7' },
    });
    await upload('2026-11-20T11:00:00Z', failure('timed out'), { commit: 'c'.repeat(40) });
    await upload('2026-11-20T11:00:00Z', '<testcase name="adds"><skipped/></testcase>', { commit: 'c'.repeat(40) });
    testId = (await service.prisma.testCase.findFirstOrThrow({ where: { name: 'adds' } })).id;
  });

  afterAll(() => service.stop());

  const failure = (message: string) => `<testcase name="adds"><failure message="${message}"/></testcase>`;

  async function upload(at: string, cases: string, more: Record<string, string>): Promise<void> {
    const xml = `<testsuite name="widgets" timestamp="${at}">${cases}<testcase name="another"/><testcase name="a third"/></testsuite>`;
    const query = new URLSearchParams({ repo: 'local/acme/widgets', org_url_slug: 'acme', ...more });
    const headers = { 'content-type': 'application/xml' };
    const { status, text } = await submitter.send('POST', `${UPLOAD}?${query.toString()}`, xml, headers);
    if (status !== 200) throw new Error(text);
  }

  const details = async (id = testId) =>
    (await reader.post(DETAILS, { ...COMMON, test_id: id })).body as unknown as TestDetails;

  it('contain the facts in the list of failing tests, days with results, and the latest failures with places', async () => {
    const found = await details();
    const list = await reader.post('flaky-tests/list-failing-tests', {
      ...COMMON,
      ...{ page_query: { page_size: 10 }, start_time: '2026-11-14T00:00:00Z', end_time: '2026-11-21T00:00:00Z' },
    });
    expect(found.test).toEqual<FailingTestItem | undefined>(list.body.tests.find((test) => test.id === testId));
    expect(found.test).toMatchObject({
      id: testId,
      name: 'adds',
      failure_rate_last_7d: 2 / 3,
      failure_rate_last_24h: 1,
    });
    expect(found.days).toEqual([
      { day: '2026-11-17', passed: 1, failed: 0, skipped: 0 },
      { day: '2026-11-19', passed: 0, failed: 1, skipped: 0 },
      { day: '2026-11-20', passed: 0, failed: 1, skipped: 1 },
    ]);
    expect(found.latest_failures).toEqual([
      {
        ...{ timestamp: '2026-11-20T11:00:00.000Z', summary: 'timed out', commit: 'c'.repeat(40), branch: '' },
        ...{ pr_number: null, job_url: '', counted: true },
      },
      {
        ...{ timestamp: '2026-11-19T09:00:00.000Z', summary: 'expected two widgets', commit: 'b'.repeat(40) },
        ...{ branch: 'feature', pr_number: 7, job_url: 'https://ci.example/jobs/7', counted: true },
      },
    ]);
  });

  it('have its alarms, and the changes of status and quarantine, latest first', async () => {
    const rows = { testCaseId: testId, reason: 'why' };
    const later = new Date(NOW.getTime() + 1_000);
    await service.prisma.testStatusChange.deleteMany();
    await service.prisma.testAlarm.deleteMany();
    await service.prisma.testStatusChange.createMany({
      data: [
        { ...rows, at: NOW, from: 'healthy', to: 'flaky' },
        { ...rows, at: later, from: 'flaky', to: 'broken' },
      ],
    });
    await service.prisma.testQuarantineChange.createMany({
      data: [
        { ...rows, at: NOW, actor: null, setting: 'unspecified', quarantined: true },
        { ...rows, at: later, actor: 'Ada', setting: 'never_quarantine', quarantined: false },
      ],
    });
    await service.prisma.testAlarm.create({
      data: { ...rows, monitor: 'pass_on_retry', verdict: 'flaky', raisedAt: NOW, lookAgainAt: later },
    });
    const { status_history, quarantine_history, alarms } = await details();
    const [first, second] = [{ timestamp: NOW.toISOString() }, { timestamp: later.toISOString() }];
    expect(status_history).toEqual([
      { ...second, from: 'flaky', to: 'broken', reason: 'why', evidence: [] },
      { ...first, from: 'healthy', to: 'flaky', reason: 'why', evidence: [] },
    ]);
    expect(quarantine_history).toEqual([
      { ...second, actor: 'Ada', quarantine_setting: 'never_quarantine', quarantined: false, reason: 'why' },
      { ...first, actor: '', quarantine_setting: 'unspecified', quarantined: true, reason: 'why' },
    ]);
    expect(alarms).toEqual([
      {
        ...{ monitor: 'pass_on_retry', status: 'flaky', reason: 'why', raised_at: NOW.toISOString(), until: '' },
        ...{ from_pull_requests_only: false, evidence: [], failing_since: null },
      },
    ]);
  });

  it('say why a test is broken: the failed runs, what would end the alarm, and the first bad commit', async () => {
    const commits = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(40));
    for (const [index, commit] of commits.entries()) {
      const more = { commit, branch: 'main', job_url: `https://ci.example/jobs/${index}` };
      await upload(`2026-11-20T10:0${index}:00Z`, '<testcase name="breaks"><failure message="no"/></testcase>', more);
    }
    const { id } = await service.prisma.testCase.findFirstOrThrow({ where: { name: 'breaks' } });
    const found = await details(id);
    expect(found.test.status).toMatchObject({
      value: 'broken',
      reason: 'failed on 5 commits of main in a row, first on 1111111',
    });
    expect(found.alarms).toMatchObject([
      {
        ...{ monitor: 'consecutive_failures', status: 'broken', until: 'it has passed on 3 commits of main in a row' },
        evidence: commits.map((commit, index) => ({
          ...{
            timestamp: `2026-11-20T10:0${index}:00.000Z`,
            outcome: 'failed',
            commit,
            branch: 'main',
            pr_number: null,
          },
          job_url: `https://ci.example/jobs/${index}`,
        })),
        failing_since: { commit: commits[0], pr_number: null, author: '', html_url: '' },
      },
    ]);
    expect(found.status_history[0]!.evidence).toHaveLength(5);
  });

  it('show the last runs, oldest first, with branch, commit and job', async () => {
    const { latest_runs } = await details();
    expect(latest_runs.map(({ outcome, branch_class, commit }) => [outcome, branch_class, commit[0]])).toEqual([
      ['passed', 'stable', 'a'],
      ['failed', 'pull_request', 'b'],
      ['failed', 'stable', 'c'],
      ['skipped', 'stable', 'c'],
    ]);
    expect(latest_runs[1]).toEqual({
      ...{ timestamp: '2026-11-19T09:00:00.000Z', outcome: 'failed', branch_class: 'pull_request' },
      ...{ commit: 'b'.repeat(40), branch: 'feature', pr_number: 7, job_url: 'https://ci.example/jobs/7' },
    });
  });

  it('show the last failure of each group with its message, without secrets', async () => {
    const fails = (text: string) =>
      `<testcase name="logs in"><failure message="login failed">${text}</failure></testcase>`;
    const compares = (value: string) =>
      `<testcase name="logs in"><failure>Error: expect(received).toBe(expected)\n\nExpected: "in"\nReceived: "${value}"\n    at a.spec.ts:3:5</failure></testcase>`;
    await upload('2026-11-20T09:00:00Z', fails('at login.ts:1:2'), { commit: '1'.repeat(40) });
    await upload('2026-11-20T09:10:00Z', fails('PASSWORD=hunter2\nat login.ts:7:2'), {
      ...{ commit: '2'.repeat(40), branch: 'main', job_url: 'https://ci.example/jobs/2' },
    });
    await upload('2026-11-20T09:20:00Z', compares('out'), { commit: '3'.repeat(40) });
    await upload('2026-11-20T09:30:00Z', compares('nowhere'), { commit: '4'.repeat(40) });
    const { id } = await service.prisma.testCase.findFirstOrThrow({ where: { name: 'logs in' } });
    const { failure_groups } = await details(id);
    expect(failure_groups.map(({ summary, commit }) => [summary, commit[0]])).toEqual([
      ['Error: expect(received).toBe(expected) Expected: "in" Received: "nowhere"', '4'],
      ['Error: expect(received).toBe(expected) Expected: "in" Received: "out"', '3'],
      ['login failed', '2'],
    ]);
    expect(failure_groups.at(-1)).toEqual({
      ...{ timestamp: '2026-11-20T09:10:00.000Z', summary: 'login failed', message: 'login failed' },
      ...{ stack: 'PASSWORD=<secret>\nat login.ts:7:2', commit: '2'.repeat(40), branch: 'main', pr_number: null },
      ...{ job_url: 'https://ci.example/jobs/2', counted: true },
    });
  });

  it('mark failures that are in ignored uploads', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `unit ${number}`);
    const all = (inside: string) => names.map((name) => `<testcase name="${name}">${inside}</testcase>`).join('');
    await upload('2026-11-20T08:00:00Z', all(''), { commit: '5'.repeat(40), branch: 'main' });
    await upload('2026-11-20T08:10:00Z', all('<failure message="no network"/>'), {
      commit: '6'.repeat(40),
      branch: 'main',
    });
    const { id } = await service.prisma.testCase.findFirstOrThrow({ where: { name: names[0] } });
    const { test, latest_failures, failure_groups } = await details(id);
    expect(latest_failures).toMatchObject([{ commit: '6'.repeat(40), counted: false }]);
    expect(failure_groups).toMatchObject([{ message: 'no network', counted: false }]);
    expect(test).toMatchObject({ status: { value: 'healthy' }, left_out_failures: 1 });
  });

  it('are 404 for a missing test, and for a test in another repository', async () => {
    const another = await service.client('other', 'admin');
    const theirs = { repo: { ...REPO, name: 'secret' }, org_url_slug: 'other', test_id: testId };
    expect(codeOf(await another.post(DETAILS, theirs))).toBe('404 NOT_FOUND');
    expect(codeOf(await reader.post(DETAILS, { ...COMMON, test_id: randomUUID() }))).toBe('404 NOT_FOUND');
    const link = { repo: theirs.repo, test_case_id: testId, external_ticket_id: 'KAN-1' };
    expect(codeOf(await another.post(LINK, link))).toBe('404 NOT_FOUND');
    expect((await details()).test.ticket).toEqual({ html_url: '' });
  });

  it('name the ticket that was linked last', async () => {
    for (const ticket of ['https://tracker.example/KAN-1', 'KAN-2']) {
      const body = { repo: REPO, test_case_id: testId.toUpperCase(), external_ticket_id: ticket };
      const answer = await submitter.post(LINK, body);
      expect([answer.status, answer.text]).toEqual([200, '{}']);
      expect((await details()).test.ticket).toEqual({ html_url: ticket });
    }
    const wrong = { repo: REPO, test_case_id: testId, external_ticket_id: 'javascript:alert(1)' };
    expect(Object.keys(wrongFields(await submitter.post(LINK, wrong)))).toEqual(['external_ticket_id']);
  });
});
