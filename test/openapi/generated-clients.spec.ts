import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Service } from '../e2e/service';

const ROOT = join(__dirname, '../..');
const PROGRAM = join(ROOT, 'test/fixtures/clients/openapi-fetch.ts');
/** The folder is inside node_modules, so that the generated program finds its packages. */
const FOLDER = join(ROOT, 'node_modules/.cache/generated-clients');

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  strict: true,
  skipLibCheck: true,
  outDir: 'out',
};

const run = promisify(execFile);

describe('A client that is generated from /openapi.json', () => {
  let service: Service;
  let token: string;
  let folder: string;

  beforeEach(async () => {
    service = await Service.inMemory();
    service.memory.repository('acme', 'widgets').openPullRequest(1);
    await service.organization('acme');
    token = (await service.client('acme', 'admin')).token ?? '';
    folder = join(FOLDER, String(process.pid));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${service.url}/openapi.json`)).text());
  });

  afterEach(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('compiles and works: openapi-fetch, made by openapi-typescript', async () => {
    const here = { cwd: folder };
    const bin = join(ROOT, 'node_modules/.bin');
    await run(join(bin, 'openapi-typescript'), ['openapi.json', '--output', 'schema.ts'], here);
    copyFileSync(PROGRAM, join(folder, 'program.ts'));
    await run(join(bin, 'tsc'), ['--project', folder], here).catch(({ stdout }: { stdout: string }) => {
      throw new Error(stdout);
    });
    const { stdout } = await run('node', [join(folder, 'out/program.js'), service.url, token], here);
    expect(JSON.parse(stdout)).toEqual({
      created: 'squash',
      state: 'pending',
      listed: [{ prNumber: 1, stateMessage: null }],
      details: 'TEST_RUN_NOT_FOUND',
      refused: [404, 'PR_NOT_FOUND'],
      requestId: true,
      metrics: true,
      uploaded: 1,
    });
  });
});
