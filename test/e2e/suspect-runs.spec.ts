import { randomUUID } from 'node:crypto';
import type { Client } from './client';
import { Service } from './service';
import { World } from '../support/world';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const ONE = { ...MAIN, pr: { number: 1 } };
const MINUTE_MS = 60_000;

const passed = (name: string) => `<testcase name="${name}" classname="Shop"/>`;
const failed = (name: string) => `<testcase name="${name}" classname="Shop"><failure message="expected 2"/></testcase>`;

describe('a failed test run whose CI uploads test results', () => {
  let service: Service;
  let client: Client;
  let main: string;

  beforeEach(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
    client = await service.client('acme', 'admin');
    const repository = service.memory.repository('acme', 'widgets');
    for (const number of [1, 2, 3]) repository.openPullRequest(number);
    main = repository.tip('main').commit;
    await client.post('createQueue', { ...MAIN, requiredStatuses: ['tests'] });
    // The test is known as flaky before the run, because it failed and passed on one commit of main.
    await upload(main, [failed('pays with a card')]);
    await upload(main, [passed('pays with a card')]);
  });

  afterEach(() => service.stop());

  async function upload(commit: string, cases: readonly string[], more: object = {}): Promise<number> {
    const form = new FormData();
    const metadata = {
      repo: REPO,
      org_url_slug: 'acme',
      commit,
      upload_id: randomUUID(),
      attempt: randomUUID(),
      ...more,
    };
    form.append('metadata', JSON.stringify(metadata));
    form.append('report', new Blob([`<testsuite name="shop">${cases.join('')}</testsuite>`]), 'report.xml');
    const headers = { 'x-api-token': client.token ?? '' };
    const path = `${service.url}/v1/flaky-tests/upload-results`;
    const { status } = await fetch(path, { method: 'POST', headers, body: form });
    await service.settles();
    return status;
  }

  async function submit(number: number): Promise<string> {
    await client.post('submitPullRequest', { ...MAIN, pr: { number } });
    await service.settles();
    return commitOf(number);
  }

  async function commitOf(number: number): Promise<string> {
    const { body } = await client.post('getMergeQueueTestingDetails', { ...MAIN, pr: { number } });
    return String(body.testBranchSha);
  }

  async function report(sha: string, state: 'success' | 'failure'): Promise<void> {
    await client.post('reportStatus', { repo: REPO, sha, context: 'tests', state });
    await service.settles();
  }

  const record = async () => (await client.post('getSubmittedPullRequest', { ...ONE, includeTimeline: true })).body;

  it('is tested once more on its own commit if only a known flaky test failed, and merges if that passes', async () => {
    const first = await submit(1);
    await upload(first, [failed('pays with a card'), passed('adds widgets')]);
    await report(first, 'failure');
    const { state, waitingFor, timeline = [] } = await record();
    expect(state).toBe('testing');
    expect(waitingFor).toContain(
      'In an earlier test run only known flaky tests failed (pays with a card): it is tested again, and this time the result counts',
    );
    expect(timeline.filter(({ reason }) => reason === 'rebuild_required')).toHaveLength(1);
    const second = await commitOf(1);
    expect(second).not.toBe(first);
    await report(second, 'success');
    expect((await record()).state).toBe('merged');
  });

  it('fails the second time, although only the flaky test failed, and says that it was tested twice', async () => {
    for (let times = 0; times < 2; times++) {
      const commit = times === 0 ? await submit(1) : await commitOf(1);
      await upload(commit, [failed('pays with a card')]);
      await report(commit, 'failure');
    }
    const { state, stateReason, stateMessage } = await record();
    expect([state, stateReason]).toEqual(['failed', 'test_run_required_status_failed']);
    expect(stateMessage).toMatch(
      /\. In an earlier test run only known flaky tests failed \(pays with a card\)\. Failed tests: "pays with a card" \(flaky since [-\d]+\)\. Push a fix/,
    );
  });

  it('fails at once if a healthy test failed, too', async () => {
    const commit = await submit(1);
    await upload(commit, [failed('pays with a card'), failed('adds widgets')]);
    await report(commit, 'failure');
    expect((await record()).state).toBe('failed');
  });

  it('ignores failures of tests that passed on retry in the same upload', async () => {
    await upload(main, [passed('adds widgets')]);
    const commit = await submit(1);
    await upload(commit, [failed('adds widgets'), passed('adds widgets'), failed('pays with a card')]);
    await report(commit, 'failure');
    expect((await record()).state).toBe('testing');
  });

  it('does not count a test as known flaky if only uploads of this pull request show that', async () => {
    await upload('e'.repeat(40), [failed('adds widgets')], { branch: 'feature', pr_number: 3 });
    await upload('e'.repeat(40), [passed('adds widgets')], { branch: 'feature', pr_number: 3 });
    const commit = await submit(1);
    await upload(commit, [failed('adds widgets')]);
    await report(commit, 'failure');
    expect((await record()).state).toBe('failed');
  });

  it.each([
    ['something failed outside tests', ['<error message="cannot be read"/>'], {}],
    ['the tests of the job ended well', [], { test_exit_code: 0 }],
  ])('fails at once if %s, although a known flaky test failed', async (_, more, said) => {
    const commit = await submit(1);
    expect(await upload(commit, [failed('pays with a card'), ...more], said)).toBe(200);
    await report(commit, 'failure');
    expect((await record()).state).toBe('failed');
  });

  it.each([
    ['is tested once more', false, 'testing'],
    ['fails at once where the job ignores such failures', true, 'failed'],
  ])('in which only a manually quarantined test failed %s', async (_, ignores_quarantined, state) => {
    const tests = { repo: REPO, org_url_slug: 'acme' };
    await upload(main, [failed('adds widgets')]);
    const { id } = await service.prisma.testCase.findFirstOrThrow({ where: { name: 'adds widgets' } });
    await client.post('flaky-tests/update-settings', { ...tests, quarantine_enabled: true });
    const quarantine = { test_case_id: id, setting: 'always_quarantine', reason: 'waits for ticket 7' };
    await client.post('flaky-tests/set-quarantine', { ...tests, ...quarantine });
    expect(await service.prisma.testCase.count({ where: { quarantined: true } })).toBe(1);
    const commit = await submit(1);
    await upload(commit, [failed('adds widgets')], { ignores_quarantined });
    await report(commit, 'failure');
    expect((await record()).state).toBe(state);
  });

  it('waits two minutes for results if the last runs had results, and not otherwise', async () => {
    const before = await submit(2);
    await upload(before, [passed('adds widgets')]);
    await report(before, 'success');
    const commit = await submit(1);
    await report(commit, 'failure');
    const { state, waitingFor } = await record();
    expect([state, waitingFor]).toEqual([
      'testing',
      expect.stringMatching(/^Required status `tests` failed on \w{8}\. The queue waits up to 2 minutes/),
    ]);
    service.clock.advance(MINUTE_MS);
    await upload(commit, [failed('pays with a card')]);
    const again = await commitOf(1);
    expect(again).not.toBe(commit);
    await report(again, 'success');
    expect((await record()).state).toBe('merged');

    const third = await submit(3);
    await report(third, 'failure');
    service.clock.advance(2 * MINUTE_MS);
    await service.settles();
    expect((await client.post('getSubmittedPullRequest', { ...MAIN, pr: { number: 3 } })).body.state).toBe('failed');
    await upload(third, [failed('pays with a card')]);
    expect((await client.post('getSubmittedPullRequest', { ...MAIN, pr: { number: 3 } })).body.state).toBe('failed');
  });

  it('fails at once if the queue has retests switched off', async () => {
    await client.post('updateQueue', { ...MAIN, retestFlakyFailures: false });
    const commit = await submit(1);
    await upload(commit, [failed('pays with a card')]);
    await report(commit, 'failure');
    expect((await record()).state).toBe('failed');
  });

  it('receives an upload once, however often its event is processed, and never a refused upload', async () => {
    const commit = await submit(1);
    expect(await upload(commit, ['<testcase'])).toBe(400);
    expect(await service.prisma.uploadFact.count()).toBe(0);
    await upload(commit, [failed('pays with a card')]);
    const again = { where: { type: 'results_uploaded' }, data: { processedAt: null } };
    expect((await service.prisma.inboxDelivery.updateMany(again)).count).toBe(1);
    await service.settles();
    await report(commit, 'failure');
    await service.prisma.inboxDelivery.updateMany(again);
    await service.settles();
    expect(await service.prisma.uploadFact.findMany({ select: { flaky: true, others: true, tests: true } })).toEqual([
      { flaky: 1, others: 0, tests: ['pays with a card'] },
    ]);
    const restarts = ((await record()).timeline ?? []).filter(({ reason }) => reason === 'rebuild_required');
    expect(restarts).toHaveLength(1);
  });

  it('causes no events for commits that no queue tests', async () => {
    await upload('c'.repeat(40), [failed('pays with a card')]);
    expect(await service.prisma.inboxDelivery.count({ where: { type: 'results_uploaded' } })).toBe(0);
  });
});

