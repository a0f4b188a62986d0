import { HostUnavailable } from '../../src/domain/code-host.port';
import { World } from '../support/world';

/** The stored row of the latest upload. */
async function latestUpload(world: World) {
  const select = { branchClass: true, branch: true, line: true, prNumber: true } as const;
  return world.prisma.testUpload.findFirstOrThrow({ orderBy: { id: 'desc' }, select });
}

async function classOf(world: World, commit: string, said: Readonly<Record<string, string>> = {}): Promise<string> {
  const { branch_class } = await world.uploadTests({ adds: 'passed' }, { commit, ...said });
  expect((await latestUpload(world)).branchClass).toBe(branch_class);
  return String(branch_class);
}

const quarantineFlakyTests = (world: World) =>
  world.api.mustPost('flaky-tests/update-settings', {
    ...{ repo: world.repo, org_url_slug: 'acme', quarantine_enabled: true, auto_quarantine: true },
  });

describe("An upload's branch class, on plain git", () => {
  let world: World;
  let start: string;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    start = world.git.tip('main');
  });
  afterEach(() => world.close());

  const statusOf = (name: string) =>
    world.prisma.testCase.findFirstOrThrow({
      where: { name },
      select: { status: true, statusFromPullRequests: true, quarantined: true },
    });

  it('attack 17: is "pull request" if a pull request\'s job claims the branch main; no test is quarantined', async () => {
    await quarantineFlakyTests(world);
    for (const number of [1, 2, 3]) {
      const commit = world.git.openPullRequest(number, { [`${number}.txt`]: 'new\n' });
      await world.uploadTests({ pays: 'failed' }, { commit, branch: 'main' });
      await world.uploadTests({ pays: 'passed' }, { commit, branch: 'main' });
      expect((await latestUpload(world)).branchClass).toBe('pull_request');
    }
    expect(await statusOf('pays')).toEqual({ status: 'flaky', statusFromPullRequests: true, quarantined: false });
  });

  it('attack 17: is "pull request" if a pull request\'s job claims a testing branch', async () => {
    const commit = world.git.openPullRequest(1, { '1.txt': 'new\n' });
    const branch = 'sluice-merge/pr-7/0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(await classOf(world, commit, { branch })).toBe('pull_request');
  });

  it('is "stable" if the branch had the commit as its tip, whatever the upload claims', async () => {
    await quarantineFlakyTests(world);
    const pushed = world.git.pushTo('main', { 'later.txt': 'later\n' });
    expect(await classOf(world, start)).toBe('stable');
    expect(await classOf(world, pushed, { branch: 'origin/main' })).toBe('stable');
    expect(await latestUpload(world)).toEqual({ branchClass: 'stable', branch: 'main', line: 'main', prNumber: null });
    await world.uploadTests({ pays: 'failed' }, { commit: pushed, branch: 'main' });
    await world.uploadTests({ pays: 'passed' }, { commit: pushed, branch: 'main' });
    expect(await statusOf('pays')).toEqual({ status: 'flaky', statusFromPullRequests: false, quarantined: true });
  });

  it('is "stable" for the target branch of a queue, but for no other branch', async () => {
    world.git.setBranch('release', start);
    world.git.setBranch('topic', start);
    const onRelease = world.git.pushTo('release', { 'fix.txt': 'fix\n' });
    const onTopic = world.git.pushTo('topic', { 'idea.txt': 'idea\n' });
    await world.createQueue({ requiredStatuses: ['tests'] }, 'release');
    expect(await classOf(world, onRelease)).toBe('stable');
    expect((await latestUpload(world)).line).toBe('release');
    expect(await classOf(world, onTopic, { branch: 'topic' })).toBe('pull_request');
    await classOf(world, start, { branch: 'release' });
    expect((await latestUpload(world)).line).toBe('release');
    await classOf(world, start);
    expect((await latestUpload(world)).line).toBe('main');
  });

  it('is "queue" for the commit of a test run, and "stable" for the merged commit', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'merge_commit' });
    const head = world.git.openPullRequest(7, { '7.txt': 'new\n' });
    await world.submit(7);
    await world.settles();
    const { testBranch, testBranchSha: tested } = (await world.details(7)) as Record<string, string>;
    expect(await classOf(world, head, { branch: 'main' })).toBe('pull_request');
    const branch = testBranch!;
    const jobs: Record<string, string>[] = [
      { branch },
      { branch: 'HEAD' },
      {},
      { branch, pr_number: '99' },
      { pr_number: '99' },
      { branch: 'PR-99', pr_number: '99' },
    ];
    for (const said of jobs) {
      expect(await classOf(world, tested!, said)).toBe('queue');
      expect(await latestUpload(world)).toMatchObject({ line: 'testing branches of main', prNumber: 7 });
    }
    await world.report(7, 'success');
    world.clock.advance(60_000);
    expect(await world.stateOf(7)).toBe('merged');
    expect(world.git.tip('main')).toBe(tested);
    expect(await classOf(world, tested!, { branch: 'main' })).toBe('stable');
    expect(await classOf(world, tested!, { branch })).toBe('queue');
    expect(await classOf(world, head, { branch: 'main' })).toBe('pull_request');
  });

  it('is "queue" if CI tests the commit of a test run in a merge commit with the same content', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    world.git.openPullRequest(7, { '7.txt': 'new\n' });
    await world.submit(7);
    await world.settles();
    const { testBranch: branch, testBranchSha: tested } = (await world.details(7)) as Record<string, string>;
    const merge = (tree: string) =>
      world.git.inBare('commit-tree', tree, '-p', start, '-p', tested!, '-m', 'Merge into main');
    const same = merge(`${tested!}^{tree}`);
    const other = merge(`${start}^{tree}`);
    world.git.setBranch('pull-100-merge', same);
    world.git.setBranch('pull-101-merge', other);
    expect(await classOf(world, same, { branch: branch!, pr_number: '100' })).toBe('queue');
    expect(await latestUpload(world)).toMatchObject({ prNumber: 7 });
    expect(await classOf(world, other, { branch: branch!, pr_number: '101' })).toBe('pull_request');
    expect(await classOf(world, same, { branch: 'feature' })).toBe('pull_request');
  });

  it('is the class that the upload claims if the host does not know the repository', async () => {
    world.git.inBare('gc', '--quiet');
    const unknown = { host: world.repo.host, owner: 'acme', name: 'elsewhere' };
    await world.prisma.repository.updateMany({ data: { name: unknown.name, lookupName: 'acme/elsewhere' } });
    const query = { repo: `${unknown.host}/acme/elsewhere`, org_url_slug: 'acme', commit: '1'.repeat(40) };
    const report = '<testsuite><testcase name="adds"/></testsuite>';
    const upload = (said: Readonly<Record<string, string>>) => world.api.uploadReport({ ...query, ...said }, report);
    expect(await upload({ branch: 'main' })).toMatchObject({ branch_class: 'stable' });
    expect(await upload({ branch: 'main', pr_number: '7' })).toMatchObject({ branch_class: 'pull_request' });
    expect(await upload({ branch: 'sluice-merge/pr-7/1' })).toMatchObject({ branch_class: 'queue' });
  });
});

