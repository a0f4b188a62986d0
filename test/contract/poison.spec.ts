import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MERGE_METHODS,
  type CandidateOutcome,
  type MergeMethod,
  type PullRequestAtHead,
} from '../../src/domain/code-host.port';
import type { GitHost } from '../../src/code-hosts/git/git-host';
import { GitRefused } from '../../src/code-hosts/git/git-command';
import { endGitSooner } from '../support/git-limits';
import { BareRepository } from '../support/bare-repository';
import { Poison } from '../support/poison';
import { makeGitHost, WIDGETS } from './hosts';

const BRANCH = 'sluice-merge/pr-1/run';

let world: BareRepository;
let poison: Poison;
let host: GitHost;

beforeEach(() => {
  world = BareRepository.create();
  poison = new Poison(world);
  host = makeGitHost(world);
});

afterEach(() => world.close());

function at(number: number, head: string): PullRequestAtHead {
  const told = { title: `Change ${number}`, body: '', author: 'Ada', authorEmail: 'ada@example.com' };
  return { number, head, headBranch: null, ...told };
}

function build(
  pullRequests: readonly PullRequestAtHead[],
  mergeMethod: MergeMethod = 'merge_commit',
): Promise<CandidateOutcome> {
  const tip = world.tip('main');
  const fixed = {
    repository: WIDGETS,
    targetBranch: 'main',
    targetTip: tip,
    committedAt: new Date('2026-03-01T12:00:00Z'),
  };
  return host.buildCandidate({ ...fixed, onto: tip, alreadyMerged: [], pullRequests, mergeMethod });
}

