import { gzipSync } from 'node:zlib';
import { repetitionsOfThisRun } from '../support/long-run';
import { type Client, codeOf } from './client';
import { OPERATIONS } from './operations';
import { Service } from './service';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const TOO_LARGE = new Uint8Array(20 * MIB + 1).fill(97);
const TOO_LARGE_INFLATED = new Uint8Array(gzipSync(Buffer.alloc(21 * MIB, ' ')));

describe('A body of more than 20 MiB, from a token without the required role', () => {
  let service: Service;
  let reader: Client;

  beforeAll(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
    reader = await service.client('acme', 'read');
  });
  afterAll(() => service.stop());

  it.each(repetitionsOfThisRun(OPERATIONS))('is refused by $name before the role is checked', async ({ name }) => {
    // The caller's role is sufficient, so the request is refused because of its size.
    expect(codeOf(await reader.send('POST', name, TOO_LARGE, JSON_TYPE))).toBe('413 PAYLOAD_TOO_LARGE');
    const packed = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect(codeOf(await reader.send('POST', name, TOO_LARGE_INFLATED, packed))).toBe('413 PAYLOAD_TOO_LARGE');
  });
});
