import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { describeWhere } from '../support/only-where';
import { inLongRun, inShortRun, isLongRun } from '../support/long-run';
import { freePort } from '../support/movable-postgres';
import { emptyDatabase } from '../support/empty-database';
import { makeThrowAwayFolder } from '../support/throw-away-folder';
import { startCaddy } from './proxy/caddy';
import { type CertificateFiles, makeCertificate } from './proxy/certificate';
import { installed } from './proxy/installed';
import { type Nginx, startNginx } from './proxy/nginx';
import { OutsideMachine } from './proxy/outside';
import { StartedService } from './stop/started-service';

const MIB = 1024 * 1024;
/**
 * Limits that also hold on a busy machine: data that a proxy passes on arrives sooner, and data that a proxy holds back
 * arrives later.
 */
const PATIENCE = { firstBytesMs: 30_000, openMs: 500 };

/** A service with a proxy that is not started yet, and a token for the service. */
class ProxiedService {
  readonly folder = makeThrowAwayFolder();
  readonly files: CertificateFiles = makeCertificate(this.folder);
  /** A machine of the company, which trusts the company's certificate. */
  readonly outside = new OutsideMachine(this.folder, this.files.certificate);

  private constructor(
    readonly port: number,
    readonly token: string,
  ) {}

  service!: StartedService;

  static async start(): Promise<ProxiedService> {
    const proxied = new ProxiedService(await freePort(), await makeReadToken());
    proxied.service = await StartedService.start({
      DATABASE_URL: process.env.DATABASE_URL ?? '',
      PORT: '0',
      SLUICE_DATA_DIR: makeThrowAwayFolder(),
      SLUICE_PUBLIC_URL: proxied.url,
      SLUICE_TRUST_PROXY: '1',
      SLUICE_STOP_DELAY_SECONDS: '0',
    });
    return proxied;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get ports(): { readonly service: number; readonly tls: number } {
    return { service: Number(new URL(this.service.url).port), tls: this.port };
  }

  get asked() {
    return { url: this.url, token: this.token, patience: PATIENCE };
  }
}

async function makeReadToken(): Promise<string> {
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  try {
    await emptyDatabase(prisma);
    const now = new Date();
    await createOrganization(prisma, { slug: 'acme' }, now);
    return (await createToken(prisma, { organizationSlug: 'acme', name: 'outside', role: 'ci' }, now)).token;
  } finally {
    await prisma.$disconnect();
  }
}

interface Asked {
  readonly path: string;
  readonly body?: Buffer;
}

/** Asks from another IP address of this machine, so that client and proxy can be told apart. */
function askFrom(localAddress: string, { url, token }: ProxiedService, { path, body }: Asked): Promise<string> {
  const headers = { 'x-api-token': token, ...(body && { 'content-type': 'application/xml' }) };
  const options = { localAddress, headers, method: body ? 'POST' : 'GET', rejectUnauthorized: false, agent: false };
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, options, (response) => {
      let text = '';
      response.on('data', (more: Buffer) => void (text += more.toString())).on('end', () => resolve(text));
    })
      .on('error', reject)
      .end(body);
  });
}

/** The status of an answer over HTTP/2, which browsers use. */
async function statusOverHttp2(url: string, path: string, authority: string): Promise<number | undefined> {
  const session = connect(url, { ca: readFileSync(authority) });
  try {
    const stream = session.request({ ':path': path });
    const [headers] = (await once(stream, 'response')) as [{ readonly ':status'?: number }];
    return headers[':status'];
  } finally {
    session.destroy();
  }
}

/** The part of the block to leave out or replace, the time that the doctor waits, and the doctor's expected message. */
type Mistake = readonly [
  name: string,
  change: readonly [from: string, to: string],
  patience: typeof PATIENCE,
  says: string,
];

const AT_ONCE: readonly Mistake[] = [
  [
    'its body size is left out',
    ['    client_max_body_size 20m;\n', ''],
    PATIENCE,
    'problem: a body of 20 MiB is refused by nginx/1.x (413)',
  ],
  [
    'it passes X-Forwarded-For on as the client sent it',
    ['    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\n', ''],
    PATIENCE,
    'problem: a client can choose its own address: SLUICE_TRUST_PROXY is 1',
  ],
  [
    'it names itself as the client',
    ['$proxy_add_x_forwarded_for', '"$proxy_add_x_forwarded_for, 10.0.0.1"'],
    PATIENCE,
    'problem: all clients have the address of a proxy, 10.0.0.1: SLUICE_TRUST_PROXY is 1',
  ],
];

const WITH_PATIENCE: readonly Mistake[] = [
  [
    'it buffers streams',
    ['proxy_buffering off;', 'proxy_ignore_headers X-Accel-Buffering;'],
    { firstBytesMs: 3_000, openMs: 30_000 },
    'problem: a proxy holds event streams back: nothing came within … s',
  ],
  [
    'its read time-out is shorter than the service is silent',
    [
      '    location / {',
      '    location = /v1/events { proxy_read_timeout 5s; proxy_pass http://sluice; }\n    location / {',
    ],
    { firstBytesMs: 30_000, openMs: 30_000 },
    'problem: a proxy cuts event streams after … s',
  ],
];

