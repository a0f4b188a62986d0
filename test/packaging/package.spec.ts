import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { proseOf, readDocument } from '../docs/documents';
import { makeFreshClone } from '../support/fresh-clone';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  name: string;
  version: string;
  license: string;
  main: string;
  types: string;
  exports: Record<string, unknown>;
  bin: Record<string, string>;
  scripts: Record<string, string>;
}
const manifest = JSON.parse(read('package.json')) as Manifest;

/** Makes a built clone, because the dist of this checkout may contain output of another test or of a person. */
function makeBuiltClone(): string {
  const clone = makeFreshClone();
  spawnSync(process.execPath, ['scripts/compile.mjs'], { cwd: clone });
  writeFileSync(join(clone, 'dist/.built-from'), 'the digest of what it was built from');
  return clone;
}

/** The files that `npm pack` would pack. */
function packedFiles(clone: string): string[] {
  const { stdout } = spawnSync('npm pack --dry-run --json --ignore-scripts', {
    shell: true,
    cwd: clone,
    encoding: 'utf8',
  });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { files: { path: string }[] }>);
  return (packed?.files ?? []).map(({ path }) => path);
}

describe('the package that npm pack makes', () => {
  const clone = makeBuiltClone();
  const files = packedFiles(clone);
  afterAll(() => rmSync(clone, { recursive: true }));

  const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`);

  it('contains the compiled service, sources, migrations, documents and recipes, and no other top folder', () => {
    const folders = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
    expect([...folders].sort()).toEqual(['bench', 'dist', 'docker', 'docs', 'examples', 'prisma', 'src']);
    expect(files.filter((path) => !path.includes('/')).sort()).toEqual([
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'package.json',
    ]);
    const prisma = files.filter(isIn('prisma')).filter((path) => !isIn('prisma/migrations')(path));
    expect(prisma).toEqual(['prisma/schema.prisma']);
  });

  it.each(['docker/systemd/sluice.service', 'docker/helm/sluice/Chart.yaml', 'docker/prometheus/alerts.yml'])(
    'contains %s',
    (path) => expect(files).toContain(path),
  );

  it('contains no installed packages and no generated source files', () => {
    expect(files.filter((path) => /node_modules|^src\/generated\/|^examples\/.*\/dist\//.test(path))).toEqual([]);
  });

  it.each(files.filter((path) => path.endsWith('.md')))(
    'has no links in %s to files that it does not contain',
    (path) => {
      const targets = [...proseOf(readDocument(path)).matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)].map(([, target]) =>
        posix.join(posix.dirname(path), target ?? '').replace(/\/$/, ''),
      );
      expect(targets.filter((target) => !files.includes(target) && !files.some(isIn(target)))).toEqual([]);
    },
  );

  it('contains every migration', () => {
    const migrations = readdirSync(join(ROOT, 'prisma/migrations'), { recursive: true, withFileTypes: true });
    expect(files.filter((path) => path.startsWith('prisma/migrations/'))).toHaveLength(
      migrations.filter((entry) => entry.isFile()).length,
    );
  });

  it('contains neither specs nor the incremental state of the compiler', () => {
    expect(files.filter((path) => /\.spec\.|\.built-from/.test(path))).toEqual([]);
  });

  it('can be imported only by its name and its subpath /testing', () => {
    expect(manifest.exports).toEqual({
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './testing': { types: './dist/testing/index.d.ts', default: './dist/testing/index.js' },
      './package.json': './package.json',
    });
  });

  it('starts the service from the packed files', () => {
    const entries = [manifest.main, manifest.types, ...Object.values(manifest.bin)];
    expect(entries.filter((path) => !path.startsWith('dist/'))).toEqual([]);
  });

  it('runs no script when it is installed', () => {
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });
});

describe('the programs of the package', () => {
  it('enable source maps before they load the service', () => {
    const [first] = /^import .*$/m.exec(read('src/main.ts')) ?? [];
    expect(first).toBe("import './platform/config/source-maps';");
    const loads = read('src/cli/commands/service.ts').match(/.*\n.*require\('.*\/run-[\w-]+'\)/g) ?? [];
    expect(loads).toHaveLength(2);
    expect(loads.filter((lines) => !/^\s+showSourcePositions\(\);$/m.test(lines))).toEqual([]);
  });
});

describe('license and changelog', () => {
  it('have the license that package.json names', () => {
    expect(manifest.license).toBe('Apache-2.0');
    expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0, January 2004/);
  });

  it('list the versions in descending order, beginning with the present or the previous version', () => {
    const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings.shift()).toBe('[Unreleased]');
    expect(
      headings.filter((heading) => !/^\[\d+\.\d+\.\d+(-rc\.\d+)?\] - \d{4}-\d\d-\d\d$/.test(heading ?? '')),
    ).toEqual([]);
    const dates = headings.map((heading) => heading?.slice(-10));
    expect(dates).toEqual([...dates].sort().reverse());
    const places = headings.map((heading) => heading?.startsWith(`[${manifest.version}]`));
    // The present version is not in the changelog yet, or is its newest version.
    expect(places.lastIndexOf(true)).toBeLessThanOrEqual(0);
  });

  it('have the sections of Keep a Changelog', () => {
    const sections = [...read('CHANGELOG.md').matchAll(/^### (.*)$/gm)].map(([, section]) => section ?? '');
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(sections.filter((section) => !known.includes(section))).toEqual([]);
  });
});