describe('a wait for test results', () => {
  it('survives the process: another process ends it, by an upload or after two minutes', async () => {
    const world = await World.create({ host: 'memory' });
    for (const number of [1, 2, 3]) world.memory.openPullRequest(number);
    await world.createQueue({ requiredStatuses: ['tests'] });
    const { commit: main } = world.memory.tip('main');
    await world.uploadTests({ flakes: 'failed' }, { commit: main });
    await world.uploadTests({ flakes: 'passed' }, { commit: main });
    const commitOf = async (number: number) => String((await world.details(number)).testBranchSha);
    const submit = async (number: number): Promise<string> => {
      await world.submit(number);
      await world.settles();
      return commitOf(number);
    };
    await world.uploadTests({ flakes: 'passed' }, { commit: await submit(1) });
    await world.report(1, 'success');

    const red = await submit(2);
    await world.report(2, 'failure');
    const other = await world.join();
    await other.uploadTests({ flakes: 'failed' }, { commit: red });
    await other.settles();
    expect([await other.stateOf(2), (await commitOf(2)) === red]).toEqual(['testing', false]);
    await other.report(2, 'success');

    await submit(3);
    await world.report(3, 'failure');
    await other.advance(2);
    expect([await other.stateOf(2), await other.stateOf(3)]).toEqual(['merged', 'failed']);
    await other.close();
    await world.close();
  });
});
