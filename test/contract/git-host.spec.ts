import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  type CodeHost,
  type LandRequest,
  MERGE_METHODS,
  type PullRequestAtHead,
} from '../../src/domain/code-host.port';
import { BareRepository } from '../support/bare-repository';
import { makeGitHost, overtakeNextPush, WIDGETS } from './hosts';

const AT = new Date('2026-03-01T12:00:00Z');
const BRANCH = 'sluice-merge/pr-1/run';

describe('A plain git host', () => {
  let world: BareRepository;
  let host: CodeHost;

  beforeEach(() => {
    world = BareRepository.create();
    host = makeGitHost(world);
  });

  afterEach(() => world.close());

  const at = (number: number, head: string): PullRequestAtHead => ({
    number,
    head,
    title: `Change ${number}`,
    body: '',
    author: 'Ada',
    authorEmail: 'ada@example.com',
    headBranch: null,
  });

  async function landingOf(
    pullRequests: readonly PullRequestAtHead[],
    by: CodeHost = host,
  ): Promise<LandRequest & { readonly testedCommit: string }> {
    const tip = world.tip('main');
    const request = {
      repository: WIDGETS,
      targetBranch: 'main',
      onto: tip,
      targetTip: tip,
      alreadyMerged: [],
      pullRequests,
      mergeMethod: 'squash' as const,
      committedAt: AT,
    };
    const built = await by.buildCandidate(request);
    if (built.type !== 'built') throw new Error(JSON.stringify(built));
    await by.pushTestingBranch(pushOf(built.commit));
    const tested = { testedCommit: built.commit, testedTree: built.tree };
    return { ...request, ...tested, expectedTip: tip, testingBranches: [BRANCH] };
  }

  const pushOf = (commit: string) => ({
    repository: WIDGETS,
    branch: BRANCH,
    commit,
    testRunId: 'run',
    requiredStatuses: [],
  });

  it('reads title, body and author from the head commit, and accepts any base', async () => {
    world.openPullRequest(
      1,
      { a: 'a' },
      { title: 'Grüße', body: 'Because.\n\nTwice.', author: 'Grace', email: 'g@example.com' },
    );
    expect(await host.readPullRequest(WIDGETS, 1, 'main')).toMatchObject({
      title: 'Grüße',
      body: 'Because.\n\nTwice.',
      author: 'Grace',
      authorEmail: 'g@example.com',
      base: null,
      headBranch: null,
      url: null,
      draft: false,
    });
  });

  it('cannot be searched by head branch, and requires no statuses of its own', async () => {
    expect(host.capabilities).toEqual({ findsByBranch: false, hasOwnStatuses: false });
    expect(await host.findPullRequestsByBranch(WIDGETS, 'topic')).toBe('unsupported');
    expect(await host.readProtectedStatuses(WIDGETS, 'main')).toEqual([]);
  });

  it.each(MERGE_METHODS)('promises to merge whole test runs by %s', (mergeMethod) => {
    expect(host.landsWholeRuns(WIDGETS, mergeMethod)).toBe(true);
  });

  it('finds repositories of owners with slashes, and none inside another repository', async () => {
    const inGroup = { ...WIDGETS, owner: 'group/sub' };
    expect(await host.findRepository(inGroup)).toBe('unknown');
    const copy = world.urlTemplate.replace('{owner}', 'group/sub').replace('{name}', 'widgets');
    cpSync(world.bare, copy, { recursive: true });
    expect(await host.findRepository(inGroup)).toBe('found');
    expect(await host.readBranch(inGroup, 'main')).toMatchObject({ commit: world.tip('main') });
    expect(await host.findRepository({ ...WIDGETS, owner: 'group' })).toBe('unknown');
    cpSync(copy, join(world.bare, 'refs', 'heads', 'x.git'), { recursive: true });
    expect(await host.findRepository({ ...WIDGETS, owner: 'acme/widgets.git/refs/heads', name: 'x' })).toBe('unknown');
  });

  it('finds pull requests under the refs of the remote, and merges them', async () => {
    const refs = { pullRequestRefs: 'refs/merge-requests/*/head' };
    const forge = makeGitHost(world, { refs });
    const head = world.commitTo('refs/merge-requests/1/head', world.tip('main'), { a: 'a' });
    world.openPullRequest(2, { b: 'b' });
    expect(await forge.readPullRequest(WIDGETS, 1, 'main')).toMatchObject({ head, state: 'open' });
    expect(await forge.readPullRequest(WIDGETS, 2, 'main')).toBeNull();
    const many = Array.from({ length: 1_500 }, (_, index) => index + 1);
    const { pullRequestHeads } = await forge.readState(WIDGETS, [], many);
    expect([pullRequestHeads.get(1), pullRequestHeads.get(2)]).toEqual([head, null]);
    expect(await forge.land(await landingOf([at(1, head)], forge))).toMatchObject({ type: 'landed' });
  });

  it('forgets a pull request whose ref is gone', async () => {
    const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
    world.closePullRequest(1);
    expect(await host.readPullRequest(WIDGETS, 1, 'main')).toBeNull();
    expect(await host.land(landing)).toEqual({ type: 'head_moved', number: 1, head: null });
  });

  it('reports a conflict for a pull request without a common history', async () => {
    const head = world.commitTo('refs/pull/1/head', null, { other: 'x\n' });
    expect(await host.readPullRequest(WIDGETS, 1, 'main')).toMatchObject({ mergeability: 'not_mergeable' });
    await expect(landingOf([at(1, head)])).rejects.toThrow('"with":"target"');
  });

  it('reports why the host does not delete a testing branch, and deletes the branch once the host allows it', async () => {
    world.setBranch('sluice-merge/pr-1/run', world.tip('main'));
    world.installHook('update', 'case "$3" in 0000000*) echo "nobody deletes branches" >&2; exit 1 ;; esac');
    const why = expect.stringContaining('nobody deletes branches') as string;
    expect(await host.removeTestingBranch(WIDGETS, 'sluice-merge/pr-1/run', 'run')).toEqual({ type: 'kept', why });
    expect(world.branches()).toContain('sluice-merge/pr-1/run');
    world.removeHook('update');
    expect(await host.removeTestingBranch(WIDGETS, 'sluice-merge/pr-1/run', 'run')).toEqual({ type: 'removed' });
    expect(world.branches()).not.toContain('sluice-merge/pr-1/run');
  });

  it("lets the repository's hooks refuse a merge, and passes on their output", async () => {
    const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
    world.installHook('update', 'test "$1" != refs/heads/main || { echo "frozen until Monday" >&2; exit 1; }');
    const outcome = await host.land(landing);
    expect(outcome).toEqual({
      type: 'refused',
      number: 1,
      why: expect.stringContaining('frozen until Monday') as string,
    });
    expect(world.branches()).toEqual(['main', BRANCH]);
  });

  it('passes on the output of a hook that refuses a testing branch', async () => {
    const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
    world.removeBranch(BRANCH);
    world.installHook('pre-receive', 'echo "no room" >&2; exit 1');
    expect(await host.pushTestingBranch(pushOf(landing.testedCommit))).toEqual({
      type: 'refused',
      why: expect.stringContaining('no room') as string,
    });
  });

  describe.each(['moved on', 'set back'] as const)('merges nothing when the target is %s', (how) => {
    const elsewhere = (): string => {
      const start = world.tip('main');
      world.pushTo('main', { b: 'b\n' });
      return how === 'set back' ? start : world.commitTo('refs/elsewhere', world.tip('main'), { c: 'c\n' });
    };

    it('after the target was read and before the push', async () => {
      const other = elsewhere();
      const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
      overtakeNextPush(world, 'main', other);
      expect(await host.land(landing)).toMatchObject({ type: 'target_moved', tip: { commit: other } });
      expect([world.tip('main'), world.branches()]).toEqual([other, ['main', BRANCH]]);
    });

    it('while the push is being received', async () => {
      const other = elsewhere();
      const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
      // The hook runs after the push has read the position of the target.
      world.installHook('pre-receive', `unset GIT_QUARANTINE_PATH; git update-ref refs/heads/main ${other}`);
      expect(await host.land(landing)).toMatchObject({ type: 'target_moved', tip: { commit: other } });
      expect([world.tip('main'), world.branches()]).toEqual([other, ['main', BRANCH]]);
    });
  });

  it('gives up on a repository that stays locked, without failing a pull request', async () => {
    const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
    writeFileSync(join(world.bare, 'refs', 'heads', 'main.lock'), '');
    await expect(host.land(landing)).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'server_error' });
    rmSync(join(world.bare, 'refs', 'heads', 'main.lock'));
    expect(await host.land(landing)).toMatchObject({ type: 'landed' });
  });

  it('tests and merges the requested head, even if the author has force-pushed another head', async () => {
    const head = world.openPullRequest(1, { a: 'a' });
    expect(await host.readPullRequest(WIDGETS, 1, 'main')).toMatchObject({ head });
    const forced = world.openPullRequest(1, { b: 'b' });
    const landing = await landingOf([at(1, head)]);
    expect(world.files(landing.testedCommit)).toEqual({ 'README.md': 'hello\n', a: 'a' });
    expect(await host.land(landing)).toEqual({ type: 'head_moved', number: 1, head: forced });
    world.setPullRequest(1, head);
    expect(await host.land(landing)).toMatchObject({ type: 'landed' });
  });

  it('recognises its merge with a new clone, after the heads are gone', async () => {
    const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
    const outcome = await host.land(landing);
    world.closePullRequest(1);
    world.pushTo('main', { b: 'b' });
    rmSync(world.dataDirectory, { recursive: true });
    expect(await makeGitHost(world).land(landing)).toEqual(outcome);
  });

  it('makes the same commits again after its clone is lost', async () => {
    const landing = await landingOf([at(1, world.openPullRequest(1, { a: 'a' }))]);
    rmSync(join(world.dataDirectory, 'clones'), { recursive: true });
    // Another commit is built between the two, so that no cached result matches by chance.
    world.setBranch(
      'stable',
      world.commitTo('refs/heads/stable', world.tip('main'), { '.gitattributes': '* merge=union\n' }),
    );
    await host.readPullRequest(WIDGETS, 1, 'stable');
    expect(await host.buildCandidate({ ...landing, targetTip: landing.expectedTip, alreadyMerged: [] })).toMatchObject({
      commit: landing.testedCommit,
    });
  });

  it('makes one clone for concurrent requests, in one process and in several', async () => {
    const head = world.openPullRequest(1, { a: 'a' });
    const asked = Array.from({ length: 6 }, () => makeGitHost(world).readPullRequest(WIDGETS, 1, 'main'));
    expect((await Promise.all(asked)).map((seen) => seen?.head)).toEqual(Array(6).fill(head));
    expect(readdirSync(join(world.dataDirectory, 'clones', 'git.example', 'acme'))).toEqual(['widgets.git']);
  });

  it('follows no symbolic link out of its folder', async () => {
    const outside = join(world.folder, 'outside.git');
    renameSync(world.bare, outside);
    symlinkSync(outside, world.bare);
    expect(await host.findRepository(WIDGETS)).toBe('unknown');
  });

  it('finds no repository in a plain folder', async () => {
    mkdirSync(join(world.folder, 'repositories', 'acme', 'empty.git'));
    expect(await host.findRepository({ ...WIDGETS, name: 'empty' })).toBe('unknown');
  });

  it('distinguishes a missing folder of repositories from a missing repository', async () => {
    rmSync(join(world.folder, 'repositories'), { recursive: true });
    await expect(host.findRepository(WIDGETS)).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'no_answer' });
  });

  it('runs no program that the configuration or hooks of its clone or of the machine name', async () => {
    world.openPullRequest(1, { a: 'a' });
    await host.readPullRequest(WIDGETS, 1, 'main');
    const clone = join(world.dataDirectory, 'clones', 'git.example', 'acme', 'widgets.git');
    const trace = join(world.folder, 'ran');
    const run = `touch ${trace}`;
    writeFileSync(
      join(clone, 'config'),
      `[core]\n\tbare = true\n\tsshCommand = ${run}\n\tfsmonitor = ${run}\n[uploadpack]\n\tpackObjectsHook = ${run}\n`,
    );
    mkdirSync(join(clone, 'hooks'));
    for (const name of ['pre-push', 'reference-transaction', 'post-checkout']) {
      writeFileSync(join(clone, 'hooks', name), `#!/bin/sh\n${run}\n`);
      chmodSync(join(clone, 'hooks', name), 0o755);
    }
    const landing = await landingOf([at(2, world.openPullRequest(2, { b: 'b' }))]);
    expect(await host.land(landing)).toMatchObject({ type: 'landed' });
    expect(existsSync(trace)).toBe(false);
  });
});