describe("An upload's branch class, by the answers of its host", () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterEach(() => world.close());

  /** Counts the service's requests to the host from this call on. */
  function countQuestions(): { asked: number } {
    const count = { asked: 0 };
    for (let planned = 0; planned < 20; planned++)
      world.memoryHost.faults.beforeNext('findBranchesWith', () => (count.asked += 1));
    return count;
  }

  it('costs one request to the host for each commit, and none if the upload names its pull request', async () => {
    const count = countQuestions();
    const head = world.memory.openPullRequest(1);
    const { commit } = world.memory.tip('main');
    for (const shard of ['1', '2', '3']) {
      expect(await classOf(world, commit, { variant: shard })).toBe('stable');
      expect(await classOf(world, head, { variant: shard })).toBe('pull_request');
      expect(await classOf(world, head, { variant: shard, pr_number: '1' })).toBe('pull_request');
    }
    expect(count.asked).toBe(2);
    world.clock.advance(60_000);
    expect(await classOf(world, commit)).toBe('stable');
    expect(await classOf(world, head)).toBe('pull_request');
    expect(count.asked).toBe(3);
  });

  it('is "pull request" if the host no longer finds the repository of a queue', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    const { commit } = world.memory.tip('main');
    world.memoryHost.removeRepository('acme', 'widgets');
    expect(await classOf(world, commit, { branch: 'main' })).toBe('pull_request');
  });

  it('is "pull request" while the host does not answer; the next upload asks the host again', async () => {
    const { commit } = world.memory.tip('main');
    world.memoryHost.faults.goDown(new HostUnavailable('memory.example', 'no_answer', 'silent'));
    expect(await classOf(world, commit, { branch: 'main' })).toBe('pull_request');
    world.memoryHost.faults.recover();
    world.clock.advance(60_000);
    expect(await classOf(world, commit, { branch: 'main' })).toBe('stable');
  });
});

describe("An upload's branch class, on GitHub", () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'github' });
  });
  afterEach(() => world.close());

  it('is "stable" only for the merged commit, whatever ref GitHub made of the pull request', async () => {
    const repository = world.githubRepository;
    await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
    const { number } = repository.openPullRequest({ '1.txt': 'new\n' }, { by: 'ada' });
    await world.settles();
    await world.submit(number);
    await world.advance(1);
    const { testBranchSha: tested } = (await world.details(number)) as Record<string, string>;
    const head = String((await world.record(number)).prSha);
    expect(await classOf(world, head, { branch: 'main' })).toBe('pull_request');
    expect(await classOf(world, tested!)).toBe('queue');
    repository.setStatus(tested!, 'tests', 'success');
    await world.settles();
    await world.advance(3);
    expect(await world.stateOf(number)).toBe('merged');
    const landed = repository.tip('main');
    expect(landed).not.toBe(tested);
    expect(await classOf(world, landed)).toBe('stable');
    expect(await latestUpload(world)).toMatchObject({ branch: 'main', line: 'main', prNumber: null });
    expect(await classOf(world, head, { branch: 'main' })).toBe('pull_request');
  });
});
