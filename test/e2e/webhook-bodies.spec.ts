import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { recordAttack } from '../support/attacks';
import { WEBHOOK_SECRET } from '../support/hosts';
import { World } from '../support/world';

const TIMES = 120;
const MOST_CPU_MS = 5_000;
const BOMB = gzipSync(`{"a":"${' '.repeat(20_000_000)}"}`);

describe('attack 14: the bodies of unsigned webhooks', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'github' });
  });
  afterAll(() => world.close());

  const deliver = (body: Buffer, headers: Record<string, string>) =>
    fetch(`${world.url}/webhooks/github`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-github-delivery': 'd', 'x-github-event': 'ping', ...headers },
      body: new Uint8Array(body),
    });
  const signatureOf = (body: Buffer) => `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`;

  it('are not decompressed', async () => {
    const began = { at: performance.now(), cpu: process.cpuUsage() };
    const statuses = new Set<number>();
    for (let n = 0; n < TIMES; n++) statuses.add((await deliver(BOMB, { 'content-encoding': 'gzip' })).status);
    const { user, system } = process.cpuUsage(began.cpu);
    recordAttack({
      attack: `${TIMES} packed webhooks of 20 MB without a signature`,
      answer: [...statuses].join(', '),
      milliseconds: performance.now() - began.at,
    });
    expect([...statuses]).toEqual([415]);
    expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS);
  });

  it('are not decompressed even if the signature is right, because the signature covers the compressed bytes', async () => {
    const packed = gzipSync('{}');
    const encoded = { 'content-encoding': 'gzip', 'x-hub-signature-256': signatureOf(packed) };
    expect((await deliver(packed, encoded)).status).toBe(415);
    const plain = Buffer.from('{}');
    expect((await deliver(plain, { 'x-hub-signature-256': signatureOf(plain) })).status).toBe(202);
    expect((await deliver(plain, { 'x-hub-signature-256': signatureOf(packed) })).status).toBe(401);
  });
});
