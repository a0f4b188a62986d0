import { GitHubClient } from './github-client';
import { GitHubDouble } from './github-double';
import { GitUser } from '../forge/git-user';
import type { RepositoryDouble } from './repository-double';

describe('git over HTTP at the mock GitHub', () => {
  let now: Date;
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let url: string;
  let user: GitUser;
  const users: GitUser[] = [];

  beforeEach(async () => {
    now = new Date('2026-03-01T12:00:00Z');
    github = await GitHubDouble.start({ now: () => now });
    repository = github.createRepository('acme', 'widgets');
    url = `${github.gitUrl}/acme/widgets.git`;
    user = as(await new GitHubClient(github, 'acme/widgets').installationToken());
  });

  afterEach(async () => {
    for (const one of users.splice(0)) one.close();
    await github.close();
  });

  const as = (token: string | null): GitUser => {
    const made = new GitUser(token);
    users.push(made);
    return made;
  };

  /** Makes a commit in a clone without pushing it. Returns the commit's id. */
  const commitInClone = async (from = 'main'): Promise<string> => {
    await user.run('clone', '--quiet', '--branch', from, url, '.');
    await user.run('commit', '--quiet', '--allow-empty', '--message', 'one more');
    return (await user.run('rev-parse', 'HEAD')).stdout;
  };

  it('shows branches and the heads of pull requests to readers', async () => {
    const { head } = repository.openPullRequest({ 'a.txt': 'a\n' });
    const { stdout } = await user.run('ls-remote', url, 'refs/heads/*', 'refs/pull/*/head');
    expect(stdout.split('\n')).toEqual([
      `${head.sha}\trefs/heads/change-1`,
      `${repository.tip('main')}\trefs/heads/main`,
      `${head.sha}\trefs/pull/1/head`,
    ]);
  });

  it.each([
    ['without a token', () => null, /Authentication failed|could not read Username/],
    ['with a wrong token', () => 'ghs_wrong', /Authentication failed|could not read Username/],
    ['without access', () => github.createUserToken('mallory'), /not found/],
  ])('shows no branch of a private repository to somebody %s', async (_, token, why) => {
    const { code, stderr } = await as(token()).run('ls-remote', url);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(why);
  });

  it('lets everybody read a public repository, and lets nobody push to it without write access', async () => {
    github.createRepository('acme', 'open', { private: false });
    const anybody = as(null);
    expect(await anybody.run('clone', '--quiet', `${github.gitUrl}/acme/open`, '.')).toMatchObject({ code: 0 });
    expect((await anybody.run('push', 'origin', 'main:other')).code).not.toBe(0);
  });

  it('refuses an expired token', async () => {
    expect(await user.run('ls-remote', url)).toMatchObject({ code: 0 });
    now = new Date(now.getTime() + 60 * 60 * 1000);
    expect((await user.run('ls-remote', url)).code).not.toBe(0);
  });

  it('lets an app push workflow files only with the workflows permission, or if a branch already has them', async () => {
    const workflow = { '.github/workflows/ci.yml': 'on: push\n' };
    const { head } = repository.openPullRequest(workflow);
    await commitInClone('change-1');
    github.setPermission('acme', 'workflows', 'none');
    expect(await user.run('push', 'origin', 'HEAD:refs/heads/same')).toMatchObject({ code: 0 });
    repository.push(1, { '.github/workflows/ci.yml': 'on: pull_request\n' });
    repository.removeBranch('same');
    const refused = await user.run('push', 'origin', `${head.sha}:refs/heads/another`);
    expect(refused.stderr).toContain(
      'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
    );
    github.setPermission('acme', 'workflows', 'write');
    expect(await user.run('push', 'origin', `${head.sha}:refs/heads/another`)).toMatchObject({ code: 0 });
  });

  it('refuses a push by a reader', async () => {
    await commitInClone();
    github.setPermission('acme', 'contents', 'read');
    const { code, stderr } = await user.run('push', 'origin', 'HEAD:refs/heads/topic');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/403/);
    expect(repository.branches()).toEqual(['main']);
  });

  it('moves a pull request together with its branch', async () => {
    repository.openPullRequest({ 'a.txt': 'a\n' });
    const commit = await commitInClone('change-1');
    await user.run('push', '--quiet', 'origin', 'HEAD:change-1');
    expect(repository.pullRequest(1).head.sha).toBe(commit);
    expect(repository.record.world.head(1)).toBe(commit);
  });

  it('closes a pull request when its branch is deleted', async () => {
    repository.openPullRequest({ 'a.txt': 'a\n' });
    await user.run('init', '--quiet');
    await user.run('push', '--quiet', url, ':refs/heads/change-1');
    expect(repository.pullRequest(1)).toMatchObject({ state: 'closed', merged: null });
  });

  it('refuses every push to the refs of pull requests', async () => {
    await commitInClone();
    const { stderr } = await user.run('push', 'origin', 'HEAD:refs/pull/1/head');
    expect(stderr).toMatch(/deny updating a hidden ref/);
  });

  it('counts a pushed pull request as merged, even if the same push deletes its branch', async () => {
    const { head } = repository.openPullRequest({ 'a.txt': 'a\n' });
    repository.openPullRequest({ 'b.txt': 'b\n' });
    await user.run('clone', '--quiet', url, '.');
    await user.run('merge', '--quiet', '--no-ff', '--message', 'Merge #1', 'origin/change-1');
    const merge = (await user.run('rev-parse', 'HEAD')).stdout;
    await user.run('push', '--quiet', '--atomic', 'origin', 'HEAD:main', ':change-1');
    expect(repository.tip('main')).toBe(merge);
    expect(repository.pullRequest(1)).toMatchObject({ state: 'closed', merged: { commit: merge } });
    expect(repository.pullRequest(1).head.sha).toBe(head.sha);
    expect(repository.pullRequest(2)).toMatchObject({ state: 'open', merged: null });
  });

  it('accepts only one of two pushes that expect the same commit at the branch', async () => {
    const tip = repository.tip('main');
    await commitInClone();
    repository.pushToBranch('main', { 'b.txt': 'b\n' });
    const { stderr } = await user.run('push', `--force-with-lease=refs/heads/main:${tip}`, 'origin', 'HEAD:main');
    expect(stderr).toMatch(/stale info/);
  });

  describe('a protected branch', () => {
    it.each([
      ['classic', 'GH006: Protected branch update failed for refs/heads/main.'],
      ['ruleset', 'GH013: Repository rule violations found for refs/heads/main.'],
    ] as const)('refuses a commit without the required statuses, by %s rules', async (kind, words) => {
      repository.protect('main', { kind, requiredContexts: ['ci'] });
      const before = repository.tip('main');
      await commitInClone();
      const { code, stderr } = await user.run('push', 'origin', 'HEAD:main');
      expect(code).not.toBe(0);
      expect(stderr).toContain(words);
      expect(stderr).toContain('Required status check "ci" is expected.');
      expect(repository.tip('main')).toBe(before);
    });

    it('accepts a commit once its required statuses have passed', async () => {
      repository.protect('main', { requiredContexts: ['ci', 'lint'] });
      const commit = await commitInClone();
      await user.run('push', '--quiet', 'origin', 'HEAD:topic');
      repository.setStatus(commit, 'ci', 'success');
      repository.setCheckRun(commit, 'lint', 'failure');
      expect((await user.run('push', 'origin', 'HEAD:main')).stderr).toContain('"lint" is failing');
      repository.setCheckRun(commit, 'lint', 'success');
      expect(await user.run('push', 'origin', 'HEAD:main')).toMatchObject({ code: 0 });
      expect(repository.tip('main')).toBe(commit);
    });

    it('accepts any commit of an account that may bypass the rules', async () => {
      repository.protect('main', { requiredContexts: ['ci'], requiredApprovals: 1, bypass: [github.bot] });
      const commit = await commitInClone();
      expect(await user.run('push', 'origin', 'HEAD:main')).toMatchObject({ code: 0 });
      expect(repository.tip('main')).toBe(commit);
    });

    it('can neither be moved back nor deleted', async () => {
      const start = repository.tip('main');
      const tip = repository.pushToBranch('release', { 'b.txt': 'b\n' });
      repository.protect('release');
      await user.run('clone', '--quiet', url, '.');
      const back = await user.run('push', '--force', 'origin', `${start}:refs/heads/release`);
      expect(back.stderr).toContain('Cannot force-push to this branch');
      const gone = await user.run('push', 'origin', ':release');
      expect(gone.stderr).toContain('Cannot delete this branch');
      expect(repository.tip('release')).toBe(tip);
    });

    it('may be protected by a pattern, even before it exists', async () => {
      repository.protect('queue/**', { kind: 'ruleset', restrictsCreation: true });
      await commitInClone();
      const { stderr } = await user.run(
        'push',
        'origin',
        'HEAD:refs/heads/queue/pr-1/run',
        'HEAD:refs/heads/other/run',
      );
      expect(stderr).toContain('Cannot create ref due to creations being restricted.');
      expect(repository.branches()).toEqual(['main', 'other/run']);
    });

    it('makes an atomic push fail for its other branches, too', async () => {
      repository.protect('main', { requiredContexts: ['ci'] });
      await commitInClone();
      expect((await user.run('push', '--atomic', 'origin', 'HEAD:main', 'HEAD:topic')).code).not.toBe(0);
      expect(repository.branches()).toEqual(['main']);
    });
  });

  describe('a repository with a fork', () => {
    it("has the head of the fork's pull request, but not its branch", async () => {
      const fork = github.fork(repository, 'grace');
      const { head, number } = repository.openPullRequest({ 'a.txt': 'a\n' }, { fork, by: 'grace' });
      expect(repository.branches()).toEqual(['main']);
      expect(repository.record.world.head(number)).toBe(head.sha);
      const moved = repository.push(number, { 'a.txt': 'b\n' }, { by: 'grace' });
      expect((await user.run('ls-remote', url, `refs/pull/${number}/head`)).stdout).toContain(moved);
    });

    it('does not let the app push to the fork', async () => {
      const fork = github.fork(repository, 'grace');
      await commitInClone();
      const { stderr } = await user.run('push', `${github.gitUrl}/${fork.fullName}.git`, 'HEAD:main');
      expect(stderr).toMatch(/not found/);
    });
  });
});