describe('attack 12: a commit that cannot be checked out', () => {
  it.each([
    ['a path that leads out', (): string => poison.openPullRequest(2, [{ name: '..', tree: leaf() }]), /path ".*\.\./],
    ['a .git folder of its own', (): string => poison.openPullRequest(2, [{ name: '.GIT', tree: leaf() }]), /path/],
    [
      'a path over 4 KB',
      (): string => poison.openPullRequest(2, [{ name: 'deep', tree: poison.deepTree(30) }]),
      /4095 bytes/,
    ],
    [
      'a name over 4 KB',
      (): string => poison.openPullRequest(2, [{ name: 'n'.repeat(5_000), tree: leaf() }]),
      /4095 bytes/,
    ],
  ])('with %s is refused with the number of its pull request, for every merge method', async (_, open, why) => {
    const first = at(1, world.openPullRequest(1, { 'one.txt': '1' }));
    const second = at(2, open());
    const third = at(3, world.openPullRequest(3, { 'three.txt': '3' }));
    for (const method of MERGE_METHODS) {
      const refused = { type: 'refused', number: 2, why: expect.stringMatching(why) as string };
      expect(await build([first, second, third], method)).toEqual(refused);
    }
    expect(await build([first, third])).toMatchObject({ type: 'built' });
  });

  it('on the target is no reason to refuse the pull request that removes it', async () => {
    const bad = poison.openPullRequest(2, [{ name: '..', tree: leaf() }]);
    world.setBranch('main', bad);
    const repair = poison.commit(world.inBare('rev-parse', `${bad}~^{tree}`), bad, 'Repair\n');
    world.setPullRequest(3, repair);
    expect(await build([at(3, repair)])).toMatchObject({ type: 'built' });
  });

  const leaf = (): string => poison.tree([{ name: 'x', blob: poison.blob('x\n') }]);
});

describe('attack 12: attributes on the target, at a path that is almost too long,', () => {
  it('stop no other pull request', async () => {
    const attributes = { name: '.gitattributes', blob: poison.blob('*.log merge=union\n') };
    world.setBranch('main', poison.openPullRequest(1, [{ name: 'd', tree: poison.deepTree(20, attributes) }]));
    const others = [2, 3].map((number) => at(number, world.openPullRequest(number, { [`${number}.txt`]: 'x\n' })));
    for (const method of MERGE_METHODS) expect(await build(others, method)).toMatchObject({ type: 'built' });
  });
});

describe('attack 12: attributes on the target, in thousands of folders,', () => {
  it('stop no other pull request, and do not fill the disk', async () => {
    const wide = (name: string, entry: { tree?: string; blob?: string }): string =>
      poison.tree(Array.from({ length: 60 }, (_, index) => ({ name: `${name}${100 + index}`, ...entry })));
    const folder = poison.tree([{ name: '.gitattributes', blob: poison.blob('*.log merge=union\n') }]);
    const folders = wide('d', { tree: wide('d', { tree: folder }) });
    world.setBranch('main', poison.openPullRequest(1, [{ name: 'd', tree: folders }]));
    const head = world.openPullRequest(2, { '2.txt': 'x\n' });
    expect(await build([at(2, head)])).toMatchObject({ type: 'built' });
    const written = readdirSync(world.dataDirectory, { recursive: true }).map(String);
    expect(written.filter((path) => path.endsWith('/.gitattributes'))).toHaveLength(2_000);
  });
});

describe('attack 12: a git bomb', () => {
  endGitSooner();

  it('is refused within seconds, with the number of its pull request, which the host can still read', async () => {
    const head = poison.openPullRequest(2, [{ name: 'bomb', tree: poison.bomb() }]);
    expect(await host.readPullRequest(WIDGETS, 2, 'main')).toMatchObject({ head, mergeability: 'mergeable' });
    const first = at(1, world.openPullRequest(1, { 'one.txt': '1' }));
    const why = expect.stringContaining('changes more files than git can list') as string;
    expect(await build([first, at(2, head)])).toEqual({ type: 'refused', number: 2, why });
    expect(await build([first])).toMatchObject({ type: 'built' });
  });
});

describe('attack 12: a NUL in a commit message', () => {
  it.each(MERGE_METHODS)('is no reason to refuse a commit that git can merge by %s', async (method) => {
    const head = poison.openPullRequest(2, [{ name: 'a.txt', blob: poison.blob('a\n') }], 'Title\0 x\n\nBody\0\n');
    expect(await build([at(2, head)], method)).toMatchObject({ type: 'built' });
  });
});

describe('attack 12: an author line that no git writes', () => {
  it.each([
    ['without a date', 'Eve <eve@example.com>'],
    ['of a time zone that is none', 'Eve <eve@example.com> 1 +99999999'],
    ['with a name of 200 KB', `${'Eve '.repeat(50_000)}<eve@example.com> 1 +0000`],
    ['with an address of 200 KB', `Eve <${'eve'.repeat(70_000)}> 1 +0000`],
  ])('%s is no reason to refuse its commit', async (_, author) => {
    world.pushTo('main', { 'later.txt': 'later\n' });
    const start = world.inBare('rev-parse', 'main~');
    const tree = poison.tree([{ name: 'README.md', blob: poison.blob('hello, hello\n') }]);
    world.setPullRequest(2, poison.commit(tree, start, 'Change 2\n', author));
    for (const method of MERGE_METHODS) {
      expect(await build([at(2, world.head(2) ?? '')], method)).toMatchObject({ type: 'built' });
    }
  });
});

describe('attack 12: more commits than a rebase accepts', () => {
  it('are refused at once, and merge with another merge method', async () => {
    let head = world.tip('main');
    const tree = world.inBare('rev-parse', `${head}^{tree}`);
    const stream = Array.from({ length: 2_001 }, (_, index) => {
      const from = index === 0 ? `from ${head}\n` : '';
      return `commit refs/pull/2/head\ncommitter A <a@a> ${index} +0000\ndata 1\nx\n${from}\n`;
    });
    world.fastImport(stream.join(''));
    head = world.head(2) ?? '';
    expect(tree).toBe(world.inBare('rev-parse', `${head}^{tree}`));
    const why = expect.stringContaining('2001 commits') as string;
    expect(await build([at(2, head)], 'rebase')).toEqual({ type: 'refused', number: 2, why });
    expect(await build([at(2, head)], 'squash')).toMatchObject({ type: 'built' });
  });
});

describe('attack 12: a git process', () => {
  const limits = { cpuSeconds: 60, memoryMiB: 1_024, fileMiB: 64 };

  function git(script: string) {
    const programs = join(world.folder, 'programs');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'git'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, 'git'), 0o755);
    return makeGitHost(world)['parts'].clones.git;
  }

  it.each([
    ['a processor', 'while :; do :; done', { ...limits, cpuSeconds: 1 }, /more than 1 s of a processor/],
    [
      'the disk',
      `head -c 20000000 /dev/zero > "$(mktemp)" || { echo "error: died of signal 25" >&2; exit 128; }`,
      { ...limits, fileMiB: 1 },
      /more than 1 MiB/,
    ],
    [
      'memory',
      'test "$(ulimit -d)" = 2048 && { echo "fatal: Out of memory, malloc failed" >&2; exit 128; }',
      { ...limits, memoryMiB: 2 },
      /more than 2 MiB of memory/,
    ],
    ['a crash', 'kill -SEGV $$', limits, /broke off \(SIGSEGV\)/],
  ])('is refused with the reason at its limit, or when it fails: %s', async (_, script, bounds, why) => {
    const asked = git(script).ask(['merge-tree'], { limits: bounds });
    await expect(asked).rejects.toThrow(GitRefused);
    await expect(asked).rejects.toThrow(why);
  });

  it('is not refused for a limit that the host itself reports', async () => {
    const asked = git('echo "remote: fatal: Out of memory, malloc failed" >&2; exit 128').ask(['fetch'], { limits });
    expect(await asked).toMatchObject({ code: 128 });
  });
});

