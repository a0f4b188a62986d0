import { randomUUID } from 'node:crypto';
import type { Prisma } from '../../src/generated/prisma/client';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { type Client, codeOf, wrongFields } from './client';
import { NOW, Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };

describe('getMergeQueueTestingDetails', () => {
  let service: Service;
  let host: MemoryRepository;
  let client: Client;

  beforeAll(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    client = await service.client('acme', 'admin');
    await client.post('createQueue', { ...MAIN, requiredStatuses: ['tests', 'lint'], concurrency: 2 });
    for (const number of [1, 2]) {
      host.openPullRequest(number);
      await client.post('setImpactedTargets', { ...MAIN, pr: { number }, impactedTargets: [`//${number}`, '//a'] });
      await client.post('submitPullRequest', { ...MAIN, pr: { number } });
    }
    await service.settles();
  });

  afterAll(() => service.stop());

  const details = (question: object) => client.post('getMergeQueueTestingDetails', { ...MAIN, ...question });
  const of = async (number: number) => (await details({ pr: { number } })).body;
  const report = (sha: string, context: string, state: string, more: object = {}) =>
    client.post('reportStatus', { repo: REPO, sha, context, state, ...more });

  it('shows the run of a pull request that is tested on top of another pull request', async () => {
    const first = await of(1);
    const second = await of(2);
    expect(second).toEqual({
      testRunId: expect.any(String) as string,
      status: 'in_progress',
      createdAt: NOW.toISOString(),
      concludedAt: null,
      testBranch: `sluice-merge/pr-2/${second.testRunId}`,
      testBranchSha: host.tip(second.testBranch).commit,
      targetBranch: 'main',
      baseSha: host.tip('main').commit,
      isBisection: false,
      requiredStatuses: ['tests', 'lint'],
      requiredStatusesSource: 'merge_instance',
      checkSuites: [],
      statusChecks: [],
      testedPullRequests: [{ prNumber: 2, prUrl: 'https://memory.example/acme/widgets/pull/2', title: 'Change 2' }],
      dependentPrs: [{ prNumber: 1, prUrl: 'https://memory.example/acme/widgets/pull/1', title: 'Change 1' }],
      impactedTargets: ['//2', '//a'],
      failedTests: null,
    });
    expect(first).toMatchObject({ dependentPrs: [], testedPullRequests: [{ prNumber: 1 }] });
  });

  it('can be read by the id of the run, also if that id is from a bisection branch', async () => {
    const { testRunId } = await of(1);
    expect((await details({ testRunId })).body).toMatchObject({ testRunId, testedPullRequests: [{ prNumber: 1 }] });
    expect((await details({ testRunId: `${testRunId}-bisection` })).body.testRunId).toBe(testRunId);
    expect((await details({ testRunId, pr: { number: 1 } })).body.testRunId).toBe(testRunId);
  });

  it('shows the reports on the tested commit, with the texts of the code host', async () => {
    const { testBranchSha } = await of(1);
    await report(testBranchSha, 'tests', 'pending', { url: 'https://ci.example/1' });
    expect((await of(1)).statusChecks).toEqual([{ context: 'tests', url: 'https://ci.example/1', state: 'PENDING' }]);
    await report(testBranchSha, 'tests', 'success');
    expect((await of(1)).statusChecks).toEqual([{ context: 'tests', url: '', state: 'SUCCESS' }]);
    const { id: repositoryId } = await service.prisma.repository.findFirstOrThrow();
    const checkRun = {
      repositoryId,
      sha: testBranchSha,
      kind: 'check_run',
      hostTime: NOW,
      hostId: '1',
      receivedAt: NOW,
    };
    await service.prisma.commitStatus.createMany({
      data: [
        { ...checkRun, name: 'build', state: 'failure', url: 'https://ci.example/2' },
        { ...checkRun, name: 'scan', state: 'pending' },
      ],
    });
    expect((await of(1)).checkSuites).toEqual([
      {
        checkRuns: [
          { name: 'build', url: 'https://ci.example/2', status: 'COMPLETED', conclusion: 'FAILURE' },
          { name: 'scan', url: '', status: 'IN_PROGRESS', conclusion: null },
        ],
      },
    ]);
  });

  it('shows how the run ended, and ALL if a pull request impacts everything', async () => {
    await client.post('setImpactedTargets', { ...MAIN, pr: { number: 1 }, impactedTargets: 'ALL' });
    const { testBranchSha, testRunId } = await of(1);
    for (const context of ['tests', 'lint']) await report(testBranchSha, context, 'success');
    service.clock.advance(60_000);
    await service.settles();
    expect((await details({ testRunId })).body).toMatchObject({
      status: 'succeeded',
      concludedAt: new Date(NOW.getTime() + 60_000).toISOString(),
      impactedTargets: 'ALL',
    });
  });

  /** Writes a copy of the pull request's own test run, with some other details. */
  async function runLike(number: number, about: number[], more: Partial<Prisma.TestRunUncheckedCreateInput>) {
    const like = { members: { some: { number } } };
    const { builtOn, pins, failure, conflict, ...run } = await service.prisma.testRun.findFirstOrThrow({
      where: like,
      omit: { flow: true, dropped: true, moved: true, ciEnd: true },
    });
    const entries = await service.prisma.entry.findMany({ where: { queueId: run.queueId, number: { in: about } } });
    const id = randomUUID();
    const lists = { builtOn: builtOn as object[], pins: pins as object[] };
    const json = { ...lists, failure: failure ?? undefined, conflict: conflict ?? undefined };
    await service.prisma.testRun.create({ data: { ...run, ...json, id, ...more } });
    const members = entries.map((entry, position) => {
      return { runId: id, entryId: entry.id, number: entry.number, attempt: 1, head: entry.head, position };
    });
    await service.prisma.testRunMember.createMany({ data: members });
    return id;
  }

  async function forgetRunsFrom(number: number): Promise<void> {
    await service.prisma.testRunMember.deleteMany({ where: { run: { number: { gte: number } } } });
    await service.prisma.testRun.deleteMany({ where: { number: { gte: number } } });
  }

  it('shows the bisection run with the fewest pull requests, and that it belongs to a bisection', async () => {
    const usual = await of(2);
    const inSearch = { live: true, kind: 'search', search: 1 };
    const pair = await runLike(2, [1, 2], { ...inSearch, number: 100 });
    const whole = await runLike(2, [1, 2], { ...inSearch, number: 101 });
    const alone = await runLike(2, [2], { ...inSearch, number: 99, kind: 'verify' });
    await runLike(2, [2], { number: 102, live: false });
    await service.prisma.testRun.updateMany({
      where: { members: { some: { number: 2 } }, number: { lt: 99 } },
      data: { live: false },
    });
    const shown: unknown[] = [];
    for (const id of [alone, whole, pair]) {
      shown.push(await of(2));
      await service.prisma.testRun.update({ where: { id }, data: { live: false } });
    }
    expect(shown).toMatchObject([alone, whole, pair].map((testRunId) => ({ testRunId, isBisection: true })));
    await forgetRunsFrom(99);
    await service.prisma.testRun.update({ where: { id: usual.testRunId }, data: { live: true } });
  });

  it('is 404 for a direct merge, and for a run whose result was reused', async () => {
    const { testRunId } = await of(2);
    const direct = await runLike(2, [2], { number: 100, kind: 'direct', live: true });
    const reused = await runLike(2, [2], { number: 101, reused: true, live: true, pushedAt: null, branch: null });
    expect((await of(2)).testRunId).toBe(testRunId);
    for (const id of [direct, reused]) expect(codeOf(await details({ testRunId: id }))).toBe('404 TEST_RUN_NOT_FOUND');
    await forgetRunsFrom(100);
  });

  it('is 404 for missing runs', async () => {
    const { testRunId } = await of(1);
    expect(codeOf(await details({ testRunId: randomUUID() }))).toBe('404 TEST_RUN_NOT_FOUND');
    expect(codeOf(await details({ testRunId: 'main' }))).toBe('404 TEST_RUN_NOT_FOUND');
    expect(codeOf(await details({ testRunId, pr: { number: 2 } }))).toBe('404 TEST_RUN_NOT_FOUND');
    expect(codeOf(await details({ testRunId, pr: { number: 99 } }))).toBe('404 PR_NOT_FOUND');
    host.openPullRequest(3, { draft: true });
    await client.post('submitPullRequest', { ...MAIN, pr: { number: 3 } });
    expect(codeOf(await details({ pr: { number: 3 } }))).toBe('404 TEST_RUN_NOT_FOUND');
  });

  it.each([{}, { testRunId: '' }, { testRunId: 7 }, { testRunId: null }])('refuses %j', async (question) => {
    expect(Object.keys(wrongFields(await details(question)))).toEqual(['testRunId']);
  });

  it.each([null, [], 7])('refuses pr: %j', async (pr) => {
    expect(Object.keys(wrongFields(await details({ pr })))).toContain('pr');
  });
});
