import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { repackClone } from '../../src/code-hosts/git/clone-upkeep';
import { GitCommand } from '../../src/code-hosts/git/git-command';
import { writeGitConfig } from '../../src/code-hosts/git/git-config-file';
import type { GitHost } from '../../src/code-hosts/git/git-host';
import { inTurn } from '../../src/code-hosts/git/in-turn';
import { BareRepository, runGit } from '../support/bare-repository';
import { makeGitHost, WIDGETS } from './hosts';

const NOW = new Date('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;
/** The most loose objects that a clone may have before it is repacked. */
const MOST_LOOSE_OBJECTS = 5_000;

describe('The upkeep of a clone', () => {
  let world: BareRepository;
  let host: GitHost;
  let clone: string;
  let git: GitCommand;

  beforeEach(() => {
    added = 0;
    world = BareRepository.create();
    host = makeGitHost(world);
    clone = join(world.dataDirectory, 'clones', WIDGETS.host, WIDGETS.owner, `${WIDGETS.name}.git`);
    git = new GitCommand({ PATH: process.env.PATH ?? '' }, writeGitConfig(world.dataDirectory));
  });

  afterEach(() => world.close());

  afterAll(() => rmSync(heap, { recursive: true }));

  async function candidate(): Promise<{ readonly commit: string; readonly tree: string }> {
    const head = world.openPullRequest(1, { 'one.txt': 'one\n' });
    const at = { number: 1, head, title: 'Change 1', body: '', author: 'Ada', authorEmail: null, headBranch: null };
    const tip = world.tip('main');
    const built = await host.buildCandidate({
      repository: WIDGETS,
      targetBranch: 'main',
      onto: tip,
      targetTip: tip,
      alreadyMerged: [],
      pullRequests: [at],
      mergeMethod: 'squash',
      committedAt: NOW,
    });
    if (built.type !== 'built') throw new Error(JSON.stringify(built));
    return built;
  }

  const heap = mkdtempSync(join(tmpdir(), 'sluice-objects-'));
  let added = 0;

  /** Adds as many loose, unreferenced objects as many candidates leave. Each test adds objects of its own. */
  function addLooseObjects(): void {
    const objects = join(heap, String(added++));
    if (!existsSync(objects)) writeLooseObjects(objects);
    for (const folder of readdirSync(objects)) {
      mkdirSync(join(clone, 'objects', folder), { recursive: true });
      for (const name of readdirSync(join(objects, folder))) {
        linkSync(join(objects, folder, name), join(clone, 'objects', folder, name));
      }
    }
  }

  const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);
  const looseObjects = () => Number(runGit(clone, ['count-objects']).split(' ')[0]);
  const packs = () => readdirSync(join(clone, 'objects/pack')).filter((name) => name.endsWith('.pack'));

  it('leaves a clone with few loose objects alone', async () => {
    await candidate();
    const before = looseObjects();
    expect(await repackClone(clone, git, NOW)).toBe('small');
    expect([looseObjects(), packs()]).toEqual([before, []]);
  });

  it('packs loose objects, and keeps unreferenced candidates, which can be pushed afterwards', async () => {
    const { commit, tree } = await candidate();
    addLooseObjects();
    expect(await repackClone(clone, git, NOW)).toBe('repacked');
    expect([looseObjects(), packs()]).toEqual([0, [expect.any(String)]]);
    expect(runGit(clone, ['fsck', '--full', '--connectivity-only', '--no-dangling', commit])).toBe('');

    // The second repack starts from a pack.
    addLooseObjects();
    expect(await repackClone(clone, git, later(24))).toBe('repacked');
    expect([looseObjects(), packs()]).toEqual([0, [expect.any(String)]]);
    const branch = 'sluice-merge/pr-1/run';
    const request = { repository: WIDGETS, branch, commit, testRunId: 'run', requiredStatuses: [] };
    expect(await makeGitHost(world).pushTestingBranch(request)).toEqual({ type: 'pushed' });
    expect(world.inBare('rev-parse', `${branch}^{tree}`)).toBe(tree);
    expect(world.files(branch)).toEqual({ 'README.md': 'hello\n', 'one.txt': 'one\n' });
  });

  it('keeps the base of a bisection after a force-push removed it from the host', async () => {
    // So many files make the host send a pack, which git keeps as a pack.
    const files = Array.from({ length: 120 }, (_, at) => [`${at}.txt`, `${at}\n`] as const);
    const base = world.pushTo('main', Object.fromEntries(files));
    await candidate();
    expect(packs()).toHaveLength(1);
    const head = world.openPullRequest(2, { 'two.txt': 'two\n' });
    world.commitTo('refs/heads/main', world.inBare('rev-parse', `${base}^`), { 'forced.txt': 'forced\n' });
    await host.readBranch(WIDGETS, 'main');
    world.closePullRequest(1);
    world.closePullRequest(2);
    world.inBare('repack', '-a', '-d', '--quiet');
    world.inBare('prune', '--expire=now');
    expect(() => world.inBare('cat-file', '-e', base)).toThrow();
    expect(await host.readTree(WIDGETS, head)).toBeNull();

    addLooseObjects();
    expect(await repackClone(clone, git, NOW)).toBe('repacked');
    const again = makeGitHost(world);
    expect(await again.readTree(WIDGETS, base)).toMatch(/^[0-9a-f]{40}$/);
    expect(await again.readFile(WIDGETS, base, '119.txt')).toBe('119\n');
  });

  it('is done at most once a day', async () => {
    await candidate();
    addLooseObjects();
    expect(await repackClone(clone, git, NOW)).toBe('repacked');
    addLooseObjects();
    expect(await repackClone(clone, git, later(23))).toBe('done today');
    expect(await repackClone(clone, git, later(24))).toBe('repacked');
  });

  it('is postponed for an hour while a task uses the clone', async () => {
    await candidate();
    addLooseObjects();
    const task = inTurn(clone, () => Promise.resolve(repackClone(clone, git, NOW)));
    expect(await task).toBe('busy');
    expect(await repackClone(clone, git, NOW)).toBe('repacked');
  });

  it('removes half-written files of a killed process, but no file that may still be written', async () => {
    await candidate();
    addLooseObjects();
    const at = (hours: number, name: string): string => {
      const path = join(clone, 'objects/pack', name);
      writeFileSync(path, 'half a pack');
      utimesSync(path, later(hours), later(hours));
      return path;
    };
    const old = [at(-25, 'tmp_pack_abc123'), at(-25, '.tmp-77-pack-abc.pack')];
    const young = at(-1, 'tmp_pack_def456');
    expect(await repackClone(clone, git, NOW)).toBe('repacked');
    expect([...old, young].map((path) => existsSync(path))).toEqual([false, false, true]);
  });

  it('ends at once when the service stops, and leaves the clone as the clone was', async () => {
    const { commit } = await candidate();
    addLooseObjects();
    const stop = new AbortController();
    stop.abort();
    await expect(repackClone(clone, git, NOW, stop.signal)).rejects.toThrow('was stopped');
    expect(looseObjects()).toBeGreaterThan(MOST_LOOSE_OBJECTS);
    expect(runGit(clone, ['fsck', '--full', '--connectivity-only', '--no-dangling', commit])).toBe('');
  });
});

/** Writes more loose objects than a clone may have. Each folder gets objects of its own. */
function writeLooseObjects(folder: string): void {
  for (let number = 0; number <= MOST_LOOSE_OBJECTS; number++) {
    const text = `${folder} ${number}`;
    const object = `blob ${text.length}\0${text}`;
    const id = createHash('sha1').update(object).digest('hex');
    mkdirSync(join(folder, id.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, id.slice(0, 2), id.slice(2)), deflateSync(object));
  }
}
