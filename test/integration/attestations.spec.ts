import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttestationKeeper } from '../../src/modules/attestations/attestation-keeper';
import { revokeKey, rotateKey } from '../../src/modules/attestations/change-keys';
import { runSluice } from '../../src/cli/run-sluice';
import { Config } from '../../src/platform/config/config';
import { createToken } from '../../src/platform/auth/tokens';
import { inShortRun, repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

interface Said {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Verified {
  readonly commits: readonly { readonly commit: string; readonly verdict: string; readonly why?: string }[];
  readonly faults: readonly string[];
}

describe('signed statements about merges', () => {
  let world: World;
  let folder: string;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    folder = mkdtempSync(join(tmpdir(), 'statements-'));
    const request = { organizationSlug: 'acme', name: 'reader', role: 'read' } as const;
    process.env.SLUICE_URL = world.url;
    process.env.SLUICE_TOKEN = (await createToken(world.prisma, request, world.clock.now())).token;
  });
  afterEach(async () => {
    delete process.env.SLUICE_URL;
    delete process.env.SLUICE_TOKEN;
    rmSync(folder, { recursive: true, force: true });
    await world.close();
  });

  async function sluice(...args: readonly string[]): Promise<Said> {
    const said = { out: '', err: '' };
    const terminal = {
      out: (text: string) => void (said.out += text),
      err: (text: string) => void (said.err += text),
      columns: undefined,
    };
    return { exit: await runSluice(args, terminal), ...said };
  }

  function file(name: string): string {
    return join(folder, name);
  }

  async function download(): Promise<void> {
    await world.app.get(AttestationKeeper).sign();
    const keys = await sluice('attestation', 'keys', '--output', file('keys.json'));
    const repository = `${world.repo.host}/${world.repo.owner}/${world.repo.name}`;
    const bundle = await sluice('attestation', 'bundle', repository, '--output', file('bundle'));
    expect([keys.err, bundle.err, keys.exit, bundle.exit]).toEqual(['', '', 0, 0]);
  }

  /** Makes a clone that has `main`, but no head of a pull request. */
  function clone(): string {
    const place = file('clone');
    rmSync(place, { recursive: true, force: true });
    execFileSync('git', ['clone', '--quiet', '--single-branch', '--branch', 'main', world.git.bare, place]);
    return place;
  }

  function verify(...more: readonly string[]): Promise<Said> {
    return sluice('verify', clone(), 'main', ...more, '--key', file('keys.json'), '--bundle', file('bundle'));
  }

  async function verified(...more: readonly string[]): Promise<Verified> {
    const { out, err } = await verify(...more, '--json');
    if (out === '') throw new Error(err);
    return JSON.parse(out) as Verified;
  }

  async function land(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      await world.submit(number);
      await world.settles();
      await world.report(number, 'success');
      expect(await world.stateOf(number)).toBe('merged');
    }
  }

  /** Opens two single pull requests, and a stack of two. */
  function open(): void {
    world.git.openPullRequest(1, { 'one.txt': 'one\n' });
    world.git.openPullRequest(2, { 'two.txt': 'two\n' });
    world.git.openPullRequest(3, { 'a.txt': 'one\n', 'new.txt': 'new\n' });
    const below = world.git.pushToPullRequest(3, { 'a.txt': 'two\n' });
    world.git.openPullRequest(4, { 'a.txt': 'three\n', 'new.txt': null }, { from: below });
  }

  describe.each(repetitionsOfThisRun(['squash', 'rebase', 'merge_commit'] as const))('by %s', (mergeMethod) => {
    beforeEach(async () => {
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod });
      open();
      await land(1, 2, 3, 4);
    });

    it('are verified with a clone, without asking the service', async () => {
      await download();
      const { exit, out } = await verify();
      expect(out).toContain('0 without statement, 0 at fault');
      expect(out).toContain('pull request 4, statement 4');
      expect(exit).toBe(0);
    });

    it('show a commit that somebody pushed to the target', async () => {
      const pushed = world.git.pushTo('main', { 'pushed.txt': 'pushed\n' });
      await download();
      const { commits } = await verified();
      expect(commits.at(-1)).toEqual({ commit: pushed, verdict: 'without_statement' });
      expect((await verify()).exit).toBe(1);
    });
  });

  inShortRun(() => {
    it('are verified by a command that names each mistake in its arguments', async () => {
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
      world.git.openPullRequest(1, { 'one.txt': 'one\n' });
      await land(1);
      await download();
      const said = async (...words: readonly string[]) => (await sluice('verify', ...words)).err;
      const files = ['--key', file('keys.json'), '--bundle', file('bundle')];
      expect(await said(folder, 'main', ...files)).toContain('is not a git repository');
      expect(await said(clone(), 'nowhere', ...files)).toContain('The clone has no branch nowhere.');
      expect(await said(clone(), 'main', 'HEAD', ...files)).toContain('Write the range as <from>..<to>');
      expect(await said(clone(), 'main', '--key', file('bundle'), '--bundle', file('bundle'))).toContain(
        'contains no Ed25519 public key',
      );
      expect(await said(clone(), 'main', '--key', file('keys.json'), '--bundle', file('keys.json'))).toContain(
        'is not a bundle of statements',
      );
    });

    it('contain the tested commit, the reports, and the settings', async () => {
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
      world.git.openPullRequest(1, { 'one.txt': 'one\n' });
      await land(1);
      await world.app.get(AttestationKeeper).sign();
      const commit = world.git.tip('main');
      const query = { repo: 'acme/widgets', repoHost: world.repo.host, commit };
      type Found = { items: { bundle: { dsseEnvelope: { payload: string } } }[] };
      const { items } = await world.api.mustGet<Found>('attestations', query);
      expect(items).toHaveLength(1);
      const payload = Buffer.from(items[0]!.bundle.dsseEnvelope.payload, 'base64').toString('utf8');
      expect(JSON.parse(payload)).toMatchObject({
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ digest: { gitCommit: commit } }],
        predicate: {
          number: 1,
          previous: null,
          after: commit,
          pullRequest: { number: 1, head: world.git.head(1) },
          merge: { method: 'squash' },
          test: { required: ['tests'], statuses: [{ name: 'tests', state: 'success' }], pullRequests: [1] },
          demandsUnmet: [],
          settings: { mode: 'single' },
        },
      });
      expect(JSON.stringify(items[0]!.bundle).length).toBeLessThan(4_096);
    });

    it('are signed with the next key, which the earlier key certifies', async () => {
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
      open();
      await land(1);
      await download();
      const first = readFileSync(file('keys.json'), 'utf8');
      const { keys } = JSON.parse(first) as { keys: { id: string; publicKey: string }[] };
      const config = world.app.get(Config);
      await rotateKey(world.prisma, { config, isLost: false, now: world.clock.now() });
      await land(2);
      await download();
      // A verifier who has the first key needs no later key.
      writeFileSync(file('keys.json'), keys[0]!.publicKey);
      expect((await verify()).exit).toBe(0);
      await revokeKey(world.prisma, keys[0]!.id, new Date(0), world.clock.now());
      await download();
      const { commits } = await verified();
      expect(commits.map(({ verdict }) => verdict)).toEqual(['at_fault', 'verified']);
      expect(commits[0]!.why).toContain('is revoked from 1970-01-01');
    });

    it('are signed after a key rotation whose process died before it stored the new key', async () => {
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
      open();
      await land(1);
      const config = world.app.get(Config);
      const rotate = () => rotateKey(world.prisma, { config, isLost: false, now: world.clock.now() });
      await download();
      await rotate();
      const [present, next] = ['', '.next'].map((part) => join(config.dataDirectory, `attestation-key${part}.pem`));
      renameSync(present!, next!);
      world.clock.advance(1_000);
      await rotate();
      await land(2);
      await download();
      expect((await verify()).exit).toBe(0);
    });

    it('are reported as a problem if no earlier key certifies their key', async () => {
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
      open();
      await land(1);
      await download();
      const before = readFileSync(file('keys.json'), 'utf8');
      rmSync(join(world.app.get(Config).dataDirectory, 'attestation-key.pem'));
      const config = world.app.get(Config);
      await expect(rotateKey(world.prisma, { config, isLost: false, now: world.clock.now() })).rejects.toThrow(
        '--lost',
      );
      await rotateKey(world.prisma, { config, isLost: true, now: world.clock.now() });
      await land(2);
      await download();
      writeFileSync(file('keys.json'), before);
      const { commits } = await verified();
      expect(commits.map(({ verdict }) => verdict)).toEqual(['verified', 'at_fault']);
      expect(commits[1]!.why).toContain('which is not among the given keys');
    });

    it('are signed later if a process has another key, and no statement is lost', async () => {
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
      open();
      await land(1);
      const keeper = world.app.get(AttestationKeeper);
      await keeper.sign();
      const key = join(world.app.get(Config).dataDirectory, 'attestation-key.pem');
      const pem = readFileSync(key, 'utf8');
      rmSync(key);
      await land(2);
      await keeper.sign();
      expect(await world.prisma.attestation.count()).toBe(1);
      writeFileSync(key, pem);
      await keeper.sign();
      expect(await world.prisma.attestation.count()).toBe(2);
    });
  });
});
