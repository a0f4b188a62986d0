import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BareRepository, runGit } from '../support/bare-repository';
import { makeGitHost, WIDGETS } from './hosts';

describe('A repository that Sluice cannot work with', () => {
  let world: BareRepository;

  beforeEach(() => {
    world = BareRepository.create();
  });
  afterEach(() => world.close());

  const REFUSED = { name: 'HostUnavailable', kind: 'no_access' };

  it('is refused with a reason if it has SHA-256 objects', async () => {
    rmSync(world.bare, { recursive: true });
    runGit(world.folder, ['init', '--quiet', '--bare', '--initial-branch=main', '--object-format=sha256', world.bare]);
    world.commitTo('refs/heads/main', null, { 'README.md': 'hello\n' });
    const refusal = { ...REFUSED, refusal: expect.stringContaining('has SHA-256 objects') as string };
    await expect(makeGitHost(world).findRepository(WIDGETS)).rejects.toMatchObject(refusal);
    await expect(makeGitHost(world).readBranch(WIDGETS, 'main')).rejects.toMatchObject(refusal);
  });

  it('is refused with a reason if it is a shallow clone, and works once its history is fetched', async () => {
    for (const text of ['two\n', 'three\n']) world.pushTo('main', { 'a.txt': text });
    const whole = `${world.bare}.whole`;
    renameSync(world.bare, whole);
    runGit(world.folder, ['clone', '--quiet', '--bare', '--depth', '1', `file://${whole}`, world.bare]);
    const host = makeGitHost(world);
    const refusal = { ...REFUSED, refusal: expect.stringContaining('is a shallow clone') as string };
    await expect(host.readBranch(WIDGETS, 'main')).rejects.toMatchObject(refusal);
    runGit(world.bare, ['fetch', '--quiet', '--unshallow', `file://${whole}`]);
    expect(await host.readBranch(WIDGETS, 'main')).toMatchObject({ commit: world.tip('main') });
    const first = runGit(world.bare, ['rev-list', '--max-parents=0', 'main']).trim();
    expect(await host.containsCommit(WIDGETS, world.tip('main'), first)).toBe(true);
  });

  it('is reported by the doctor with the same reason', async () => {
    rmSync(world.bare, { recursive: true });
    runGit(world.folder, ['init', '--quiet', '--bare', '--initial-branch=main', '--object-format=sha256', world.bare]);
    world.commitTo('refs/heads/main', null, { 'README.md': 'hello\n' });
    const examination = { host: WIDGETS.host, brand: 'sluice', publicUrl: 'http://localhost:3000' };
    const repositories = [{ repository: WIDGETS, queues: [] }];
    const findings = await makeGitHost(world).examine({ ...examination, repositories });
    expect(findings).toContainEqual(
      expect.objectContaining({ verdict: 'problem', what: expect.stringContaining('SHA-256') as string }),
    );
  });

  it('with damaged objects of one pull request refuses that pull request only', async () => {
    const tip = world.tip('main');
    for (const number of [1, 2]) world.openPullRequest(number, { [`${number}.txt`]: `text ${number}\n` });
    const blob = runGit(world.bare, ['rev-parse', `${world.head(1) ?? ''}:1.txt`]).trim();
    const object = join(world.bare, 'objects', blob.slice(0, 2), blob.slice(2));
    expect(existsSync(object)).toBe(true);
    rmSync(object);
    const host = makeGitHost(world);
    const build = (number: number) =>
      host.buildCandidate({
        ...{ repository: WIDGETS, targetBranch: 'main', onto: tip, targetTip: tip, alreadyMerged: [] },
        ...{ mergeMethod: 'squash', committedAt: new Date('2026-03-01T12:00:00Z') },
        pullRequests: [
          {
            ...{ number, head: world.head(number) ?? '', title: `Change ${number}`, body: '', author: 'Ada' },
            ...{ authorEmail: null, headBranch: null },
          },
        ],
      });
    expect(await host.readBranch(WIDGETS, 'main')).toMatchObject({ commit: tip });
    expect(await build(1)).toMatchObject({
      type: 'refused',
      number: 1,
      why: expect.stringContaining('damaged') as string,
    });
    expect(await build(2)).toMatchObject({ type: 'built' });
  });
});
