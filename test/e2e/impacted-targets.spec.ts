import { HostUnavailable } from '../../src/domain/code-host.port';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { type Client, codeOf, wrongFields } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const SHA = '0123456789abcdef0123456789abcdef01234567';

describe('setImpactedTargets', () => {
  let service: Service;
  let host: MemoryRepository;
  let admin: Client;
  let submitter: Client;

  beforeAll(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    submitter = await service.client('acme', 'submit');
    await admin.post('createQueue', { ...MAIN, requiredStatuses: ['tests'] });
  });

  afterAll(() => service.stop());

  const set = (pr: object, impactedTargets: unknown) =>
    submitter.post('setImpactedTargets', { ...MAIN, pr, impactedTargets });
  const stored = (number: number, sha: string) =>
    service.prisma.impactedTargets.findFirst({ where: { number, sha }, orderBy: { updatedAt: 'desc' } });

  it('stores distinct targets of a head, also before the pull request is submitted or known', async () => {
    const answer = await set({ number: 900, sha: SHA.toUpperCase() }, ['//b', '//a', '', '//b']);
    const body = { prNumber: 900, prSha: SHA, impactsAll: false, targetCount: 2 };
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body });
    const row = await stored(900, SHA);
    expect(row).toMatchObject({ all: false, targetCount: 2, names: ['//b', '//a'] });
    expect(row?.hashes).toHaveLength(2);
  });

  it.each(['ALL', 'all', 'IMPACTS_ALL'])('accepts %s for "impacts every target"', async (word) => {
    const { status, body } = await set({ number: 901, sha: SHA }, word);
    expect({ status, body }).toEqual({
      status: 200,
      body: { prNumber: 901, prSha: SHA, impactsAll: true, targetCount: 0 },
    });
    expect(await stored(901, SHA)).toMatchObject({ all: true, names: [] });
  });

  it('replaces the earlier targets of the same head', async () => {
    await set({ number: 902, sha: SHA }, 'ALL');
    await set({ number: 902, sha: SHA }, ['//a']);
    expect(await stored(902, SHA)).toMatchObject({ all: false, names: ['//a'] });
    expect((await set({ number: 902, sha: SHA }, [])).body).toMatchObject({ impactsAll: false, targetCount: 0 });
    expect(await stored(902, SHA)).toMatchObject({ names: [], hashes: [] });
  });

  it('keeps unusual names unchanged', async () => {
    const names = ['//ünïcode:😀', 'a"b', "a'b", 'a\\b', 'a,b', '{a}', 'a\nb', 'NULL', ' '];
    await set({ number: 903, sha: SHA }, names);
    expect((await stored(903, SHA))?.names).toEqual(names);
  });

  it('applies to the head that the host has now if the request names no head', async () => {
    const head = host.openPullRequest(1);
    expect((await set({ number: 1 }, ['//a'])).body).toMatchObject({ prSha: head });
    expect(codeOf(await set({ number: 904 }, ['//a']))).toBe('404 PR_NOT_FOUND');
    service.memory.faults.failNext('readPullRequest', new HostUnavailable('memory.example', 'no_answer', 'refused'));
    expect(codeOf(await set({ number: 1 }, ['//a']))).toBe('502 UPSTREAM_ERROR');
  });

  it('accepts 200,000 targets in one body', async () => {
    const names = Array.from({ length: 200_000 }, (_, i) => `//some/deep/package/path:target_number_${i}`);
    const { status, body } = await set({ number: 905, sha: SHA }, names);
    expect({ status, targetCount: body.targetCount }).toEqual({ status: 200, targetCount: 200_000 });
    const hashes = (await stored(905, SHA))?.hashes ?? [];
    expect(hashes).toHaveLength(200_000);
    expect(hashes.every((hash, i) => i === 0 || hashes[i - 1]! <= hash)).toBe(true);
  });

  it('moves an entry that waits for targets in parallel mode to the queue at once', async () => {
    await admin.post('updateQueue', { ...MAIN, mode: 'parallel' });
    host.openPullRequest(2, { files: { 'two.txt': '2' } });
    const pullRequest = { ...MAIN, pr: { number: 2 } };
    const submitted = await submitter.post('submitPullRequest', pullRequest);
    const readiness = { requiresImpactedTargets: true, hasImpactedTargets: false };
    expect(submitted.body).toMatchObject({ state: 'not_ready', readiness });
    await set({ number: 2, sha: SHA }, ['//a']);
    expect((await submitter.post('getSubmittedPullRequest', pullRequest)).body).toMatchObject({
      state: 'not_ready',
      readiness,
    });
    await set({ number: 2 }, ['//a']);
    const record = (await submitter.post('getSubmittedPullRequest', pullRequest)).body;
    expect(record).toMatchObject({ state: 'pending', readiness: { hasImpactedTargets: true } });
  });

  const versionOf = async (targetBranch: string) =>
    Number((await service.prisma.queue.findFirstOrThrow({ where: { liveBranch: targetBranch } })).version);

  it('reaches every queue that has the pull request, whatever head the queue knows', async () => {
    for (const targetBranch of ['next', 'other']) {
      host.branches.set(targetBranch, host.tip('main').commit);
      await admin.post('createQueue', { repo: REPO, targetBranch, requiredStatuses: ['tests'] });
    }
    host.openPullRequest(3);
    for (const targetBranch of ['main', 'next']) {
      await submitter.post('submitPullRequest', { repo: REPO, targetBranch, pr: { number: 3 } });
    }
    const versions = () => Promise.all(['main', 'next', 'other'].map(versionOf));
    const [main, next, other] = await versions();
    await set({ number: 3 }, ['//a']);
    expect(await versions()).toEqual([main! + 1, next! + 1, other]);
    await set({ number: 3, sha: host.pushToPullRequest(3, { 'more.txt': 'more' }) }, ['//b']);
    expect(await versions()).toEqual([main! + 2, next! + 2, other]);
  });

  async function isSomebodyWaitingForALock(): Promise<boolean> {
    const [row] = await service.prisma.$queryRaw<{ waits: boolean }[]>`
      SELECT EXISTS (
        SELECT 1 FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock') AS "waits"`;
    return row!.waits;
  }

  it.each([
    ['come', 4, null],
    ['are replaced', 5, ['//a']],
  ])('reaches the queue if targets %s while the pull request is being submitted', async (_what, number, known) => {
    host.openPullRequest(number);
    if (known) await set({ number }, known);
    const before = await versionOf('main');
    let submitted: Promise<unknown> = Promise.resolve();
    await service.prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Queue" WHERE "liveBranch" = 'main' FOR UPDATE`;
      submitted = submitter.post('submitPullRequest', { ...MAIN, pr: { number } });
      while (!(await isSomebodyWaitingForALock()));
      await set({ number }, ['//b']);
    });
    await submitted;
    expect(await versionOf('main')).toBe(before + 2);
  });

  it('applies at once to a pull request that is being tested', async () => {
    const pr = (number: number) => ({ ...MAIN, pr: { number } });
    for (const number of [2, 4, 5]) await submitter.post('cancelPullRequest', pr(number));
    await admin.post('updateQueue', { ...MAIN, concurrency: 5 });
    const testedOn = async (number: number) =>
      (await submitter.post('getMergeQueueTestingDetails', pr(number))).body.dependentPrs as { prNumber: number }[];
    for (const number of [6, 7]) {
      host.openPullRequest(number);
      await set({ number }, [`//${number}`]);
      await submitter.post('submitPullRequest', pr(number));
      await service.settles();
    }
    expect(await testedOn(7)).toEqual([]);
    await set({ number: 7 }, ['//6', '//7']);
    await service.settles();
    expect(await testedOn(7)).toMatchObject([{ prNumber: 6 }]);
  });

  it.each([
    ['no value', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', { all: true }],
    ['another word', 'SOME'],
    ['a list with a number', ['//a', 7]],
    ['a list with null', ['//a', null]],
    ['a name of 1,001 characters', ['x'.repeat(1_001)]],
    ['a name with U+0000', ['a\u0000']],
    ['half a surrogate pair', ['\ud800']],
  ])('refuses %s', async (_what, value) => {
    expect(Object.keys(wrongFields(await set({ number: 906, sha: SHA }, value)))).toEqual(['impactedTargets']);
  });

  it.each(['', 'abc', SHA.slice(1), `${SHA}0`, 'g'.repeat(40), 7, null])('refuses the head %j', async (sha) => {
    expect(Object.keys(wrongFields(await set({ number: 906, sha }, ['//a'])))).toEqual(['pr.sha']);
  });
});
