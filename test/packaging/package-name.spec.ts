import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private: boolean;
  readonly bin: Readonly<Record<string, string>>;
}

/** package.json is the only place that decides the name. */
const { name, version, private: isPrivate, bin } = json('package.json') as unknown as Manifest;
const TARBALL = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** Files that import the package, or that have the name of its tarball. */
function filesWith(pattern: string): readonly string[] {
  const args = ['grep', '-lE', pattern, '--', 'README.md', 'docs/*.md', 'examples'];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
}

describe('the name of the package', () => {
  it('has a scope, because nobody owns the name without a scope, and is not published', () => {
    expect(name).toMatch(/^@[a-z-]+\/sluice$/);
    expect(isPrivate).toBe(true);
  });

  it('differs from the name of its command', () => {
    expect(Object.keys(bin)).toEqual(['sluice']);
  });

  it('is also the name in package-lock.json', () => {
    expect(json('package-lock.json')).toMatchObject({ name, version, packages: { '': { name, version } } });
  });

  it('resolves to the sources when TypeScript compiles the example', () => {
    expect(json('tsconfig.json')).toMatchObject({
      compilerOptions: { paths: { [name]: ['./src/index.ts'], [`${name}/testing`]: ['./src/testing/index.ts'] } },
    });
  });

  it('is a peer dependency of the example, with this version', () => {
    expect(json('examples/acme-extension/package.json').peerDependencies).toMatchObject({ [name]: `^${version}` });
  });

  it.each(['docker/systemd/sluice.service', 'docs/operating.md'])(
    'is in the path of the program that %s runs',
    (path) => {
      const [, folder] = /node_modules\/(\S+)\/dist\/main\.js/.exec(read(path)) ?? [];
      expect(folder).toBe(name);
    },
  );

  it.each(filesWith("from '[^']*sluice(/testing)?'"))('is imported by %s', (path) => {
    const imported = [...read(path).matchAll(/from '([^']*sluice(?:\/testing)?)'/g)].map(([, from]) => from);
    expect(imported.filter((from) => from !== name && from !== `${name}/testing`)).toEqual([]);
  });

  it.each(filesWith('sluice-[0-9][^ ]*\\.tgz'))('is in the file names of the packages in %s', (path) => {
    const tarballs = [...read(path).matchAll(/[\w-]*sluice-\d[^\s`'"]*\.tgz/g)].map(([tarball]) => tarball);
    // Instructions for a rollback name an earlier version.
    const named = tarballs.map((tarball) => tarball.replace(/-\d+\.\d+\.\d+\.tgz$/, `-${version}.tgz`));
    expect(new Set(named)).toEqual(new Set([TARBALL]));
  });
});
