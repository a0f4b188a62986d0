import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Service } from '../e2e/service';
import type { Document } from './document';

const run = promisify(execFile);

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly at: string;
}

/** Places of enums with a repeated value, for which Redocly has no rule. */
function repeatedValues(part: unknown, at = '#'): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { enum: values } = part as { enum?: unknown };
  const isRepeated = Array.isArray(values) && new Set(values).size < values.length;
  const inside = Object.entries(part).flatMap(([key, value]) => repeatedValues(value, `${at}/${key}`));
  return isRepeated ? [at, ...inside] : inside;
}

describe('/openapi.json', () => {
  let folder: string;
  let document: Document & { readonly openapi: string; readonly components: object };

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

  it('is valid OpenAPI 3.0, without an error or warning of the linter Redocly', async () => {
    expect(document.openapi).toMatch(/^3\.0\./);
    expect(await findings(document)).toEqual([]);
  });

  it('repeats no value in an enum', () => {
    expect(repeatedValues(document)).toEqual([]);
    expect(repeatedValues({ state: { enum: ['open', 'closed', 'open'] } })).toEqual(['#/state']);
  });

  /** Operations that each break a single rule, which the linter must have. */
  const BROKEN: readonly [rule: string, operation: object, schema?: object][] = [
    ['struct', { responses: { 200: {} } }],
    ['operation-operationId-unique', { operationId: 'createQueue' }],
    ['operation-description', { description: undefined }],
    ['operation-tag-defined', { tags: ['Lines'] }],
    ['operation-singular-tag', { tags: ['Queues', 'Audit'] }],
    ['security-defined', { security: [{ cookie: [] }] }],
    ['parameter-description', { parameters: [{ name: 'page', in: 'query', schema: { type: 'string' } }] }],
    ['no-invalid-schema-examples', {}, { type: 'integer', example: 'seven' }],
    ['no-enum-type-mismatch', {}, { type: 'integer', enum: ['seven'] }],
    ['no-required-schema-properties-undefined', {}, { type: 'object', required: ['number'] }],
  ];

  it('is checked by a linter that finds each of the rules when it is broken', async () => {
    const { '/v1/getQueue': path, '/v1/createQueue': other } = document.paths;
    const broken = BROKEN.map(([rule, changes, schema]) => {
      const content = { 'application/json': { schema } };
      const responses = { ...path!.post!.responses, 200: { description: 'Done.', content } };
      const post = { ...path!.post, operationId: `breaks-${rule}`, ...(schema && { responses }), ...changes };
      return [`/v1/breaks-${rule}`, { post }];
    });
    const paths = { '/v1/createQueue': other, ...Object.fromEntries(broken) } as object;
    const found = new Set((await findings({ ...document, paths })).map(({ rule }) => rule));
    expect(BROKEN.filter(([rule]) => !found.has(rule))).toEqual([]);
  });
});
