import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Service } from '../e2e/service';
import type { Document } from './document';

const run = promisify(execFile);

interface Finding {
  readonly linter: 'redocly' | 'spectral';
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly at: string;
}

describe('/openapi.json, under the linters Redocly and Spectral', () => {
  let folder: string;
  let document: Document & { readonly openapi: string };

  beforeAll(async () => {
    const service = await Service.inMemory({ publicUrl: 'https://sluice.acme.example' });
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as typeof document;
    await service.stop();
    folder = mkdtempSync(join(tmpdir(), 'sluice-openapi-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function findings(of: object): Promise<Finding[]> {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(of));
    const script = join(__dirname, 'lint-document.mjs');
    return JSON.parse((await run('node', [script, file], { maxBuffer: 1 << 26 })).stdout) as Finding[];
  }

  it('is valid OpenAPI 3.0, without an error and without a warning', async () => {
    expect(document.openapi).toMatch(/^3\.0\./);
    expect(await findings(document)).toEqual([]);
  });

  it('would not be, if it said something that is no OpenAPI', async () => {
    const { '/v1/getQueue': path, '/v1/createQueue': other } = document.paths;
    const post = { ...path!.post, responses: { 200: {} }, operationId: 'createQueue' };
    const found = await findings({ ...document, paths: { '/v1/createQueue': other, '/v1/getQueue': { post } } });
    const errors = found.filter(({ severity }) => severity === 'error').map(({ linter }) => linter);
    expect([...new Set(errors)].sort()).toEqual(['redocly', 'spectral']);
  });
});
