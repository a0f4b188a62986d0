import type { Answer } from './client';
import { Client, codeOf } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
/** The most submissions that the service handles at a time, and the most that wait. */
const [AT_A_TIME, WAITING] = [32, 500];

describe('Submissions beyond the limit of the service, while the code host is slow,', () => {
  let service: Service;
  let client: Client;
  let answer: () => void;
  let submissions: Promise<Answer>[];

  beforeAll(async () => {
    service = await Service.inMemory();
    const organization = await service.organization('acme');
    await new Rows(service.prisma, NOW).repository(organization, 'widgets', 'acme', REPO.host);
    client = await service.client('acme', 'admin');
    service.memory.repository('acme', 'widgets').openPullRequest(1);
    expect((await client.post('createQueue', { repo: REPO, targetBranch: 'main' })).status).toBe(200);
    const host = service.memory;
    const readPullRequest = host.readPullRequest.bind(host);
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    jest.spyOn(host, 'readPullRequest').mockImplementation(async (...asked) => {
      await mayAnswer;
      return readPullRequest(...asked);
    });
    submissions = Array.from({ length: AT_A_TIME + WAITING + 1 }, () => submit());
  });

  afterAll(() => service.stop());

  const submit = (): Promise<Answer> =>
    client.post('submitPullRequest', { repo: REPO, targetBranch: 'main', pr: { number: 1 } });
  const requests = async (priority: string) => {
    const { text } = await client.get('../metrics');
    return ['in_progress', 'waiting']
      .map((state) => `sluice_http_requests{priority="${priority}",state="${state}"}`)
      .map((series) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(series))
            ?.slice(series.length),
        ),
      );
  };

  it('are refused with 503 and Retry-After', async () => {
    const refused = await Promise.race(submissions);
    expect([codeOf(refused), Number(refused.headers.get('retry-after'))]).toEqual([
      '503 UNAVAILABLE',
      expect.any(Number),
    ]);
    expect(await requests('last')).toEqual([AT_A_TIME, WAITING]);
  });

  it('do not block reads, pausing the queue, reports or health probes', async () => {
    const queue = { repo: REPO, targetBranch: 'main' };
    const sha = 'a'.repeat(40);
    const status = { repo: REPO, sha, context: 'tests', state: 'success' };
    const answers = await Promise.all([
      client.post('getQueue', queue),
      client.post('updateQueue', { ...queue, state: 'PAUSED' }),
      client.post('updateQueue', { ...queue, state: 'RUNNING' }),
      client.post('reportStatus', status),
      client.get('../healthz'),
      client.get('../readyz'),
    ]);
    expect(answers.map(({ status: code, body }) => (code === 200 ? 200 : body))).toEqual([
      200, 200, 200, 200, 200, 200,
    ]);
  });

  it('are answered when the host answers, or with 503 if that takes too long; later submissions work', async () => {
    answer();
    const answers = await Promise.all(submissions);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(AT_A_TIME);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set(others.map(codeOf))).toEqual(new Set(['503 UNAVAILABLE']));
    expect(await requests('last')).toEqual([0, 0]);
    expect((await submit()).status).toBe(200);
    expect(await service.prisma.entry.count()).toBe(1);
  });
});
