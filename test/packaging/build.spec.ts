import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const IF_CHANGED = 'node scripts/build.mjs --if-changed';

describe('scripts/build.mjs, in a project that is built', () => {
  let home: string;
  let project: string;

  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  };
  const compileBy = (compile: string) => write('package.json', JSON.stringify({ scripts: { compile } }));
  const build = (...options: string[]) => {
    const run = spawnSync(process.execPath, ['scripts/build.mjs', ...options], { cwd: project, encoding: 'utf8' });
    return { built: run.stderr.startsWith('Building'), status: run.status, out: run.stdout, err: run.stderr };
  };
  const buildIfChanged = () => build('--if-changed').built;

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'sluice-build-'));
    project = join(home, 'built');
    cpSync(join(ROOT, 'scripts'), join(project, 'scripts'), { recursive: true });
    compileBy('rm -rf dist && mkdir dist');
    for (const file of ['main.ts', 'queues/queue.ts', 'queues/queue.spec.ts', 'generated/client.ts']) {
      write(`src/${file}`, 'one');
    }
    expect(build('--if-changed')).toMatchObject({ built: true, status: 0, out: '' });
  });
  beforeEach(() => {
    project = mkdtempSync(join(home, 'project-'));
    cpSync(join(home, 'built'), project, { recursive: true });
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('does not build again while nothing changes', () => {
    expect(build('--if-changed')).toEqual({ built: false, status: 0, out: '', err: '' });
  });

  it('without --if-changed always builds', () => {
    expect(build().built).toBe(true);
    expect(buildIfChanged()).toBe(false);
  });

  it.each([
    'src/main.ts',
    'src/new/file.ts',
    'prisma/schema.prisma',
    'prisma.config.ts',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'nest-cli.json',
    'scripts/compiler.mjs',
  ])('builds again when %s changes', (path) => {
    write(path, 'two');
    expect(buildIfChanged()).toBe(true);
  });

  it('builds again when a file is renamed or removed', () => {
    renameSync(join(project, 'src/queues/queue.ts'), join(project, 'src/queues/line.ts'));
    expect(buildIfChanged()).toBe(true);
    rmSync(join(project, 'src/queues/line.ts'));
    expect(buildIfChanged()).toBe(true);
  });

  it('builds again when an older version of a file comes back with an older time', () => {
    write('src/main.ts', 'zero');
    utimesSync(join(project, 'src/main.ts'), new Date(0), new Date(0));
    expect(buildIfChanged()).toBe(true);
  });

  it('builds again when dist was deleted', () => {
    rmSync(join(project, 'dist'), { recursive: true });
    expect(buildIfChanged()).toBe(true);
  });

  it('does not build again for a spec or for generated files', () => {
    write('src/queues/queue.spec.ts', 'two');
    write('src/generated/client.ts', 'two');
    expect(buildIfChanged()).toBe(false);
  });

  it('builds again when a source file changed while the compiler ran', () => {
    compileBy('rm -rf dist && mkdir dist && echo two > src/main.ts');
    expect(buildIfChanged()).toBe(true);
    expect(buildIfChanged()).toBe(true);
    expect(buildIfChanged()).toBe(false);
  });

  describe('dist/build-info.json', () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: project });
    const info = () =>
      JSON.parse(readFileSync(join(project, 'dist/build-info.json'), 'utf8')) as Record<string, string | null>;
    const commit = () => {
      write('.gitignore', 'dist\n');
      git('init', '--quiet');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'one');
    };

    it('names no commit without git, and differs if the sources differ', () => {
      const before = info();
      expect(before).toEqual({
        commit: null,
        sources: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
        builtAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
      write('src/main.ts', 'two');
      build();
      expect(info().sources).not.toBe(before.sources);
    });

    it('names the commit, and whether the working tree had uncommitted changes', () => {
      commit();
      build();
      const { commit: head } = info();
      expect(head).toMatch(/^[0-9a-f]{12}$/);
      write('README.md', 'two');
      build();
      expect(info().commit).toBe(`${head}+changed`);
    });

    it('names a later commit with the same sources, and keeps the time of the build', () => {
      const { builtAt } = info();
      commit();
      expect(buildIfChanged()).toBe(false);
      expect(info()).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{12}$/) as string, builtAt });
    });

    it('does not name the commit of a surrounding project', () => {
      rmSync(join(home, '.git'), { recursive: true, force: true });
      execFileSync('git', ['init', '--quiet', home]);
      build();
      expect(info().commit).toBeNull();
      rmSync(join(home, '.git'), { recursive: true });
    });
  });

  it("shows the compiler's output if the compiler fails, and tries again the next time", () => {
    compileBy('rm -rf dist && echo the semicolon is missing && exit 2');
    expect(build('--if-changed')).toMatchObject({ built: true, status: 1 });
    const { built, status, err } = build('--if-changed');
    expect({ built, status }).toEqual({ built: true, status: 1 });
    expect(err).toContain('the semicolon is missing');
  });
});

describe('the commands that need a build', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  it.each(['prestart', 'predemo', 'presluice', 'prebench:test-health', 'prebench:cli', 'prestart:dev'])(
    '%s builds if something changed',
    (name) => {
      expect(scripts[name]).toBe(IF_CHANGED);
    },
  );

  it('prepack builds if something changed, and adds the type declarations', () => {
    expect(scripts.prepack).toBe(`${IF_CHANGED} && npm run --silent declarations`);
  });

  it.each(['start', 'demo', 'sluice', 'bench:test-health', 'bench:cli'])(
    '%s runs the existing build without building',
    (name) => {
      expect(scripts[name]).not.toMatch(/build/);
    },
  );
});
