import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Service } from '../e2e/service';
import { Dice } from '../simulation/oracle/random';
import { recordAttack } from '../support/attacks';
import { isLongRun } from '../support/long-run';
import type { Document } from './document';
import { type FuzzRequest, FuzzRequests } from './fuzz/draw-request';

const BODIES = Number(process.env.SLUICE_FUZZ_BODIES || (isLongRun ? 10_500 : 1_000));
const AT_ONCE = 16;
/** A failure shows at most this many characters of a body. */
const SHOWN = 1_000;
const REPO = { host: 'local', owner: 'demo', name: 'widgets' };

interface FuzzAnswer {
  readonly status: number;
  readonly text: string;
}

describe('attack 10: bodies drawn from /openapi.json, with a few errors in each', () => {
  const seed = Number(process.env.SLUICE_TEST_SEED || Date.now() % 1_000_000);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let service: Service;
  let token: string;
  let requests: FuzzRequests;

  beforeAll(async () => {
    const hosts = [{ host: 'local', kind: 'memory', pollSeconds: 5, settings: {} }];
    service = await Service.start({ hosts, repositoryClaims: 'on', rateLimitPerMinute: 0 });
    const repository = service.memoryHost('local').repository('demo', 'widgets');
    for (let number = 1; number <= 12; number++) repository.openPullRequest(number);
    await service.organization('demo');
    const admin = await service.client('demo', 'admin');
    token = admin.token ?? '';
    await admin.post('createQueue', { repo: REPO, targetBranch: 'main', requiredStatuses: ['tests'] });
    for (let number = 1; number <= 6; number++) {
      await admin.post('submitPullRequest', { repo: REPO, targetBranch: 'main', pr: { number } });
    }
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
    requests = new FuzzRequests(document, new Dice(seed));
  });

  afterAll(async () => {
    agent.destroy();
    await service.stop();
  });

  it('never get a 5xx, and are refused only with errors in the documented format', async () => {
    process.stdout.write(`${BODIES} bodies of seed ${seed}: SLUICE_TEST_SEED=${seed} npx jest test/openapi/fuzz\n`);
    const statuses = new Map<number, number>();
    const began = performance.now();
    for (let sent = 0; sent < BODIES; sent += AT_ONCE) {
      const drawn = Array.from({ length: Math.min(AT_ONCE, BODIES - sent) }, () => requests.draw());
      const answers = await Promise.all(drawn.map(send));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const wrong = answers.findIndex((answer) => !isAsItShouldBe(answer));
      if (wrong >= 0) throw new Error(JSON.stringify({ seed, ...shown(drawn[wrong]!), answer: answers[wrong] }));
    }
    recordAttack({
      attack: `${BODIES} bodies from /openapi.json, seed ${seed}`,
      answer: [...statuses].map(([status, times]) => `${times} × ${status}`).join(', '),
      milliseconds: performance.now() - began,
    });
    // Both statuses must be frequent, because otherwise nearly all bodies would have failed at validation.
    expect(statuses.get(200)).toBeGreaterThan(BODIES / 100);
    expect(statuses.get(400)).toBeGreaterThan(BODIES / 10);
    // On an idle machine this test takes seconds.
  }, 600_000);

  function send({ path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const all = { ...headers, 'x-api-token': token, 'content-length': String(body.length) };
    return new Promise((resolve, reject) => {
      const sent = request({ agent, port, method: 'POST', path, headers: all }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
});

function shown({ path, headers, body }: FuzzRequest): object {
  return { path, headers, body: body.toString().slice(0, SHOWN) };
}

function isAsItShouldBe({ status, text }: FuzzAnswer): boolean {
  const isRefusal = status >= 400 && status < 500;
  return status === 200 || (isRefusal && /^\{"error":\{"code":"[A-Z_]+","message":"/.test(text));
}
