import { runGit } from '../bare-repository';
import { GitHubClient, type ClientAnswer } from './github-client';
import { GitHubDouble } from './github-double';
import type { MergeMethod } from '../forge/merge-commits';
import type { RepositoryDouble } from './repository-double';

describe('pull requests of the mock GitHub', () => {
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let client: GitHubClient;

  beforeEach(async () => {
    github = await GitHubDouble.start({ now: () => new Date('2026-03-01T12:00:00Z') });
    repository = github.createRepository('acme', 'widgets', { files: { 'a.txt': '1\n', 'b.txt': '1\n' } });
    client = new GitHubClient(github, 'acme/widgets');
  });

  afterEach(() => github.close());

  const git = (...args: string[]): string => runGit(repository.record.world.bare, args);

  const read = async (number = 1): Promise<[unknown, unknown]> => {
    const { body } = await client.ask('GET', `pulls/${number}`);
    const { mergeable, mergeable_state } = body as Record<string, unknown>;
    return [mergeable, mergeable_state];
  };

  const merge = (body: Readonly<Record<string, unknown>> = {}, number = 1): Promise<ClientAnswer> =>
    client.ask('PUT', `pulls/${number}/merge`, { body });

  describe('mergeability', () => {
    it('is unknown at the first read, and again after base or head have moved', async () => {
      repository.openPullRequest({ 'a.txt': '2\n' });
      expect(await read()).toEqual([null, 'unknown']);
      expect(await read()).toEqual([true, 'clean']);
      repository.pushToBranch('main', { 'b.txt': '2\n' });
      expect(await read()).toEqual([null, 'unknown']);
      expect(await read()).toEqual([true, 'clean']);
      repository.push(1, { 'a.txt': '3\n' });
      expect(await read()).toEqual([null, 'unknown']);
      expect(await read()).toEqual([true, 'clean']);
    });

    it('stays unknown for as many reads as a test sets', async () => {
      repository.answerUnknown(3);
      repository.openPullRequest({ 'a.txt': '2\n' });
      const states = [await read(), await read(), await read(), await read()].map(([, state]) => state);
      expect(states).toEqual(['unknown', 'unknown', 'unknown', 'clean']);
    });

    it('is computed by a real merge', async () => {
      repository.openPullRequest({ 'a.txt': '2\n' });
      repository.pushToBranch('main', { 'a.txt': '3\n' });
      await read();
      expect(await read()).toEqual([false, 'dirty']);
    });

    it.each<[string, () => void]>([
      ['draft', () => repository.convertToDraft(1)],
      ['unstable', () => void repository.setStatus(repository.pullRequest(1).head.sha, 'other', 'failure')],
      ['blocked', () => repository.protect('main', { requiredContexts: ['ci'] })],
      ['blocked', () => repository.protect('main', { requiredApprovals: 1 })],
      ['behind', () => repository.protect('main', { strict: true })],
      ['unknown', () => repository.closePullRequest(1)],
    ])('is %s after that change of the pull request', async (state, change) => {
      repository.openPullRequest({ 'a.txt': '2\n' });
      repository.pushToBranch('main', { 'b.txt': '2\n' });
      await read();
      change();
      expect((await read())[1]).toBe(state);
    });
  });

  describe('the merge button', () => {
    beforeEach(() => {
      repository.openPullRequest({ 'a.txt': '2\n' }, { title: 'Two', by: 'grace' });
      repository.push(1, { 'a.txt': '3\n' }, { title: 'three', by: 'grace' });
      repository.pushToBranch('main', { 'b.txt': '2\n' });
    });

    it.each<[MergeMethod, number, string, string, string]>([
      ['merge', 2, 'Merge pull request #1 from acme/change-1\n\nTwo', 'sluice[bot]', 'GitHub'],
      ['squash', 1, 'Two (#1)\n\n* Two\n\n* three', 'grace', 'GitHub'],
      ['rebase', 1, 'three', 'grace', 'GitHub'],
    ])('puts the merged tree on the base by %s', async (method, parents, message, author, committer) => {
      const before = repository.tip('main');
      const { status, body } = await merge({ merge_method: method });
      expect(status).toBe(200);
      const tip = repository.tip('main');
      expect(body).toMatchObject({ merged: true, sha: tip });
      expect(repository.files(tip)).toEqual({ 'a.txt': '3\n', 'b.txt': '2\n' });
      expect(git('show', '-s', '--format=%P', tip).split(' ')).toHaveLength(parents);
      expect(git('show', '-s', '--format=%B', tip).trim()).toBe(message);
      expect(git('show', '-s', '--format=%an/%cn', tip)).toBe(`${author}/${committer}`);
      expect(git('rev-list', '--count', '--first-parent', `${before}..${tip}`)).toBe(method === 'rebase' ? '2' : '1');
      expect(repository.pullRequest(1)).toMatchObject({ state: 'closed', merged: { commit: tip } });
    });

    it('uses the commit title and message of the request', async () => {
      await merge({ merge_method: 'squash', commit_title: 'Both', commit_message: 'Because.' });
      expect(git('show', '-s', '--format=%B', repository.tip('main')).trim()).toBe('Both\n\nBecause.');
    });

    const refusals: readonly [string, number, string, Readonly<Record<string, unknown>>, () => void][] = [
      ['a head that has moved', 409, 'Head branch was modified', { sha: '1'.repeat(40) }, () => undefined],
      ['a draft', 405, 'still a draft', {}, () => repository.convertToDraft(1)],
      ['what is closed', 405, 'Pull Request is not mergeable', {}, () => repository.closePullRequest(1)],
      ['a conflict', 405, 'not mergeable', {}, () => void repository.pushToBranch('main', { 'a.txt': '9\n' })],
      [
        'a missing status',
        405,
        'Required status check "ci" is expected.',
        {},
        () => repository.protect('main', { requiredContexts: ['ci'] }),
      ],
      [
        'a missing review',
        405,
        'At least 1 approving review is required by reviewers with write access.',
        {},
        () => repository.protect('main', { requiredApprovals: 1 }),
      ],
      [
        'a method that the repository does not allow',
        405,
        'Squash merges are not allowed on this repository.',
        { merge_method: 'squash' },
        () => repository.allowMergeMethods('merge'),
      ],
      [
        'a rebase that conflicts half way',
        405,
        "This branch can't be rebased",
        { merge_method: 'rebase' },
        () => void repository.pushToBranch('main', { 'a.txt': '3\n' }),
      ],
      [
        'a base that has just moved, when told to',
        405,
        'Base branch was modified. Review and try the merge again.',
        {},
        () => github.faults.answer('pulls/merge', 405, 'Base branch was modified. Review and try the merge again.', {}),
      ],
    ];

    it.each(refusals)('refuses %s with %i, and does not move the branch', async (_, status, words, body, change) => {
      change();
      const before = repository.tip('main');
      const answer = await merge(body);
      expect(answer.status).toBe(status);
      expect((answer.body as { message: string }).message).toContain(words);
      expect(repository.tip('main')).toBe(before);
      expect(repository.pullRequest(1).merged).toBeNull();
    });

    it('merges if the rules are met, and always for accounts that may bypass the rules', async () => {
      repository.protect('main', { requiredContexts: ['ci'], requiredApprovals: 1 });
      repository.setCheckRun(repository.pullRequest(1).head.sha, 'ci', 'success');
      expect((await merge()).status).toBe(405);
      repository.changePermission('grace', 'write');
      repository.review(1, 'APPROVED');
      expect((await merge()).status).toBe(200);
      repository.openPullRequest({ 'c.txt': '1\n' });
      repository.protect('main', { requiredContexts: ['ci'], bypass: [github.bot] });
      expect((await merge({}, 2)).status).toBe(200);
    });
  });

  it('are opened at most once per branch and base, and listed with the newest first', async () => {
    repository.openPullRequest({ 'a.txt': '2\n' });
    repository.openPullRequest({ 'a.txt': '3\n' }, { number: 7 });
    const twin = await client.ask('POST', 'pulls', { body: { title: 'again', head: 'acme:change-1', base: 'main' } });
    expect(twin.status).toBe(422);
    expect(twin.text).toContain('A pull request already exists for acme:change-1.');
    const { body } = await client.ask('GET', 'pulls');
    expect((body as { number: number }[]).map(({ number }) => number)).toEqual([7, 1]);
    expect(repository.openPullRequest({ 'a.txt': '4\n' }).number).toBe(8);
  });

  it('are listed page by page', async () => {
    for (const content of ['2', '3', '4']) repository.openPullRequest({ 'a.txt': `${content}\n` });
    const first = await client.ask('GET', 'pulls?per_page=2');
    expect(first.body).toHaveLength(2);
    const next = /<[^>]*(\/repos[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await client.ask('GET', next ?? 'missing');
    expect(second.body).toHaveLength(1);
    expect(second.headers.get('link')).toContain('rel="prev"');
  });
});
