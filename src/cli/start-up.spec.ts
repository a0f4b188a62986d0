import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
const LOADER = join(ROOT, 'prisma/engine/load-typescript.cjs');
const MAIN = join(__dirname, 'main.ts');
const MOST_MODULES = 120;
/** Packages and folders that take long to load. */
const HEAVY =
  /@nestjs|@prisma|@modelcontextprotocol|\/(pg|pino|rxjs|zod|yaml|tinyglobby)\/|^src\/(engine\/(flow|replay)|generated)/;

interface Loaded {
  /** Files, relative to the project. */
  readonly files: readonly string[];
  /** Modules of Node that `node -e 0` does not load. */
  readonly builtIn: readonly string[];
}

/**
 * Runs the program in its own process, and reports the modules that it loaded. Modules of the TypeScript compiler do
 * not count.
 */
async function modulesOf(args: readonly string[]): Promise<Loaded> {
  // The compiler is loaded before the count, because files without a cached compilation need it.
  const script = `
    require('@swc/core');
    const files = new Set(Object.keys(require.cache));
    const builtIn = new Set(process.moduleLoadList);
    process.on('exit', () => {
      const added = {
        files: Object.keys(require.cache).filter((file) => !files.has(file)),
        builtIn: process.moduleLoadList.filter((name) => !builtIn.has(name)),
      };
      process.stderr.write(JSON.stringify(added));
    });
    require(${JSON.stringify(MAIN)});`;
  const program = ['-r', LOADER, '-e', script, 'sluice', ...args];
  const { stderr } = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
  });
  const { files, builtIn } = JSON.parse(stderr) as Loaded;
  return { files: files.map((file) => relative(ROOT, file)), builtIn };
}

function expectFewModules({ files }: Loaded): void {
  expect(files.filter((file) => HEAVY.test(file))).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(MOST_MODULES);
}

describe('the start of sluice', () => {
  it.each([
    [['--help']],
    [['--version']],
    [['queue', 'create', '--help']],
    [['serve', '--help']],
    [['completion', 'bash']],
  ])('loads at most 120 modules, and neither Nest nor Prisma, for %j', async (args) => {
    const loaded = await modulesOf(args);
    expectFewModules(loaded);
    expect(loaded.builtIn).not.toContain('NativeModule http');
  });

  describe('with a service', () => {
    let server: Server;
    let url: string;

    beforeAll(async () => {
      const record = { prNumber: 7, prTitle: 'Raise the price', state: 'merged', prSha: 'a'.repeat(40) };
      server = createServer((_request, response) => response.end(JSON.stringify(record)));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });

    afterAll(() => server.close());

    it('loads at most 120 modules for pr status over HTTP, and neither fetch nor TLS', async () => {
      const loaded = await modulesOf(['pr', 'status', 'local/acme/shop', '7', '--url', url, '--token', 'slc_secret']);
      expectFewModules(loaded);
      expect(loaded.builtIn.join()).toContain('NativeModule http');
      expect(loaded.builtIn.filter((name) => /undici|NativeModule https/.test(name))).toEqual([]);
    });
  });
});
