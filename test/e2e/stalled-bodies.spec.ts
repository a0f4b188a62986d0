import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { RequestBodies } from '../../src/platform/http/request-bodies';
import { UploadSpool } from '../../src/modules/test-health/storage/uploads/upload-spool';
import { recordAttack } from '../support/attacks';
import { type Client } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const UPLOAD = 'flaky-tests/upload-results';
const METADATA = {
  repo: { host: 'local', owner: 'acme', name: 'widgets' },
  ...{ org_url_slug: 'acme', commit: '1'.repeat(40), branch: 'main' },
};
const MOST_AT_ONCE = 32;
const BEGINNING =
  `--x\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n${JSON.stringify(METADATA)}\r\n` +
  '--x\r\ncontent-disposition: form-data; name="r"; filename="r.xml"\r\n\r\n<testsuite name="s">';
const END = '<testcase name="a"/></testsuite>\r\n--x--\r\n';
const CHUNK = `<!--${'x'.repeat(64 * 1024 - 7)}-->`;

/** A client that sends only as many bytes as the test says. */
class SlowClient {
  private received = '';
  private readonly answered: Promise<void>;
  private readonly closed: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    this.answered = new Promise((resolve) => {
      socket.on('data', (text: string) => {
        this.received += text;
        if (this.isAnswered) resolve();
      });
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static begin(url: string, path: string, headers: Record<string, string>, beginning: string): SlowClient {
    const { port, hostname } = new URL(url);
    const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const client = new SlowClient(connect(Number(port), hostname));
    client.socket.write(`POST /v1/${path} HTTP/1.1\r\n${lines.join('')}\r\n${beginning}`);
    return client;
  }

  send(text: string): void {
    this.socket.write(text);
  }

  get isAnswered(): boolean {
    return this.received.includes('\r\n');
  }

  /** The status line of the answer, as soon as it arrives. */
  async answer(): Promise<string> {
    await this.answered;
    return this.received.split('\r\n')[0]!;
  }

  async isClosed(): Promise<true> {
    await this.closed;
    return true;
  }

  get bytesSent(): number {
    return this.socket.bytesWritten;
  }

  leave(): void {
    this.socket.destroy();
  }
}

describe('attack 14: clients that stop in the middle of a body', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-stalled-'));
  const clients: SlowClient[] = [];
  let spoolsOpened: jest.SpyInstance;
  let spoolsRemoved: jest.SpyInstance;
  let service: Service;
  let ci: Client;
  let other: Client;
  let served: Socket[];

  beforeAll(async () => {
    spoolsOpened = jest.spyOn(UploadSpool, 'create');
    spoolsRemoved = jest.spyOn(UploadSpool.prototype, 'remove');
    service = await Service.start({ dataDirectory: folder });
    await new Rows(service.prisma, NOW).repository(await service.organization('acme'), 'widgets');
    ci = await service.client('acme', 'ci');
    other = await service.client('acme', 'submit');
  });

  beforeEach(() => {
    served = [];
    service.app.getHttpServer().on('connection', (socket) => served.push(socket));
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.leave();
    await eventually('all uploads have ended', () => spooled() === 0);
  });

  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** The number of uploads that have a spool file. Spool files have no names, so the folder does not show them. */
  const spooled = () => spoolsOpened.mock.calls.length - spoolsRemoved.mock.calls.length;

  function beginUpload(client = ci): SlowClient {
    const headers = {
      'x-api-token': client.token ?? '',
      'transfer-encoding': 'chunked',
      'content-type': 'multipart/form-data; boundary=x',
    };
    const begun = SlowClient.begin(service.url, UPLOAD, headers, chunk(BEGINNING));
    clients.push(begun);
    return begun;
  }

  async function takeAllPlaces(): Promise<readonly SlowClient[]> {
    const begun = Array.from({ length: MOST_AT_ONCE }, () => beginUpload());
    await eventually('all places are taken', () => spooled() === MOST_AT_ONCE);
    return begun;
  }

  async function wholeUpload(client: Client): Promise<Response> {
    const form = new FormData();
    form.append('metadata', JSON.stringify(METADATA));
    form.append('r', new Blob(['<testsuite name="s"><testcase name="a"/></testsuite>']), 'r.xml');
    const headers = { 'x-api-token': client.token ?? '' };
    return fetch(`${service.url}/v1/${UPLOAD}`, { method: 'POST', headers, body: form });
  }

  /** Lets time pass, in steps of a second that the service notices. */
  function passSeconds(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      service.clock.advance(1_000);
      service.app.get(RequestBodies).check();
    }
  }

  it('32 stalled uploads do not block the upload of another token: the service ends one of them', async () => {
    const stalled = await takeAllPlaces();
    const { status } = await wholeUpload(other);
    expect(status).toBe(200);
    expect(await Promise.race(stalled.map((client) => client.answer()))).toBe('HTTP/1.1 503 Service Unavailable');
    recordAttack({ attack: '32 stalled uploads, then one by another token', answer: `${status} for that` });
  });

  it('uploads of the same token get a slot once one of them has stalled for five seconds, and not earlier', async () => {
    const stalled = await takeAllPlaces();
    passSeconds(4);
    const refused = await wholeUpload(ci);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    passSeconds(1);
    const { status } = await wholeUpload(ci);
    expect(status).toBe(200);
    expect(await Promise.race(stalled.map((client) => client.answer()))).toBe('HTTP/1.1 503 Service Unavailable');
    recordAttack({ attack: '32 stalled uploads, then one by the same token', answer: `503, after 5 s ${status}` });
  });

  it('an upload is ended after its client was silent for a minute', async () => {
    const upload = beginUpload();
    await eventually('it has begun', () => spooled() === 1);
    passSeconds(60);
    expect(spooled()).toBe(1);
    passSeconds(1);
    const answer = await upload.answer();
    expect([answer, await upload.isClosed()]).toEqual(['HTTP/1.1 408 Request Timeout', true]);
    recordAttack({ attack: 'an upload that stalls', answer: '408 after 61 s of silence' });
  });

  it('an upload that keeps sending may take twenty minutes', async () => {
    const upload = beginUpload();
    await eventually('it has begun', () => spooled() === 1);
    for (let minute = 0; minute < 20; minute++) {
      passSeconds(50);
      upload.send(chunk(CHUNK));
      await eventually('the chunk is there', () => served.at(-1)!.bytesRead >= upload.bytesSent);
      passSeconds(10);
    }
    upload.send(`${chunk(END)}0\r\n\r\n`);
    expect(await upload.answer()).toBe('HTTP/1.1 200 OK');
    // Node's own limit for a whole request is off, because the tests' clock does not control it.
    expect(service.app.getHttpServer().requestTimeout).toBe(0);
  });

  it('any other request with a silent client is ended after a minute, too', async () => {
    const headers = { 'x-api-token': ci.token ?? '', 'content-type': 'application/json', 'content-length': '100' };
    const client = SlowClient.begin(service.url, 'getQueue', headers, '{"repo":');
    clients.push(client);
    // The service starts to read the body only when it knows the token, so the start of the time limit is uncertain.
    await eventually('an answer', () => {
      passSeconds(1);
      return client.isAnswered;
    });
    expect([await client.answer(), await client.isClosed()]).toEqual(['HTTP/1.1 408 Request Timeout', true]);
  });

  it('the rest of a refused body is read for at most five minutes', async () => {
    const client = SlowClient.begin(service.url, 'getQueue', { 'content-length': '100' }, '{"repo":');
    clients.push(client);
    expect(await client.answer()).toBe('HTTP/1.1 401 Unauthorized');
    passSeconds(300);
    expect(service.app.get(RequestBodies).count).toBe(1);
    passSeconds(1);
    expect(await client.isClosed()).toBe(true);
  });

  it('a body with a too large content-length is refused before the client sends it', async () => {
    const headers = { 'x-api-token': ci.token ?? '', 'content-type': 'application/json', expect: '100-continue' };
    const tooLarge = { ...headers, 'content-length': String(20 * 1024 * 1024 + 1) };
    const client = SlowClient.begin(service.url, 'getQueue', tooLarge, '');
    clients.push(client);
    expect([await client.answer(), await client.isClosed()]).toEqual(['HTTP/1.1 413 Payload Too Large', true]);
    const unknown = SlowClient.begin(service.url, 'getQueue', { ...tooLarge, 'x-api-token': 'slc_wrong' }, '');
    expect(await unknown.answer()).toBe('HTTP/1.1 401 Unauthorized');
  });
});

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

async function eventually(what: string, isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (isSo()) return;
    await after(10);
  }
  throw new Error(`Never: ${what}`);
}
