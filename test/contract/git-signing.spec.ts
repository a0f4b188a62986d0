import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitKeyIn } from '../../src/code-hosts/git/signing/commit-key';
import type { BuildRequest, MergeMethod, PullRequestAtHead } from '../../src/domain/code-host.port';
import { BareRepository, runGit } from '../support/bare-repository';
import { describeWhere } from '../support/only-where';
import { allowSigners, commitKeyOfFile, makeSshKey, SSH_KEYGEN } from '../support/signing-keys';
import { COMMITTER, makeGitHost, WIDGETS } from './hosts';

const AT = new Date('2026-03-01T12:00:00Z');
const METHODS: readonly MergeMethod[] = ['merge_commit', 'squash', 'rebase'];

/** git itself verifies the service's signatures. */
describeWhere(SSH_KEYGEN)('Commits that the service signs', () => {
  let world: BareRepository;
  let keyFile: string;

  beforeEach(() => {
    world = BareRepository.create();
    keyFile = makeSshKey(world.folder, 'key');
  });
  afterEach(() => world.close());

  const host = (data?: string) =>
    makeGitHost(world, { data, committer: { ...COMMITTER, key: commitKeyOfFile(keyFile) } });

  function requestFor(mergeMethod: MergeMethod, ...numbers: readonly number[]): BuildRequest {
    const tip = world.tip('main');
    const pullRequests = numbers.map((number): PullRequestAtHead => ({
      ...{ number, head: world.head(number) ?? '', title: `Change ${number}`, body: 'Why – “so”.', author: 'Ada' },
      ...{ authorEmail: 'ada@example.com', headBranch: `topic-${number}` },
    }));
    return {
      ...{ repository: WIDGETS, targetBranch: 'main', onto: tip, targetTip: tip, alreadyMerged: [] },
      ...{ pullRequests, mergeMethod, committedAt: AT },
    };
  }

  async function build(request: BuildRequest, data?: string): Promise<string> {
    const outcome = await host(data).buildCandidate(request);
    if (outcome.type !== 'built') throw new Error(JSON.stringify(outcome));
    return outcome.commit;
  }

  const cloneIn = (data: string) => join(data, 'clones', WIDGETS.host, WIDGETS.owner, `${WIDGETS.name}.git`);

  /** git's letter for the signature of each commit: G is good, N is none. */
  function signatures(commits: readonly string[], allowed: string): string {
    const config = ['-c', `gpg.ssh.allowedSignersFile=${allowed}`];
    const args = [...config, 'log', '--no-walk=unsorted', '--format=%G?', ...commits];
    return runGit(cloneIn(world.dataDirectory), args).split('\n').join('');
  }

  const commitsOf = (commit: string, above: string): readonly string[] =>
    runGit(cloneIn(world.dataDirectory), ['rev-list', '--first-parent', `${above}..${commit}`]).split('\n');

  it.each(METHODS)('are verified by git: %s', async (method) => {
    world.openPullRequest(1, { 'a.txt': 'one\n' });
    world.pushToPullRequest(1, { 'a.txt': 'two\n' });
    world.openPullRequest(2, { 'b.txt': 'one\n' });
    const tip = world.tip('main');
    const built = await build(requestFor(method, 1, 2));
    const commits = commitsOf(built, tip);
    expect(commits).toHaveLength(method === 'rebase' ? 3 : 2);
    const own = allowSigners(world.folder, { [COMMITTER.email]: keyFile });
    expect(signatures(commits, own)).toBe('G'.repeat(commits.length));
    const others = allowSigners(world.folder, { [COMMITTER.email]: makeSshKey(world.folder, 'other') });
    expect(signatures(commits, others)).not.toContain('G');
  });

  it.each(METHODS)('get the same id from every process that makes such a commit: %s', async (method) => {
    world.openPullRequest(1, { 'a.txt': 'one\n' });
    const request = requestFor(method, 1);
    const again = await build(request, join(world.folder, 'elsewhere'));
    expect(await build(request)).toBe(again);
  });

  it('have the same tree, parents, people and message as without a key', async () => {
    world.openPullRequest(1, { 'a.txt': 'one\n' });
    const request = requestFor('squash', 1);
    const signed = await build(request);
    const plain = await makeGitHost(world).buildCandidate(request);
    if (plain.type !== 'built') throw new Error(plain.type);
    const contentOf = (commit: string): string =>
      runGit(cloneIn(world.dataDirectory), ['cat-file', 'commit', commit]).replace(/^gpgsig .*\n( .*\n)*/m, '');
    expect(signed).not.toBe(plain.commit);
    expect(contentOf(signed)).toBe(contentOf(plain.commit));
  });

  it('are also signed if their text is not UTF-8', async () => {
    world.openPullRequest(1, { 'a.txt': 'one\n' });
    const message = Buffer.from('Gr\xfcn\n', 'latin1');
    const above = [`tree ${world.inBare('rev-parse', 'refs/pull/1/head^{tree}')}`, `parent ${world.tip('main')}`];
    const who = ['author', 'committer'].map((role) => `${role} Ada <ada@example.com> 1 +0000`);
    const headers = [...above, ...who, 'encoding ISO-8859-1', '', ''].join('\n');
    const input = Buffer.concat([Buffer.from(headers), message]);
    const args = ['hash-object', '-t', 'commit', '-w', '--stdin'];
    world.setPullRequest(1, execFileSync('git', args, { cwd: world.bare, input }).toString().trim());
    const built = await build(requestFor('rebase', 1));
    expect(signatures([built], allowSigners(world.folder, { [COMMITTER.email]: keyFile }))).toBe('G');
  });

  it('merge as they were tested', async () => {
    world.openPullRequest(1, { 'a.txt': 'one\n' });
    const request = requestFor('squash', 1);
    const built = await build(request);
    const outcome = await host().land({
      ...{ ...request, expectedTip: request.onto, committedAt: new Date('2026-03-02T12:00:00Z') },
      ...{ testedCommit: built, testedTree: null, testingBranches: [] },
    });
    expect(outcome).toMatchObject({ type: 'landed', tip: { commit: built } });
    expect(world.tip('main')).toBe(built);
  });

  it.each([
    ['a key with a passphrase', { passphrase: 'secret words' }, /^is locked with a passphrase/],
    ['a key whose signatures hold chance', { type: ['ecdsa'] }, /^contains a key of type ecdsa-sha2-nistp256/],
    ['a key of RSA', { type: ['rsa', '-b', '1024'] }, /^contains a key of type ssh-rsa/],
    ['a key of RSA as PEM', { type: ['rsa', '-b', '1024', '-m', 'PEM'] }, /^contains a key of type rsa/],
  ])('are not made with an unusable key: %s', (_what, options, why) => {
    const file = makeSshKey(world.folder, 'unfit', options);
    expect(commitKeyIn(readFileSync(file, 'utf8'))).toEqual({ why: expect.stringMatching(why) as string });
    const isPublic = commitKeyIn(readFileSync(`${file}.pub`, 'utf8'));
    expect(isPublic).toEqual({ why: 'contains a public key. Name the file without ".pub".' });
  });
});
