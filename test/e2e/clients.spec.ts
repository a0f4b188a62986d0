import { join } from 'node:path';
import { MemoryHostAdapter } from '../../src/code-hosts/memory/memory-host.adapter';
import { type RecordedRequest, hasGoodToken, readRecordedRequests, replay } from './recorded-requests';
import { Service } from './service';

/** `npm run test:clients -- FILE` replays requests that were recorded elsewhere. */
const FILE = process.env.CLIENT_REQUESTS ?? join(__dirname, '../fixtures/client-requests.jsonl');
const REQUESTS = readRecordedRequests(FILE);

describe('Recorded requests of existing CI scripts', () => {
  let service: Service;
  let token: string;

  beforeAll(async () => {
    const names = [...new Set(REQUESTS.map(({ body }) => body.repo.host))];
    const hosts = names.map((host) => ({ host, kind: 'memory', pollSeconds: 5, settings: {} }));
    service = await Service.start({ hosts, repositoryClaims: 'on' });
    await service.organization('initech');
    const admin = await service.client('initech', 'admin');
    token = (await service.client('initech', 'submit')).token ?? '';
    const memory = service.app.get(MemoryHostAdapter, { strict: false });
    for (const { body } of REQUESTS) {
      memory.world(body.repo.host).repository(body.repo.owner, body.repo.name);
      await admin.post('createQueue', { repo: body.repo, targetBranch: body.targetBranch });
    }
  });

  afterAll(() => service.stop());

  const named = REQUESTS.map((recorded, i) => [`line ${i + 1}, ${recorded.headers['user-agent']}`, recorded] as const);

  it.each(named)('get the expected answers from the service: %s', async (_name, recorded: RecordedRequest) => {
    const answer = await replay(recorded, Number(new URL(service.url).port), token);
    const { status, ...fields } = recorded.answer ?? { status: hasGoodToken(recorded) ? 200 : 401 };
    const body = status === 200 ? fields : { error: {} };
    expect({ status: answer.status, body: JSON.parse(answer.text) as object }).toMatchObject({ status, body });
    expect(answer.continued).toBe(recorded.headers.expect !== undefined);
  });
});
