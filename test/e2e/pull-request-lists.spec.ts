import { randomUUID } from 'node:crypto';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { type Client, wrongFields } from './client';
import { NOW, Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const MINUTE_MS = 60_000;

describe('Lists of pull requests and of their test runs', () => {
  let service: Service;
  let host: MemoryRepository;
  let client: Client;

  beforeAll(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    client = await service.client('acme', 'admin');
    await client.post('createQueue', { ...MAIN, requiredStatuses: ['tests'], testingTimeoutMinutes: 30 });
    for (const number of [1, 2, 3, 4, 5]) host.openPullRequest(number);
    await submit(1);
    await tested(1, 5, 'success');
    await submit(2);
    await tested(2, 7, 'failure');
    await submit(3);
    await tested(3, 0, 'pending');
    service.clock.advance(31 * MINUTE_MS);
    await service.settles();
    await client.post('cancelPullRequest', { ...MAIN, pr: { number: 3 } });
    await submit(2);
    service.clock.advance(2 * MINUTE_MS);
    await client.post('cancelPullRequest', { ...MAIN, pr: { number: 2 } });
    await submit(4);
  });

  afterAll(() => service.stop());

  const list = (more: object = {}) => client.post('listPullRequests', { ...MAIN, ...more });
  const numbers = async (more: object) => (await list(more)).body.pullRequests.map(({ prNumber }) => prNumber);
  const results = (more: object = {}) =>
    client.post('listMergeQueueTestingResults', { ...MAIN, since: NOW.toISOString(), ...more });
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS).toISOString();

  async function submit(number: number): Promise<void> {
    await client.post('submitPullRequest', { ...MAIN, pr: { number } });
    await service.settles();
  }

  async function tested(number: number, minutes: number, state: string): Promise<void> {
    service.clock.advance(minutes * MINUTE_MS);
    const { testBranchSha: sha } = (await client.post('getMergeQueueTestingDetails', { ...MAIN, pr: { number } })).body;
    await client.post('reportStatus', { repo: REPO, sha, context: 'tests', state });
    await service.settles();
  }

  it('getSubmittedPullRequests answers records in the order of the request, and names unknown numbers', async () => {
    const prs = [{ number: 4 }, { number: 99 }, { number: '1' }, { number: 4 }, { number: 5 }];
    const { body } = await client.post('getSubmittedPullRequests', { ...MAIN, prs });
    expect(body.pullRequests.map(({ prNumber, state }) => [prNumber, state])).toEqual([
      [4, 'testing'],
      [1, 'merged'],
    ]);
    expect(body.notFound).toEqual([99, 5]);
    const alone = (await client.post('getSubmittedPullRequest', { ...MAIN, pr: { number: 4 } })).body;
    expect(body.pullRequests[0]).toEqual(alone);
    expect(alone.timeline).toBeUndefined();
  });

  it('getSubmittedPullRequests answers timelines if the request asks for them', async () => {
    const asked = { ...MAIN, prs: [{ number: 1 }, { number: 2 }], includeTimeline: true };
    const { body } = await client.post('getSubmittedPullRequests', asked);
    expect(body.pullRequests.map(({ timeline }) => timeline?.[0]?.state)).toEqual(['merged', 'cancelled']);
  });

  it.each([
    [{ prs: Array.from({ length: 51 }, (_, i) => ({ number: i + 1 })) }, 'prs'],
    [{ prs: { number: 1 } }, 'prs'],
    [{ prs: [1] }, 'prs'],
    [{ prs: [[{ number: 1 }]] }, 'prs'],
    [{ prs: [{ number: 0 }] }, 'prs.0.number'],
  ])('getSubmittedPullRequests refuses %j', async (more, field) => {
    const answer = await client.post('getSubmittedPullRequests', { ...MAIN, ...more });
    expect(Object.keys(wrongFields(answer))).toContain(field);
  });

  it('listPullRequests goes from page to page by a cursor, newest pull requests first', async () => {
    const first = (await list({ take: 3 })).body;
    const second = (await list({ take: 3, cursor: first.nextCursor })).body;
    expect([first, second].map((page) => page.pullRequests.map(({ prNumber }) => prNumber))).toEqual([[4, 3, 2], [1]]);
    expect(second.nextCursor).toBeUndefined();
    expect((await list({ take: 4 })).body.nextCursor).toBeUndefined();
  });

  it('listPullRequests filters by state and by time of conclusion, also of an earlier attempt', async () => {
    expect(await numbers({ state: 'CANCELLED' })).toEqual([3, 2]);
    expect(await numbers({ state: 'testing' })).toEqual([4]);
    expect(await numbers({ since: at(0) })).toEqual([3, 2, 1]);
    expect(await numbers({ since: at(5), until: at(5) })).toEqual([1]);
    expect(await numbers({ since: at(6), until: at(12) })).toEqual([2]);
    expect(await numbers({ since: at(13), until: at(43), state: 'cancelled' })).toEqual([3]);
  });

  it.each([
    [{ take: 0 }, 'take'],
    [{ take: 101 }, 'take'],
    [{ take: '10' }, 'take'],
    [{ state: 'red' }, 'state'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-11-20T00:00:00Z', until: '2026-11-19T00:00:00Z' }, 'until'],
    [{ cursor: 'main' }, 'cursor'],
    [{ cursor: randomUUID() }, 'cursor'],
  ])('listPullRequests refuses %j', async (more, field) => {
    expect(Object.keys(wrongFields(await list(more)))).toEqual([field]);
  });

  it('listMergeQueueTestingResults answers every test run of a pull request, newest first', async () => {
    const { body } = await results();
    const shown = body.testingResults.map(({ prNumber, endedAt, testingDurationMs, outcome, cycleConclusion }) => {
      return [prNumber, endedAt, testingDurationMs / MINUTE_MS, outcome, cycleConclusion];
    });
    expect(shown).toEqual([
      [2, at(45), 2, 'cancelled', 'cancelled'],
      [3, at(43), 0, 'cancelled', 'cancelled'],
      [3, at(43), 31, 'timed_out', 'cancelled'],
      [2, at(12), 7, 'failed', 'failed'],
      [1, at(5), 5, 'passed', 'merged'],
    ]);
    expect(body.totalItems).toBe(5);
    // The test run with a time-out was repeated in isolation before it counted as failed.
    expect(body.testingResults.map(({ bisection }) => bisection)).toEqual([false, true, false, false, false]);
    const { testRunId } = body.testingResults[4]!;
    expect((await client.post('getMergeQueueTestingDetails', { ...MAIN, testRunId })).body).toMatchObject({
      testedPullRequests: [{ prNumber: 1 }],
    });
  });

  it('listMergeQueueTestingResults has pages and a time range', async () => {
    const page = (await results({ offset: 1, take: 2 })).body;
    expect(page.testingResults.map(({ prNumber }) => prNumber)).toEqual([3, 3]);
    expect(page.totalItems).toBe(5);
    const range = (await results({ since: at(5), until: at(12) })).body;
    expect(range.testingResults.map(({ prNumber }) => prNumber)).toEqual([2, 1]);
  });

  it.each([
    [{ since: undefined }, 'since'],
    [{ since: '2026-10-01T00:00:00Z', until: '2026-11-16T00:00:00Z' }, 'until'],
    [{ since: '2026-11-20T00:00:00Z', until: '2026-11-19T00:00:00Z' }, 'until'],
    [{ since: '2026-10-01T00:00:00Z' }, 'since'],
    [{ offset: -1 }, 'offset'],
    [{ take: 101 }, 'take'],
  ])('listMergeQueueTestingResults refuses %j', async (more, field) => {
    expect(Object.keys(wrongFields(await results(more)))).toEqual([field]);
  });
});