describe("attack 13: a testing branch that the code host's rules or hooks refuse", () => {
  async function pushed() {
    const built = await build([at(1, world.openPullRequest(1, { a: 'a' }))]);
    if (built.type !== 'built') throw new Error(JSON.stringify(built));
    const { commit } = built;
    return { repository: WIDGETS, branch: BRANCH, commit, testRunId: 'run', requiredStatuses: [] };
  }

  it("is refused with the code host's own message", async () => {
    const request = await pushed();
    world.installHook('pre-receive', 'echo "GH013: Repository rule violations found" >&2; exit 1');
    const why = expect.stringContaining('GH013: Repository rule violations found') as string;
    expect(await host.pushTestingBranch(request)).toEqual({ type: 'refused', why });
    expect(world.branches()).toEqual(['main']);
  });

  it("is not refused if the host's repository is damaged, because then the host could accept no push at all", async () => {
    const request = await pushed();
    const tip = world.tip('main');
    rmSync(join(world.bare, 'objects', tip.slice(0, 2), tip.slice(2)));
    await expect(host.pushTestingBranch(request)).rejects.toMatchObject({
      name: 'HostUnavailable',
      kind: 'server_error',
    });
  });

  it("is not refused if the host's repository is moved away while a hook runs", async () => {
    const request = await pushed();
    const away = `${world.bare}.gone`;
    world.installHook('pre-receive', `mv '${world.bare}' '${away}'; GIT_DIR='${world.bare}' git rev-parse HEAD`);
    await expect(host.pushTestingBranch(request)).rejects.toMatchObject({
      name: 'HostUnavailable',
      kind: 'server_error',
    });
    renameSync(away, world.bare);
    world.removeHook('pre-receive');
    expect(await host.pushTestingBranch(request)).toMatchObject({ type: 'pushed' });
  });

  it('is refused if the host finds a fault in the objects', async () => {
    world.inBare('config', 'receive.fsckObjects', 'true');
    const tree = poison.tree([{ name: 'a', blob: poison.blob('a') }]);
    const head = poison.commit(tree, world.tip('main'), 'Title\0\n');
    world.setPullRequest(1, head);
    await host.readPullRequest(WIDGETS, 1, 'main');
    world.inBare('update-ref', '-d', 'refs/pull/1/head');
    world.inBare('prune', '--expire=now');
    const request = { repository: WIDGETS, branch: BRANCH, commit: head, testRunId: 'run', requiredStatuses: [] };
    const why = expect.stringContaining('nulInCommit') as string;
    expect(await host.pushTestingBranch(request)).toEqual({ type: 'refused', why });
  });

  it('is refused if its commit is too large for the host', async () => {
    const request = await pushed();
    world.inBare('config', 'receive.maxInputSize', '1');
    const why = expect.stringContaining('exceeds maximum allowed size') as string;
    expect(await host.pushTestingBranch(request)).toEqual({ type: 'refused', why });
  });

  it('is not refused if the host has no space to store anything', async () => {
    const request = await pushed();
    rmSync(join(world.bare, 'objects', 'pack'), { recursive: true });
    writeFileSync(join(world.bare, 'objects', 'pack'), '');
    world.inBare('config', 'receive.unpackLimit', '1');
    await expect(host.pushTestingBranch(request)).rejects.toMatchObject({ kind: 'server_error' });
  });
});
