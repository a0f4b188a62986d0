import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { recordAttack } from '../support/attacks';
import { emptyDatabase } from '../support/empty-database';
import { usageOf } from '../support/process-usage';
import { Client, codeOf } from './client';
import { StartedService } from './stop/started-service';

/**
 * The limit of CPU time for a body. On a busy machine everything is slower, so the limit may also be a multiple of the
 * time for one text of the same size.
 */
const MOST_CPU_MS = 1_000;
const MOST_TIMES_ONE_TEXT = 4;
const MOST_MIB = 300;
const LONGEST_ANSWER = 64 * 1024;
/** The size of a body in bytes, a little less than 20 MiB. */
const SIZE = 20_900_000;

const filled = (part: string) => part.repeat(Math.floor(SIZE / part.length));
const listOf = (part: string) => `[${filled(`${part},`)}${part}]`;
const objectOf = (value: string) => {
  const fields: string[] = [];
  for (let length = 0; length < SIZE; length += fields.at(-1)!.length + 1) fields.push(`"f${fields.length}":${value}`);
  return `{${fields.join(',')}}`;
};

const BODIES: readonly (readonly [what: string, operation: string, body: () => string])[] = [
  ['5 million texts instead of an object', 'getQueue', () => `{"repo":${listOf('"b"')}}`],
  ['5 million texts instead of a text', 'getQueue', () => `{"targetBranch":${listOf('"b"')}}`],
  ['5 million texts instead of the body', 'getQueue', () => listOf('"b"')],
  ['7 million objects where objects belong', 'flaky-tests/get-quarantined', () => `{"tests":${listOf('{}')}}`],
  ['5 million texts where objects belong', 'flaky-tests/update-settings', () => `{"monitors":${listOf('"b"')}}`],
  ['7 million lists where texts belong', 'setImpactedTargets', () => `{"impactedTargets":${listOf('[]')}}`],
  ['1.5 million fields instead of a text', 'getQueue', () => `{"targetBranch":${objectOf('1')}}`],
  ['1.5 million fields that nobody knows', 'updateQueue', () => objectOf('1')],
  ['1.5 million fields that are ignored', 'getQueue', () => objectOf('1')],
  ['1.5 million fields in a list', 'setImpactedTargets', () => `{"impactedTargets":[${objectOf('1')}]}`],
  ['a field with a name of 20 MB', 'updateQueue', () => `{"${filled('x')}":1}`],
  ['20 million lists in one another', 'getQueue', () => filled('[')],
  ['20 million lists in one another, ignored', 'getQueue', () => `{"x":${filled('[')}`],
  ['20 MB of spaces', 'getQueue', () => filled(' ')],
  ['a text of 20 MB', 'submitPullRequest', () => `{"targetBranch":"${filled('x')}"}`],
];

describe('attack 9: a body of 20 MB with a wrong structure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-huge-'));
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  let service: StartedService;
  let client: Client;
  let mostCpuMs = MOST_CPU_MS;

  beforeAll(async () => {
    await emptyDatabase(prisma);
    await createOrganization(prisma, { slug: 'acme' }, new Date());
    const { token } = await createToken(prisma, { organizationSlug: 'acme', name: 'x', role: 'admin' }, new Date());
    const environment = { DATABASE_URL: process.env.DATABASE_URL ?? '', PORT: '0', SLUICE_DATA_DIR: folder };
    service = await StartedService.start({ ...environment, SLUICE_LOG_LEVEL: 'info' });
    client = new Client(service.url, token);
    await client.post('getQueue', {});
    const oneText = `{"targetBranch":"${filled('x')}"}`;
    const { cpuMs } = await usageOf(service.pid, async () => {
      await client.send('POST', 'getQueue', oneText, { 'content-type': 'application/json' });
    });
    mostCpuMs = Math.max(MOST_CPU_MS, MOST_TIMES_ONE_TEXT * cpuMs);
  });

  afterAll(async () => {
    await service.kill();
    await prisma.$disconnect();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(BODIES)(
    '%s: is refused by %s in about a second and with 300 MiB of memory, while /healthz answers',
    async (what, operation, body) => {
      const text = body();
      let answer = '';
      let milliseconds = 0;
      const { cpuMs, mebibytes } = await usageOf(service.pid, async () => {
        const began = performance.now();
        const health = fetch(`${service.url}/healthz`);
        const refused = await client.send('POST', operation, text, { 'content-type': 'application/json' });
        milliseconds = performance.now() - began;
        answer = codeOf(refused);
        expect(refused.text.length).toBeLessThan(LONGEST_ANSWER);
        expect((refused.body.error?.details ?? []).length).toBeLessThanOrEqual(100);
        expect([(await health).status, (await fetch(`${service.url}/healthz`)).status]).toEqual([200, 200]);
      });
      recordAttack({ attack: `${what} (${operation})`, answer, milliseconds, mebibytes });
      expect(answer).toMatch(/^400 (VALIDATION_FAILED|MALFORMED_JSON)$/);
      expect(cpuMs).toBeLessThan(mostCpuMs);
      expect(mebibytes).toBeLessThan(MOST_MIB);
    },
  );
});
