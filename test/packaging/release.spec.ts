import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const ENTRIES =
  '### Added\n\n- A window to look through.\n\n### Removed\n\n- **Breaking**: the back door. Use the front door.';
const CHANGELOG = `# Changelog\n\n## [Unreleased]\n\n${ENTRIES}\n\n## [0.1.0] - 2026-11-21\n\n### Added\n\n- A door.\n`;
const COMPILE = 'mkdir -p dist && echo built > dist/main.js';

interface Manifest {
  version: string;
  scripts: Record<string, string>;
}

describe('the release script, in a clone with a quick compiler', () => {
  let home: string;
  let clone: string;

  const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
  const read = (path: string) => readFileSync(join(clone, path), 'utf8');
  const write = (path: string, content: string) => writeFileSync(join(clone, path), content);
  const versionOf = (path: string) => (JSON.parse(read(path)) as Manifest).version;
  const commit = (message: string) => git('commit', '--quiet', '--all', '--message', message);
  const compileBy = (compile: string) => {
    const manifest = JSON.parse(read('package.json')) as Manifest;
    manifest.version = '0.1.0';
    Object.assign(manifest.scripts, { compile, declarations: 'true' });
    write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  };
  const release = (args: string[], env: NodeJS.ProcessEnv = {}) => {
    const run = spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    return { status: run.status, out: run.stdout, err: run.stderr };
  };
  /** Everything that a release may change. */
  const state = () => ({
    head: git('rev-parse', 'HEAD'),
    tags: git('tag', '--list'),
    changed: git('status', '--porcelain'),
    version: versionOf('package.json'),
  });

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'sluice-release-'));
    clone = join(home, 'origin');
    mkdirSync(join(clone, 'src'), { recursive: true });
    for (const path of ['scripts', 'prisma', 'package.json', 'package-lock.json', '.gitignore', '.npmrc']) {
      cpSync(join(ROOT, path), join(clone, path), { recursive: true });
    }
    compileBy(COMPILE);
    execFileSync('npm', ['version', '0.1.0', '--no-git-tag-version', '--allow-same-version'], {
      cwd: clone,
      stdio: 'pipe',
    });
    write('src/main.ts', 'one');
    write('CHANGELOG.md', CHANGELOG);
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.com');
    git('add', '--all');
    commit('Begin');
  });
  beforeEach(() => {
    const origin = join(home, 'origin');
    clone = mkdtempSync(join(home, 'clone-'));
    execFileSync('git', ['clone', '--quiet', origin, clone]);
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.com');
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('runs as npm run release', () => {
    expect((JSON.parse(read('package.json')) as Manifest).scripts.release).toBe('node scripts/release.mjs');
  });

  it('releases the version in package.json, even a release candidate, unless the changelog has that version', () => {
    execFileSync('npm', ['version', '1.0.0-rc.1', '--no-git-tag-version'], { cwd: clone, stdio: 'pipe' });
    commit('Name the next version');
    expect(release(['0.9.0', '--dry-run']).err).toContain('0.9.0 is not newer than 1.0.0-rc.1');
    expect(release(['1.0.0', '--dry-run']).status).toBe(0);
    expect(release(['1.0.0-rc.1']).status).toBe(0);
    expect(read('CHANGELOG.md')).toMatch(/^## \[1\.0\.0-rc\.1\] - /m);
    expect(release(['1.0.0-rc.1', '--dry-run']).err).toContain('1.0.0-rc.1 is not newer than 1.0.0-rc.1');
  });

  it('sets the version, moves the changelog entries, commits, tags, packs, and prints how to push', () => {
    const before = state();
    const today = () => new Date().toISOString().slice(0, 10);
    const days = [today()];
    const { status, out } = release(['0.2.0']);
    days.push(today());
    expect({ status, out }).toEqual({
      status: 0,
      out: [
        'Released 0.2.0: the tag v0.2.0, and',
        ...['tgz', 'cdx.json', 'provenance.json', 'sha256'].map((end) => `  sluice-queue-sluice-0.2.0.${end}`),
        '',
        'Next: git push --atomic origin main v0.2.0, then sign sluice-queue-sluice-0.2.0.sha256 and publish it beside the others.\n',
      ].join('\n'),
    });
    expect([versionOf('package.json'), versionOf('package-lock.json')]).toEqual(['0.2.0', '0.2.0']);
    const changelogs = days.map((day) =>
      CHANGELOG.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [0.2.0] - ${day}\n`),
    );
    expect(changelogs).toContain(read('CHANGELOG.md'));
    expect(git('log', '-1', '--format=%P')).toBe(before.head);
    expect(git('log', '-1', '--format=%B')).toBe(`Release 0.2.0\n\n${ENTRIES}`);
    expect(git('tag', '--list', '--format=%(refname:short) %(objecttype) %(*objectname)')).toBe(
      `v0.2.0 tag ${git('rev-parse', 'HEAD')}`,
    );
    expect(git('tag', '--list', '--format=%(contents)')).toBe(`Release 0.2.0\n\n${ENTRIES}`);
    expect(git('diff', '--name-only', before.head).split('\n')).toEqual([
      'CHANGELOG.md',
      'package-lock.json',
      'package.json',
    ]);
    expect(git('diff', '--shortstat', before.head, '--', 'package.json', 'package-lock.json')).toContain(
      '3 insertions(+), 3 deletions(-)',
    );
    expect(git('status', '--porcelain')).toBe('');
    const packed = execFileSync('tar', [
      'xzf',
      join(clone, 'sluice-queue-sluice-0.2.0.tgz'),
      '-O',
      'package/package.json',
    ]);
    expect((JSON.parse(packed.toString()) as Manifest).version).toBe('0.2.0');
    const info = execFileSync('tar', [
      'xzf',
      join(clone, 'sluice-queue-sluice-0.2.0.tgz'),
      '-O',
      'package/dist/build-info.json',
    ]);
    expect(JSON.parse(info.toString())).toMatchObject({ commit: git('rev-parse', '--short=12', 'HEAD') });
  });

  it('writes the list of packed files, the commit and checksums next to the package', () => {
    expect(release(['0.2.0']).status).toBe(0);
    const bill = JSON.parse(read('sluice-queue-sluice-0.2.0.cdx.json')) as {
      readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
      readonly components: readonly Record<'name' | 'version', string>[];
    };
    expect(bill.metadata.component).toMatchObject({ name: '@sluice-queue/sluice', version: '0.2.0' });
    const { packages } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Record<string, { readonly dev?: true; readonly version: string }>;
    };
    const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
    const nameIn = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const expected = shipped.map(([path, { version }]) => `${nameIn(path)} ${version}`);
    expect(new Set(bill.components.map(({ name, version }) => `${name} ${version}`))).toEqual(new Set(expected));
    // The files as a person has them after a download.
    const files = ['sluice-queue-sluice-0.2.0.tgz', 'sluice-queue-sluice-0.2.0.cdx.json'];
    const sums = execFileSync('sha256sum', files, { cwd: clone, encoding: 'utf8' });
    const checked = execFileSync('sha256sum', ['--check', 'sluice-queue-sluice-0.2.0.sha256'], {
      cwd: clone,
      encoding: 'utf8',
    });
    expect(checked).toBe(
      [...files, 'sluice-queue-sluice-0.2.0.provenance.json'].map((file) => `${file}: OK\n`).join(''),
    );
    const digests = sums
      .trim()
      .split('\n')
      .map((line) => line.split('  '));
    expect(JSON.parse(read('sluice-queue-sluice-0.2.0.provenance.json'))).toMatchObject({
      subject: digests.map(([sha256, name]) => ({ name, digest: { sha256 } })),
      predicate: {
        buildDefinition: {
          externalParameters: { version: '0.2.0' },
          resolvedDependencies: [{ digest: { gitCommit: git('rev-parse', 'v0.2.0^{commit}') } }],
        },
      },
    });
    expect(git('status', '--porcelain')).toBe('');
  });

  it.each([
    ['--dry-run', ['--dry-run'], {}],
    ['--dry-run that npm took for its own option', [], { npm_config_dry_run: 'true' }],
  ])('only prints its steps if called with %s', (_, options, env) => {
    const before = state();
    const { status, out } = release(['0.2.0', ...options], env);
    expect(status).toBe(0);
    expect(out).toContain('Would release 0.2.0 after 0.1.0');
    expect(out).toContain(ENTRIES);
    expect(state()).toEqual(before);
    expect(existsSync(join(clone, 'sluice-queue-sluice-0.2.0.tgz'))).toBe(false);
  });

  it.each([
    ['a change that is not committed', '0.2.0', () => write('src/main.ts', 'two'), 'Something is not committed'],
    ['a file that git does not know', '0.2.0', () => write('new.txt', 'new'), 'Something is not committed'],
    ['another branch', '0.2.0', () => git('switch', '--quiet', '--create', 'side'), 'This is side: switch to main.'],
    ['no branch', '0.2.0', () => git('switch', '--quiet', '--detach'), 'This is no branch: switch to main.'],
    [
      'no entries',
      '0.2.0',
      () => {
        write('CHANGELOG.md', CHANGELOG.replace(ENTRIES, '### Added\n'));
        commit('Empty');
      },
      'CHANGELOG.md has no entries under "Unreleased"',
    ],
    [
      'no section for them',
      '0.2.0',
      () => {
        write('CHANGELOG.md', CHANGELOG.replace('## [Unreleased]\n', ''));
        commit('Drop');
      },
      'CHANGELOG.md has no entries under "Unreleased"',
    ],
    ['a version with a tag', '0.2.0', () => git('tag', 'v0.2.0'), 'The tag v0.2.0 exists already.'],
    ['the same version', '0.1.0', () => undefined, '0.1.0 is not newer than 0.1.0'],
    ['an older version', '0.0.9', () => undefined, '0.0.9 is not newer than 0.1.0'],
    ['what is no version', 'v0.2', () => undefined, 'Usage: npm run release'],
    ['no version', '', () => undefined, 'Usage: npm run release'],
  ])('refuses %s, and changes nothing', (_, version, arrange, reason) => {
    arrange();
    const before = state();
    const { status, err } = release(version === '' ? [] : [version]);
    expect(status).toBe(1);
    expect(err).toContain(reason);
    expect(state()).toEqual(before);
  });

  it('names at once everything that prevents a release', () => {
    write('src/main.ts', 'two');
    git('switch', '--quiet', '--create', 'side');
    expect(release(['0.1.0', '--dry-run']).err.match(/^- /gm)).toHaveLength(3);
  });

  it('makes neither a commit nor a tag if the build fails', () => {
    compileBy('echo the semicolon is missing && exit 2');
    commit('Break the build');
    const before = state();
    const { status, err } = release(['0.2.0']);
    expect(status).toBe(1);
    expect(err).toContain('the semicolon is missing');
    expect(state()).toEqual(before);
  });
});