describeWhere(installed('nginx', '-v'))('The nginx block of docs/install.md', () => {
  let proxied: ProxiedService;
  let nginx: Nginx | undefined;

  beforeAll(async () => {
    proxied = await ProxiedService.start();
  });
  afterEach(async () => {
    await nginx?.stop();
    nginx = undefined;
  });
  afterAll(() => proxied.service.kill());

  async function start(...changes: (readonly [from: string, to: string])[]): Promise<void> {
    nginx = await startNginx(proxied.ports, proxied.files, changes);
  }

  inShortRun(() => {
    it('is approved by the doctor of the service', async () => {
      await start();
      expect(await proxied.outside.complaints(proxied.asked)).toEqual([]);
    });
  });

  inLongRun(() => {
    it('is approved by `sluice doctor --url`', async () => {
      await start();
      const { exit, out, err } = await proxied.outside.sluice('doctor', '--url', proxied.url, '--token', proxied.token);
      expect({ exit, err, out }).toEqual({
        exit: 0,
        err: '',
        out: expect.stringContaining('No problem was found; 1 not known.') as string,
      });
      for (const words of [
        'TLSv1.3, certificate of Acme Acme test, valid until',
        'the service answers, and is ready',
        'this machine has the address 127.0.0.1 there, behind one proxy',
        'links of the service lead to this URL',
        'event streams arrive at once, and stay open',
        'a body of 20 MiB arrives',
        'this machine has no database of a service, so the doctor examined only the view from outside',
      ])
        expect(out).toContain(words);
    });
  });

  it('passes on the address of the client, and redirects HTTP to HTTPS', async () => {
    await start();
    expect(JSON.parse(await askFrom('127.0.0.2', proxied, { path: '/v1/connection' }))).toEqual({
      address: '127.0.0.2',
      protocol: 'https',
      forwardedAddresses: 1,
      trustedProxies: 1,
      publicUrl: proxied.url,
    });
    const plain = await fetch(`${nginx?.plainUrl}/ui`, { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://127.0.0.1/ui']);
  });

  it('supports HTTP/2, with which a browser needs one connection for all pages', async () => {
    await start();
    expect(await statusOverHttp2(proxied.url, '/readyz', proxied.files.certificate)).toBe(200);
  });

  it('lets test reports of more than 20 MiB through', async () => {
    await start();
    const path = '/v1/flaky-tests/upload-results?repo=local/acme/none&org_url_slug=acme&commit=1';
    const report = Buffer.alloc(21 * MIB, ' ');
    expect(await askFrom('127.0.0.1', proxied, { path, body: report })).toMatch(/"code":"(?!PAYLOAD_TOO_LARGE)\w+"/);
  });

  it.each(isLongRun ? WITH_PATIENCE : AT_ONCE)(
    'is reported by the doctor if %s',
    async (_, change, patience, complaint) => {
      await start(change);
      const complaints = await proxied.outside.complaints({ ...proxied.asked, patience });
      const shown = complaints.map((one) => one.replace(/nginx\/1\.\d+\.\d+/, 'nginx/1.x').replace(/\d+ s$/, '… s'));
      expect(shown).toEqual([complaint]);
    },
  );

  it('gets no token from a client that does not trust its certificate', async () => {
    await start();
    const stranger = new OutsideMachine(proxied.folder);
    expect(await stranger.complaints(proxied.asked)).toEqual([
      expect.stringMatching(/^problem: its certificate is self-signed, or its authority is unknown here/) as string,
      'unknown: proxy, event streams and body size: fix TLS first',
    ]);
  });

  it('is reported if its certificate has another name than the URL', async () => {
    await start();
    const url = proxied.url.replace('127.0.0.1', 'localhost');
    expect((await proxied.outside.complaints({ ...proxied.asked, url }))[0]).toBe(
      'problem: its certificate is not for localhost, but for IP Address:127.0.0.1',
    );
  });

  it('is named as the server that answers if the service does not answer', async () => {
    nginx = await startNginx({ ...proxied.ports, service: await freePort() }, proxied.files);
    expect(await proxied.outside.complaints(proxied.asked)).toEqual([
      expect.stringMatching(/^problem: nginx\S* answers 502, but the service does not$/) as string,
    ]);
  });
});

inLongRun(() => {
  describeWhere(installed('caddy', 'version'))('The Caddy block of docs/install.md', () => {
    it('is approved by the doctor, and passes on the address of the client', async () => {
      const proxied = await ProxiedService.start();
      const caddy = await startCaddy(proxied.ports, proxied.files);
      try {
        expect(await proxied.outside.complaints(proxied.asked)).toEqual([]);
        const seen = JSON.parse(await askFrom('127.0.0.2', proxied, { path: '/v1/connection' })) as object;
        expect(seen).toMatchObject({ address: '127.0.0.2', protocol: 'https', forwardedAddresses: 1 });
      } finally {
        await caddy.stop();
        await proxied.service.kill();
      }
    });
  });
});
