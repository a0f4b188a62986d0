import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(__dirname, '..', '..');

/** Makes a folder with the project's compiler and these sources as its src. */
function projectWith(sources: Readonly<Record<string, string>>): string {
  const project = mkdtempSync(join(tmpdir(), 'sluice-compiler-'));
  for (const path of ['scripts', 'nest-cli.json']) cpSync(join(ROOT, path), join(project, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  for (const [path, text] of Object.entries(sources)) write(project, path, text);
  return project;
}

function write(project: string, path: string, text: string): void {
  mkdirSync(dirname(join(project, 'src', path)), { recursive: true });
  writeFileSync(join(project, 'src', path), text);
}

describe('scripts/compile.mjs', () => {
  let project: string;
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  const compile = () => run('scripts/compile.mjs');

  beforeAll(() => {
    project = projectWith({
      'main.ts': '#!/usr/bin/env node\nimport { fail } from "./queues/queue";\n\nfail();\n',
      'queues/queue.ts': 'interface Unused { a: 1 }\nexport function fail(): never {\n  throw new Error("full");\n}\n',
      'queues/queue.spec.ts': 'export {};',
      'queues/README.md': '# Queues',
      'ui/assets/page.css': 'p {}',
      'injected.ts': [
        'import "reflect-metadata";',
        'const known: Function[] = [];',
        'const Injectable = () => (type: Function) => void known.push(...Reflect.getMetadata("design:paramtypes", type));',
        'class Clock {}',
        '@Injectable() export class Line { constructor(readonly clock: Clock) {} }',
        'console.log(known.map(({ name }) => name).join());',
      ].join('\n'),
    });
    expect(compile()).toMatchObject({ status: 0, stdout: '' });
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('writes programs with source maps, and other needed files, but neither specs nor documents', () => {
    const written = readdirSync(join(project, 'dist'), { recursive: true, withFileTypes: true });
    const files = written.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(files.sort()).toEqual(
      ['injected.js', 'injected.js.map', 'main.js', 'main.js.map', 'page.css', 'queue.js', 'queue.js.map'].sort(),
    );
  });

  it('records the types that Nest injects', () => {
    expect(run('dist/injected.js').stdout).toBe('Clock\n');
  });

  it('maps stack traces to lines of the TypeScript sources', () => {
    const { stderr } = run('--enable-source-maps', 'dist/main.js');
    expect(stderr).toMatch(/src\/queues\/queue\.ts:3:9/);
    expect(stderr).toMatch(/src\/main\.ts:4:/);
  });

  it('makes a program that begins with #! executable', () => {
    const { stderr } = spawnSync(join(project, 'dist/main.js'), { encoding: 'utf8' });
    expect(stderr).toContain('Error: full');
  });

  it('deletes output whose source file was deleted', () => {
    write(project, 'gone.ts', 'export {};');
    compile();
    expect(existsSync(join(project, 'dist/gone.js'))).toBe(true);
    rmSync(join(project, 'src/gone.ts'));
    compile();
    expect(existsSync(join(project, 'dist/gone.js'))).toBe(false);
  });

  it('fails with the name of a file that is not TypeScript', () => {
    write(project, 'wrong.ts', 'const = 1;');
    const { status, stderr } = compile();
    rmSync(join(project, 'src/wrong.ts'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/src\/wrong\.ts:1/);
  });

  it('compiles in the same way as jest, so that the tests cover the built program', () => {
    const print = 'import { OPTIONS } from "./scripts/compiler.mjs"; console.log(JSON.stringify(OPTIONS.jsc))';
    const { stdout } = run('--input-type=module', '--eval', print);
    const { projects } = jest.requireActual<JestConfig>('../../jest.config.cjs');
    expect(projects.map(({ transform }) => transform['^.+\\.ts$']?.[1]?.jsc)).toEqual(
      projects.map(() => JSON.parse(stdout) as unknown),
    );
  });

  interface JestConfig {
    readonly projects: readonly { readonly transform: Record<string, [string, { jsc: unknown }]> }[];
  }
});

describe('stack traces of the built service', () => {
  const CONFIG = 'platform/config';
  let project: string;
  const run = (file: string) => spawnSync(process.execPath, [file], { cwd: project, encoding: 'utf8' });

  beforeAll(() => {
    const own = ['non-ascii-path.ts', 'source-maps.ts', 'stack-positions.ts'].map((file) => `${CONFIG}/${file}`);
    project = projectWith({
      ...Object.fromEntries(own.map((file) => [file, readFileSync(join(ROOT, 'src', file), 'utf8')])),
      'main.ts': [
        "import './platform/config/source-maps';",
        "import { call } from './queues/queue';",
        "import { open } from 'node:fs/promises';",
        'interface Unused { a: 1 }',
        'async function work(): Promise<void> {',
        '  await open("package.json").catch(() => undefined);',
        '  call(() => { throw new Error("full"); });',
        '}',
        'const outer = async () => { await work(); };',
        'void outer().catch((error: Error) => console.log(error.stack));',
        'try { new URL(""); } catch (error) { console.log((error as Error).stack); }',
        'const odd = { get name(): string { throw new Error("odd"); } };',
        'Error.captureStackTrace(odd); console.log((odd as unknown as Error).stack);',
      ].join('\n'),
      'queues/queue.ts': [
        'interface Unused { a: 1 }',
        'type Package = { of(work: () => void): void };',
        "const { of } = require('package') as Package;",
        'export const call = (work: () => void): void => of(work);',
      ].join('\n'),
    });
    expect(spawnSync(process.execPath, ['scripts/compile.mjs'], { cwd: project }).status).toBe(0);
    rmSync(join(project, 'node_modules'));
    const folder = join(project, 'node_modules/package');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.js'), 'exports.of = (work) => work();\n//# sourceMappingURL=index.js.map\n');
    const map = { version: 3, sources: ['original.ts'], names: [], mappings: 'AAAA' };
    writeFileSync(join(folder, 'index.js.map'), JSON.stringify(map));
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('name positions in the TypeScript sources, also of async functions', () => {
    const { stdout } = run('dist/main.js');
    expect(stdout).toMatch(/^Error: full$/m);
    expect(stdout).toMatch(/^ {4}at .*\(?\/.*\/src\/main\.ts:7:/m);
    expect(stdout).toMatch(/^ {4}at call \(\/.*\/src\/queues\/queue\.ts:4:/m);
    expect(stdout).toMatch(/^ {4}at async outer \(\/.*\/src\/main\.ts:9:/m);
    expect(stdout).not.toMatch(/dist\/(main|queues\/queue)\.js/);
  });

  it('keep the positions in packages, so that their source maps are not read', () => {
    expect(run('dist/main.js').stdout).toMatch(/^ {4}at exports\.of \(\/.*\/node_modules\/package\/index\.js:1:/m);
  });

  it("keep the code of Node's own errors, and describe what is no proper error", () => {
    const { stdout } = run('dist/main.js');
    expect(stdout).toMatch(/^TypeError \[ERR_INVALID_URL\]: Invalid URL$/m);
    expect(stdout).toMatch(/^<error>$/m);
  });

  it('keep the positions of a file whose source map is missing or broken', () => {
    writeFileSync(join(project, 'dist/queues/queue.js.map'), '{');
    expect(run('dist/main.js').stdout).toMatch(/^ {4}at call \(\/.*\/dist\/queues\/queue\.js:\d+:/m);
    rmSync(join(project, 'dist/queues/queue.js.map'));
    expect(run('dist/main.js').stdout).toMatch(/^ {4}at call \(\/.*\/dist\/queues\/queue\.js:\d+:/m);
  });
});

describe('npm run start:dev', () => {
  const SERVICE = (word: string) => `setInterval(() => undefined, 60_000);
    process.once('SIGTERM', () => { console.log('stopped'); process.exit(0); });
    console.log('${word}');`;
  let project: string;
  let child: ChildProcess;
  let lines: AsyncIterator<string>;
  const next = async () => (await lines.next()).value as unknown;

  beforeEach(async () => {
    project = projectWith({ 'main.ts': 'import "./service";', 'service.ts': SERVICE('one') });
    spawnSync(process.execPath, ['scripts/compile.mjs'], { cwd: project });
    child = spawn(process.execPath, ['scripts/start-dev.mjs'], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
    lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    expect(await next()).toBe('one');
  });
  afterEach(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(project, { recursive: true, force: true });
  });

  it('compiles a changed file and restarts the service, again and again', async () => {
    for (const word of ['two', 'three']) {
      write(project, 'service.ts', SERVICE(word));
      expect([await next(), await next()]).toEqual(['stopped', word]);
    }
  });

  it('leaves the service running while a source file has an error', async () => {
    write(project, 'service.ts', 'const = 1;');
    let said = '';
    for await (const chunk of child.stderr!) if ((said += String(chunk)).includes('runs on as it was')) break;
    expect(said).toContain('src/service.ts');
    write(project, 'service.ts', SERVICE('two'));
    expect([await next(), await next()]).toEqual(['stopped', 'two']);
  });

  it('does not restart the service when a spec changes', async () => {
    write(project, 'service.spec.ts', 'export {};');
    write(project, 'service.ts', SERVICE('two'));
    expect([await next(), await next()]).toEqual(['stopped', 'two']);
    expect(existsSync(join(project, 'dist/service.spec.js'))).toBe(false);
  });

  it('stops the service when the command is stopped', async () => {
    child.kill('SIGTERM');
    expect(await next()).toBe('stopped');
  });
});
