import { join } from 'node:path';
import type { BuildRequest, MergeMethod, PullRequestAtHead } from '../../src/domain/code-host.port';
import { BareRepository, runGit } from '../support/bare-repository';
import type { FileChanges } from '../support/commit-stream';
import { COMMITTER, makeGitHost, WIDGETS } from './hosts';

const AT = new Date('2026-03-01T12:00:00Z');
const DATES = { GIT_COMMITTER_DATE: '2026-03-01T12:00:00Z', GIT_AUTHOR_DATE: '2026-03-01T12:00:00Z' };
const SLUICE = { GIT_COMMITTER_NAME: COMMITTER.name, GIT_COMMITTER_EMAIL: COMMITTER.email };
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}`);
const START: FileChanges = {
  'README.md': 'hello\n',
  'src/long.txt': `${LINES.join('\n')}\n`,
  'src/old name.txt': `${LINES.toReversed().join('\n')}\n`,
  'image.bin': Buffer.from([0, 1, 2, 3, 255, 254]),
  'run.sh': { executable: 'echo hi\n' },
  link: { symlink: 'README.md' },
  'ünï/grüße.txt': 'hallo\n',
};

function changedLine(index: number, text: string): string {
  return `${LINES.map((line, at) => (at === index ? text : line)).join('\n')}\n`;
}

/** Each case has a name and the changes of the two sides. */
const CASES: readonly (readonly [string, FileChanges, FileChanges])[] = [
  [
    'both change other lines of a file',
    { 'src/long.txt': changedLine(30, 'theirs') },
    { 'src/long.txt': changedLine(3, 'ours') },
  ],
  [
    'it changes a file that the target renames',
    { 'src/long.txt': changedLine(30, 'x') },
    { 'src/long.txt': { renamedTo: 'src/moved.txt' } },
  ],
  [
    'it renames a file that the target changes',
    { 'src/long.txt': { renamedTo: 'lib/moved.txt' } },
    { 'src/long.txt': changedLine(3, 'y') },
  ],
  ['it changes a binary file', { 'image.bin': Buffer.from([9, 0, 9, 0]) }, { 'README.md': 'other\n' }],
  ['it takes the execute bit away', { 'run.sh': 'echo hi\n' }, { 'other.sh': { executable: 'x\n' } }],
  ['it points a symbolic link elsewhere', { link: { symlink: 'run.sh' } }, { 'README.md': 'other\n' }],
  ['it turns a file into a link', { 'README.md': { symlink: 'run.sh' } }, { 'new.txt': 'new\n' }],
  [
    'it adds and removes files with names beyond ASCII',
    { 'ünï/grüße.txt': null, 'ünï/日本.txt': 'x\n' },
    { 'README.md': 'other\n' },
  ],
  ['names hold quotes, blanks and line breaks', { 'a "b"\\c\nd': 'x\n' }, { ' e\tf ': 'y\n' }],
];

describe("Candidates have the same ids as git's own commits in a work tree", () => {
  let world: BareRepository;
  let workTree: string;

  beforeEach(() => {
    world = BareRepository.create('acme', 'widgets', START);
    workTree = join(world.folder, 'work');
  });

  afterEach(() => world.close());

  const at = (number: number, head: string): PullRequestAtHead => ({
    number,
    head,
    title: `Change ${number}`,
    body: 'First paragraph.\n\nSecond one: grüße.',
    author: 'Ada Lovelace',
    authorEmail: 'ada@example.com',
    headBranch: `topic-${number}`,
  });

  async function push(commit: string): Promise<void> {
    const request = { repository: WIDGETS, branch: 'q', commit, testRunId: 'run', requiredStatuses: [] };
    await makeGitHost(world).pushTestingBranch(request);
  }

  /** The tree of a run's commit, which only the host's clone has. */
  function runTree(commit: string): string {
    const clone = join(world.dataDirectory, 'clones', WIDGETS.host, WIDGETS.owner, `${WIDGETS.name}.git`);
    return runGit(clone, ['rev-parse', `${commit}^{tree}`]);
  }

  async function build(
    mergeMethod: MergeMethod,
    pullRequests: readonly PullRequestAtHead[],
    committedAt = AT,
  ): Promise<string> {
    const tip = world.tip('main');
    const request: BuildRequest = {
      repository: WIDGETS,
      targetBranch: 'main',
      onto: tip,
      targetTip: tip,
      alreadyMerged: [],
      pullRequests,
      mergeMethod,
      committedAt,
    };
    const outcome = await makeGitHost(world).buildCandidate(request);
    if (outcome.type !== 'built') throw new Error(JSON.stringify(outcome));
    return outcome.commit;
  }

  /** The tree of the merge, made in a work tree with ordinary git commands. */
  function inWorkTree(mergeMethod: MergeMethod, pullRequests: readonly PullRequestAtHead[]): string {
    runGit(world.folder, ['clone', '--quiet', world.bare, workTree]);
    const git = (args: string[], env: Record<string, string> = {}) =>
      runGit(workTree, args, { ...DATES, ...SLUICE, ...env });
    for (const one of pullRequests) {
      git(['fetch', '--quiet', 'origin', `refs/pull/${one.number}/head`]);
      if (mergeMethod === 'merge_commit') {
        const author = { GIT_AUTHOR_NAME: COMMITTER.name, GIT_AUTHOR_EMAIL: COMMITTER.email };
        const message = `Merge pull request #${one.number} from ${one.headBranch}\n\n${one.title}`;
        git(['merge', '--quiet', '--no-ff', '-m', message, 'FETCH_HEAD'], author);
      } else if (mergeMethod === 'squash') {
        const [first = ''] = git(['log', '--reverse', '--no-merges', '--format=%an|%ae', 'HEAD..FETCH_HEAD']).split(
          '\n',
        );
        const [name = '', email = ''] = first.split('|');
        const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email };
        git(['merge', '--quiet', '--squash', 'FETCH_HEAD']);
        git(['commit', '--quiet', '-m', `${one.title} (#${one.number})\n\n${one.body}`], author);
      } else {
        git(['checkout', '--quiet', '-b', 'picks', 'FETCH_HEAD']);
        git(['rebase', '--quiet', '--force-rebase', '--reapply-cherry-picks', 'main']);
        git(['checkout', '--quiet', '-B', 'main', 'picks']);
        git(['branch', '--quiet', '-D', 'picks']);
      }
    }
    return git(['rev-parse', 'HEAD']);
  }

  describe.each(['merge_commit', 'squash', 'rebase'] as const)('by %s', (method) => {
    it.each(CASES)('when %s', async (_, theirs, ours) => {
      const one = at(
        1,
        world.openPullRequest(1, theirs, { author: 'Grace', email: 'grace@example.com', body: 'Why.' }),
      );
      world.pushTo('main', ours);
      const candidate = await build(method, [one]);
      expect(candidate).toBe(inWorkTree(method, [one]));
    });

    it('for ten pull requests together, of one to three commits each', async () => {
      const ten: PullRequestAtHead[] = [];
      for (let number = 1; number <= 10; number++) {
        world.openPullRequest(number, { [`${number}.txt`]: 'one\n' }, { author: `Author ${number}` });
        if (number % 2 === 0) world.pushToPullRequest(number, { [`${number}.txt`]: 'two\n' });
        if (number % 3 === 0) world.pushToPullRequest(number, { [`sub/${number}.txt`]: 'three\n' });
        ten.push(at(number, world.head(number) ?? ''));
      }
      world.pushTo('main', { 'src/long.txt': changedLine(1, 'meanwhile') });
      const candidate = await build(method, ten);
      expect(candidate).toBe(inWorkTree(method, ten));
    });

    it('with merge drivers in .gitattributes, at the top and in folders, also when a pull request adds them', async () => {
      const attributes = { '.gitattributes': '*.log merge=union\n', 'sub/.gitattributes': 'news merge=union\n' };
      world.pushTo('main', { ...attributes, 'a.log': 'start\n', 'sub/news': 'start\n', 'c.md': 'start\n' });
      const one = at(1, world.openPullRequest(1, { 'a.log': 'start\none\n', '.gitattributes': '* merge=union\n' }));
      const two = at(
        2,
        world.openPullRequest(2, { 'a.log': 'start\ntwo\n', 'sub/news': 'start\ntwo\n', 'c.md': 'two\n' }),
      );
      const three = at(3, world.openPullRequest(3, { 'sub/news': 'start\nthree\n', 'c.md': 'three\n' }));
      const candidate = await build(method, [one, two, three]);
      expect(candidate).toBe(inWorkTree(method, [one, two, three]));
    });
  });

  it('by rebase, when the head contains merges of the target, changes that the target has already and empty commits', async () => {
    world.openPullRequest(1, { 'one.txt': 'one\n' });
    world.pushToPullRequest(1, { 'src/long.txt': changedLine(20, 'shared') }, { title: 'Already there' });
    const shared = world.pushTo('main', { 'src/long.txt': changedLine(20, 'shared') }, 'Already there');
    runGit(world.folder, ['clone', '--quiet', world.bare, `${workTree}-author`]);
    const author = (...args: string[]) => runGit(`${workTree}-author`, args);
    author('fetch', '--quiet', 'origin', 'refs/pull/1/head');
    author('checkout', '--quiet', 'FETCH_HEAD');
    author('merge', '--quiet', '--no-ff', '-m', 'Merge the target', shared);
    author('commit', '--quiet', '--allow-empty', '-m', 'Empty on purpose');
    author('push', '--quiet', '--force', 'origin', 'HEAD:refs/pull/1/head');
    world.pushToPullRequest(1, { 'two.txt': 'two\n' });
    world.pushTo('main', { 'README.md': 'meanwhile\n' });
    const one = at(1, world.head(1) ?? '');
    const candidate = await build('rebase', [one]);
    expect(candidate).toBe(inWorkTree('rebase', [one]));
    await push(candidate);
    expect(world.inBare('log', '--format=%s', 'main..q').split('\n')).toEqual([
      'Change 1',
      'Empty on purpose',
      'Change 1',
    ]);
  });

  it("by rebase, when the authors' clocks are ahead of the service's clock", async () => {
    const six: PullRequestAtHead[] = [];
    for (let number = 1; number <= 6; number++)
      six.push(at(number, world.openPullRequest(number, { [`${number}`]: 'x' })));
    world.pushTo('main', { 'README.md': 'meanwhile\n' });
    const candidate = await build('rebase', six, new Date('2020-01-01T00:00:00Z'));
    await push(candidate);
    expect(world.inBare('rev-list', '--count', 'main..q')).toBe('6');
    expect(world.inBare('rev-parse', 'q^{tree}')).toBe(runTree(await build('squash', six)));
  });

  it('with author names and messages that a commit cannot store completely', async () => {
    const head = world.openPullRequest(1, { 'one.txt': 'one\n' });
    const one: PullRequestAtHead = {
      ...at(1, head),
      title: '  -F /etc/passwd\nsecond\0 line ',
      body: '\r\nbody\r\n\0',
      author: '<>\n',
      authorEmail: 'a<b>@c\n',
    };
    const candidate = await build('squash', [one]);
    await push(candidate);
    expect(world.inBare('log', '-1', '--format=%an|%ae|%B', 'q')).toBe(
      'Ada|ada@example.com|-F /etc/passwd second line (#1)\n\nbody\n\n* Change 1\n',
    );
  });
});
