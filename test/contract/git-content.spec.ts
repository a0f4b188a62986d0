import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  BuildRequest,
  CandidateOutcome,
  MergedBelow,
  MergeMethod,
  PullRequestAtHead,
} from '../../src/domain/code-host.port';
import { BareRepository, runGit } from '../support/bare-repository';
import type { FileChanges } from '../support/commit-stream';
import { makeGitHost, WIDGETS } from './hosts';

const AT = new Date('2026-03-01T12:00:00Z');
const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}`);

function withLine(index: number, text: string): string {
  return `${LINES.map((line, at) => (at === index ? text : line)).join('\n')}\n`;
}

/**
 * With every method, the candidate has the content that a real merge commit of the pull request has. If a method cannot
 * reach this content, nothing is built.
 */
describe('The candidate for a pull request', () => {
  let world: BareRepository;

  beforeEach(() => {
    world = BareRepository.create('acme', 'widgets', { 'a.txt': withLine(0, 'first'), secret: 'old\n' });
  });
  afterEach(() => world.close());

  const at = (
    number: number,
    below: readonly string[] = [],
    landed: MergedBelow['landed'] = null,
  ): PullRequestAtHead => ({
    number,
    head: world.head(number) ?? '',
    title: `Change ${number}`,
    body: '',
    author: 'Ada',
    authorEmail: 'ada@example.com',
    headBranch: `topic-${number}`,
    ...(below.length > 0 && { mergedBelow: below.map((commit) => ({ commit, landed })) }),
  });

  function build(mergeMethod: MergeMethod, ...pullRequests: readonly PullRequestAtHead[]): Promise<CandidateOutcome> {
    const tip = world.tip('main');
    const request: BuildRequest = {
      ...{ repository: WIDGETS, targetBranch: 'main', onto: tip, targetTip: tip, alreadyMerged: [] },
      ...{ pullRequests, mergeMethod, committedAt: AT },
    };
    return makeGitHost(world).buildCandidate(request);
  }

  /** Path and content of each file of a candidate. Only the host's clone has the candidate. */
  function filesOf(outcome: CandidateOutcome): Record<string, string> {
    if (outcome.type !== 'built') throw new Error(JSON.stringify(outcome));
    const clone = join(world.dataDirectory, 'clones', WIDGETS.host, WIDGETS.owner, `${WIDGETS.name}.git`);
    const paths = runGit(clone, ['ls-tree', '-r', '--name-only', outcome.commit]).split('\n');
    return Object.fromEntries(paths.map((path) => [path, runGit(clone, ['show', `${outcome.commit}:${path}`])]));
  }

  /** The last commit of a candidate, in a format of `git log`. */
  function commitOf(outcome: CandidateOutcome, format: string): string {
    if (outcome.type !== 'built') throw new Error(JSON.stringify(outcome));
    const clone = join(world.dataDirectory, 'clones', WIDGETS.host, WIDGETS.owner, `${WIDGETS.name}.git`);
    return runGit(clone, ['log', '-1', `--format=${format}`, outcome.commit]);
  }

  /** Runs commands in a work tree at the head of a pull request, and pushes at the end. */
  function author(number: number, ...commands: readonly (readonly string[])[]): void {
    const folder = join(world.folder, `author-${number}-${world.head(number)}`);
    runGit(world.folder, ['clone', '--quiet', world.bare, folder]);
    const who = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
    const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
    const git = (args: readonly string[]) => runGit(folder, [...args], { ...who, ...committer });
    git(['fetch', '--quiet', 'origin', `refs/pull/${number}/head`]);
    git(['checkout', '--quiet', 'FETCH_HEAD']);
    for (const command of commands) git(command);
    git(['push', '--quiet', '--force', 'origin', `HEAD:refs/pull/${number}/head`]);
  }

  describe('by rebase', () => {
    it('is not built if a merge commit of the branch has a change of its own, which would be lost', async () => {
      world.openPullRequest(1, { 'b.txt': 'new\n' });
      world.pushTo('main', { 'c.txt': 'meanwhile\n' });
      const script = 'git merge --quiet --no-commit --no-ff origin/main && echo new >secret && git add secret';
      author(1, ['-c', `alias.evil=!${script}`, 'evil'], ['commit', '--quiet', '-m', 'Merge the target']);
      const merge = world.head(1)!.slice(0, 7);
      expect(await build('rebase', at(1))).toEqual({
        type: 'refused',
        number: 1,
        why: `Rebasing would lose what merge commit ${merge} changed in \`secret\`: rebase the branch yourself, or squash.`,
      });
      expect(filesOf(await build('squash', at(1)))).toMatchObject({ secret: 'new' });
    });

    it('is not built if the branch made and reverted the same change as the target, because it would be undone', async () => {
      world.openPullRequest(1, { secret: 'new\n' });
      world.pushToPullRequest(1, { secret: 'old\n' }, { title: 'Revert' });
      world.pushToPullRequest(1, { 'b.txt': 'new\n' });
      const revert = runGit(world.bare, ['rev-parse', '--short=7', 'refs/pull/1/head~1']);
      world.pushTo('main', { secret: 'new\n' });
      expect(await build('rebase', at(1))).toEqual({
        type: 'refused',
        number: 1,
        why: `Rebasing would change \`secret\` otherwise than a merge by commit ${revert}: rebase the branch yourself, or squash.`,
      });
      expect(filesOf(await build('squash', at(1)))).toMatchObject({ secret: 'new', 'b.txt': 'new' });
    });

    it('has a change that the target also had and then reverted', async () => {
      world.openPullRequest(1, { 'a.txt': withLine(0, 'changed') });
      world.pushTo('main', { 'a.txt': withLine(0, 'changed') }, 'The same, landed');
      world.pushTo('main', { 'a.txt': withLine(0, 'first') }, 'Revert');
      expect(filesOf(await build('rebase', at(1)))['a.txt']).toMatch(/^changed\n/);
    });

    it('keeps the text encoding of its commits', async () => {
      const head = world.openPullRequest(1, { 'b.txt': 'new\n' });
      const message = join(world.folder, 'message');
      writeFileSync(message, Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
      const encoding = ['-c', 'i18n.commitEncoding=ISO-8859-1'];
      const from = ['-p', world.tip('main'), '-F', message];
      world.setPullRequest(1, runGit(world.bare, [...encoding, 'commit-tree', `${head}^{tree}`, ...from]));
      world.pushTo('main', { 'c.txt': 'meanwhile\n' });
      const outcome = await build('rebase', at(1));
      expect(commitOf(outcome, '%e|%s|%cn')).toBe('ISO-8859-1|Grüße|Sluice');
      expect(filesOf(outcome)).toMatchObject({ 'b.txt': 'new', 'c.txt': 'meanwhile' });
    });

    it('leaves out changes that the target already has', async () => {
      world.openPullRequest(1, { 'a.txt': withLine(0, 'changed') });
      world.pushToPullRequest(1, { 'b.txt': 'new\n' });
      world.pushTo('main', { 'a.txt': withLine(0, 'changed') }, 'The same, landed');
      expect(filesOf(await build('rebase', at(1)))).toMatchObject({ 'b.txt': 'new' });
    });
  });

  describe.each(['squash', 'rebase'] as const)('in a stack whose first pull request was merged by %s', (method) => {
    /**
     * Merges the first pull request of the stack without its commits. The pull request has two commits, which change
     * the same line.
     */
    function landFirst(): string {
      world.openPullRequest(1, { 'a.txt': withLine(0, 'one'), 'new.txt': 'new\n' });
      const head = world.pushToPullRequest(1, { 'a.txt': withLine(0, 'two') });
      world.openPullRequest(2, { 'a.txt': withLine(0, 'three') }, { from: head });
      world.pushToPullRequest(2, { 'new.txt': null });
      world.pushTo('main', { 'a.txt': withLine(0, 'two'), 'new.txt': 'new\n' }, 'Change 1 (#1)');
      return head;
    }

    it('has the change of the second pull request on top of the first, and does not restore a removed file', async () => {
      const head = landFirst();
      const files = filesOf(await build(method, at(2, [head])));
      expect(files['a.txt']).toMatch(/^three\n/);
      expect(Object.keys(files)).not.toContain('new.txt');
    });

    it('is right if the second pull request was built on an older head of the first', async () => {
      const head = landFirst();
      world.pushToPullRequest(1, { 'late.txt': 'late\n' });
      world.pushTo('main', { 'late.txt': 'late\n' }, 'The rest of change 1');
      const files = filesOf(await build(method, at(2, [head, world.head(1)!])));
      expect([files['a.txt']?.split('\n')[0], files['late.txt'], files['new.txt']]).toEqual([
        'three',
        'late',
        undefined,
      ]);
    });

    it('has the changes of both pull requests if the target reverted the first meanwhile', async () => {
      const below = world.tip('main');
      const head = landFirst();
      const landed = { below, commit: world.tip('main') };
      world.pushTo('main', { 'a.txt': withLine(0, 'first'), 'new.txt': null }, 'Revert change 1');
      world.pushToPullRequest(2, { 'new.txt': 'new again\n' });
      const files = filesOf(await build(method, at(2, [head], landed)));
      expect([files['a.txt']?.split('\n')[0], files['new.txt']]).toEqual(['three', 'new again']);
    });

    it('is not built without the head of the first pull request: git finds a conflict', async () => {
      landFirst();
      expect(await build(method, at(2))).toMatchObject({ type: 'conflict', number: 2 });
    });
  });

  describe('by squash', () => {
    const GRACE = { author: 'Grace', email: 'grace@example.com' };

    it('has the author of the first commit, the titles of all commits, and each person and trailer once', async () => {
      const signed = 'Signed-off-by: Ada <ada@example.com>';
      world.openPullRequest(1, { 'a.txt': 'one\n' }, { title: 'Begin', body: `Why.\n\nRefs: #7\n${signed}` });
      world.pushToPullRequest(1, { 'a.txt': 'two\n' }, { title: 'Go on', body: signed, ...GRACE });
      world.pushToPullRequest(1, { 'a.txt': 'three\n' }, { title: 'fixup! Begin', ...GRACE, author: 'G. Hopper' });
      const one = { ...at(1), title: 'What the host calls it', body: 'Described.\r\n\r\nRefs: #7' };
      const built = await build('squash', one);
      expect(commitOf(built, '%an <%ae>%n%B')).toBe(
        [
          'Ada <ada@example.com>',
          'What the host calls it (#1)',
          '',
          'Described.',
          '',
          '* Begin',
          '* Go on',
          '',
          'Refs: #7',
          signed,
          'Co-authored-by: Grace <grace@example.com>',
          '',
        ].join('\n'),
      );
    });

    it.each(['2026-02-01T12:00:00Z', '2026-02-03T12:00:00Z'])(
      'is an empty commit if the branch merged the target and changes nothing more (its stack began at %s)',
      async (begun) => {
        const commit = (parent: string, files: FileChanges, date: string): string => {
          const tree = world.inBare('rev-parse', `${world.commitTo('refs/scratch/new', parent, files)}^{tree}`);
          const dates = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
          return runGit(world.bare, ['commit-tree', tree, '-p', parent, '-m', 'Change'], dates);
        };
        const first = commit(world.tip('main'), { 'b.txt': 'new\n' }, begun);
        world.pushTo('main', { 'c.txt': 'meanwhile\n' });
        world.setBranch('main', commit(world.tip('main'), { 'b.txt': 'new\n' }, '2026-02-02T12:00:00Z'));
        world.setPullRequest(2, first);
        author(2, ['merge', '--quiet', '--no-ff', '-m', 'Take in the target', 'origin/main']);
        world.pushTo('main', { 'd.txt': 'later\n' });
        const built = await build('squash', at(2, [first]));
        expect(built).not.toMatchObject({ alreadyThere: [2] });
        expect(commitOf(built, '%P')).toBe(world.tip('main'));
      },
    );

    it('has only title, number and description if the only commit has the title of the pull request', async () => {
      world.openPullRequest(1, { 'a.txt': 'one\n' }, { title: 'Begin' });
      const built = await build('squash', { ...at(1), title: 'Begin', body: 'Described: in words.' });
      expect(commitOf(built, '%B')).toBe('Begin (#1)\n\nDescribed: in words.\n');
    });
  });
});
