import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, ROOT } from '../docs/documents';
import { withBlocks } from '../docs/generated/blocks';
import { operationsBlock, operationsByCapability } from '../docs/generated/operations';
import { Service } from '../e2e/service';
import type { Document } from './document';

const BLOCKS = [
  ['docs/api.md', 'operations', operationsBlock],
  ['docs/permissions.md', 'operations by capability', operationsByCapability],
] as const;

describe('the descriptions of operations in docs', () => {
  let service: Service;
  let document: Document;

  beforeAll(async () => {
    service = await Service.inMemory();
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  });

  afterAll(() => service.stop());

  it.each(BLOCKS)('of %s follow /openapi.json; SLUICE_UPDATE_REFERENCE=1 writes them again', (path, name, make) => {
    const made = withBlocks(readDocument(path), { [name]: () => make(document) });
    if (process.env.SLUICE_UPDATE_REFERENCE === '1') writeFileSync(join(ROOT, path), made);
    expect(readDocument(path)).toBe(made);
  });

  it('are the same on both pages that describe them', () => {
    const namesIn = (block: string) =>
      [...block.matchAll(/`([\w/{}.-]*[A-Z/-][\w /{}.-]*)`/g)].map(([, name]) => name).sort();
    expect(namesIn(operationsByCapability(document))).toEqual(namesIn(operationsBlock(document)));
  });
});
