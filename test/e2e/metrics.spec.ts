import { type Client, codeOf, wrongFields } from './client';
import { NOW, Service } from './service';
import { type Move, Rows } from './rows';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const day = (text: string) => new Date(`${text}T00:00:00.000Z`);
const counted = { runs: 4, merged: 2, failed: 1, cancelled: 0, reasons: {} };

describe('getMergeQueueMetrics', () => {
  let service: Service;
  let rows: Rows;
  let reader: Client;

  beforeAll(async () => {
    service = await Service.start();
    rows = new Rows(service.prisma, NOW);
    const acme = await service.organization('acme');
    const other = await service.organization('other');
    reader = await service.client('acme', 'read');
    await writeAnHour(acme);
    await rows.queue(await rows.repository(other, 'secret'));
  });

  afterAll(() => service.stop());

  /**
   * One queue of acme/widgets; times are minutes before now.
   * - Entry 1: pending 50, testing 40 (waited 600 s), passed 20 (tested 1200 s), merged 19 (in queue 1860 s).
   * - Entry 2: pending 90, testing 80, pending again 59 (restart), testing 58 (waited 60 s), test run failed 30 (1680
   * s), failed 29 (3660 s).
   * - Entry 3: pending 121, cancelled 1 (7200 s).
   * - Entry 4: cancelled 2, without ever being ready.
   * - Entry 5: testing since 70.
   * - Entry 6: pending.
   * - Entry 7: not ready.
   * - Entry 8: in a bisection, testing since 3, pending since 4 (60 s).
   * - Entry 9: merged 61 minutes ago, which is too long ago.
   * - Entry 10: in a bisection, between two of its tests.
   * - Entry 11: pending 25, testing 24 (60 s), test run failed 21 (180 s); in a bisection from 20, testing 15 (300 s),
   * test run failed 6 (540 s), failed 5 (1200 s in the queue).
   */
  async function writeAnHour(organizationId: string): Promise<void> {
    const queueId = await rows.queue(await rows.repository(organizationId, 'widgets'));
    const entry = (number: number, state: string, more = {}) => rows.entry(queueId, number, { state, ...more });
    await rows.log(queueId, await entry(1, 'merged'), [
      [50, 'not_ready', 'pending'],
      [40, 'pending', 'testing'],
      [20, 'testing', 'tests_passed'],
      [19, 'tests_passed', 'merged'],
    ]);
    await rows.log(queueId, await entry(2, 'failed'), [
      [90, 'not_ready', 'pending'],
      [80, 'pending', 'testing'],
      [59, 'testing', 'pending'],
      [58, 'pending', 'testing'],
      [30, 'testing', 'pending_failure'],
      [29, 'pending_failure', 'failed'],
    ]);
    await rows.log(queueId, await entry(3, 'cancelled'), [
      [121, 'not_ready', 'pending'],
      [1, 'pending', 'cancelled'],
    ]);
    await rows.log(queueId, await entry(4, 'cancelled'), [[2, 'not_ready', 'cancelled']]);
    await rows.log(queueId, await entry(5, 'testing', { place: 1 }), [
      [75, 'not_ready', 'pending'],
      [70, 'pending', 'testing'],
    ]);
    await rows.log(queueId, await entry(6, 'pending'), [[10, 'not_ready', 'pending']]);
    await entry(7, 'not_ready');
    await rows.log(
      queueId,
      await entry(8, 'testing', { search: 1 }),
      [
        [4, 'testing', 'pending'],
        [3, 'pending', 'testing'],
      ],
      'bisection',
    );
    await entry(10, 'pending', { search: 1, stateReason: 'bisection_required' });
    const culprit = await entry(11, 'failed');
    await rows.log(queueId, culprit, [
      [25, 'not_ready', 'pending'],
      [24, 'pending', 'testing'],
      [21, 'testing', 'pending_failure'],
    ]);
    const searched: Move[] = [
      [20, 'pending_failure', 'pending'],
      [15, 'pending', 'testing'],
      [6, 'testing', 'pending_failure'],
      [5, 'pending_failure', 'failed'],
    ];
    await rows.log(queueId, culprit, searched, 'bisection');
    await rows.log(queueId, await entry(9, 'merged'), [
      [300, 'not_ready', 'pending'],
      [61, 'tests_passed', 'merged'],
    ]);
    // Each step of the histogram is a factor of 1.1: step 34 is about 24 s, step 60 about 290 s, step 80 about 1,950 s.
    await service.prisma.queueDay.createMany({
      data: [
        { queueId, day: day('2025-03-01'), ...counted, waited: { 34: 1, 80: 1 } },
        { queueId, day: day('2026-11-19'), ...counted, waited: { 60: 2 } },
        { queueId, day: day('2026-11-20'), ...counted, waited: { 80: 2 } },
      ],
    });
  }

  const series = (name: string, queueType: string, more = '') =>
    `${name}{repo="acme/widgets",repo_host="local",branch="main",queue_type="${queueType}"${more}}`;

  function valueOf(text: string, which: string): string | undefined {
    return text
      .split('\n')
      .find((line) => line.startsWith(`${which} `))
      ?.slice(which.length + 1);
  }

  it.each([
    ['mq_depth_current', 'main', '', '2'],
    ['mq_depth_current', 'bisection', '', '2'],
    ['mq_awaiting_mergeability', 'main', '', '1'],
    ['mq_awaiting_mergeability', 'bisection', '', '0'],
    ['mq_testing_slots_active', 'main', '', '1'],
    ['mq_testing_slots_active', 'bisection', '', '1'],
    ['mq_pr_conclusions_1h_total', 'main', ',conclusion="merged"', '1'],
    ['mq_pr_conclusions_1h_total', 'main', ',conclusion="failed"', '2'],
    ['mq_pr_conclusions_1h_total', 'main', ',conclusion="cancelled"', '2'],
    ['mq_pr_conclusions_1h_total', 'bisection', ',conclusion="merged"', '0'],
    ['mq_pr_conclusions_1h_total', 'bisection', ',conclusion="failed"', '0'],
    ['mq_pr_conclusions_1h_total', 'bisection', ',conclusion="cancelled"', '0'],
    ['mq_pr_restarts_1h_total', 'main', '', '1'],
    ['mq_pr_restarts_1h_total', 'bisection', '', '1'],
    ['mq_pr_wait_duration_1h_seconds_count', 'main', '', '3'],
    ['mq_pr_wait_duration_1h_seconds_sum', 'main', '', '720'],
    ['mq_pr_wait_duration_1h_seconds_sum', 'bisection', '', '360'],
    ['mq_pr_test_duration_1h_seconds_count', 'main', '', '3'],
    ['mq_pr_test_duration_1h_seconds_sum', 'main', '', '3060'],
    ['mq_pr_test_duration_1h_seconds_count', 'bisection', '', '1'],
    ['mq_pr_test_duration_1h_seconds_sum', 'bisection', '', '540'],
    ['mq_pr_time_in_queue_1h_seconds_count', 'main', '', '4'],
    ['mq_pr_time_in_queue_1h_seconds_sum', 'main', '', '13920'],
    ['mq_pr_time_in_queue_1h_seconds_count', 'bisection', '', '0'],
  ])(
    'has the values for the hour that were calculated manually: %s of %s%s is %s',
    async (name, queueType, more, expected) => {
      const { text } = await reader.get('getMergeQueueMetrics');
      expect(valueOf(text, series(name, queueType, more))).toBe(expected);
    },
  );

  it('sorts durations into the buckets that the API documents', async () => {
    const { text } = await reader.get('getMergeQueueMetrics');
    const buckets = text
      .split('\n')
      .filter((line) => line.startsWith('mq_pr_time_in_queue_1h_seconds_bucket') && line.includes('queue_type="main"'))
      .map((line) => [/le="([^"]+)"/.exec(line)?.[1], line.split(' ').at(-1)].join(': '));
    expect(buckets).toEqual([
      '60: 0',
      '300: 0',
      '600: 0',
      '900: 0',
      '1800: 1',
      '3600: 2',
      '5400: 3',
      '7200: 4',
      '+Inf: 4',
    ]);
  });

  describe('since the queue was created', () => {
    const linesOf = (text: string, name: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`) && line.includes('acme/widgets'))
        .map((line) => line.replace(/repo="acme.widgets",repo_host="local",branch="main",queue_type="main",?/, ''));

    it('counts conclusions and test runs of all days', async () => {
      const { text } = await reader.get('getMergeQueueMetrics');
      expect(text).toContain('# TYPE mq_pr_conclusions_total counter');
      expect(linesOf(text, 'mq_pr_conclusions_total')).toEqual([
        'mq_pr_conclusions_total{conclusion="merged"} 6',
        'mq_pr_conclusions_total{conclusion="failed"} 3',
        'mq_pr_conclusions_total{conclusion="cancelled"} 0',
      ]);
      expect(linesOf(text, 'mq_test_runs_total')).toEqual(['mq_test_runs_total{} 12']);
    });

    it('has a histogram of the time to merge, from which quantiles can be computed', async () => {
      const { text } = await reader.get('getMergeQueueMetrics');
      expect(text).toContain('# TYPE mq_pr_time_to_merge_seconds histogram');
      expect(linesOf(text, 'mq_pr_time_to_merge_seconds_bucket')).toEqual(
        ['60"} 1', '300"} 3', '600"} 3', '900"} 3', '1800"} 3', '3600"} 6', '5400"} 6', '7200"} 6', '+Inf"} 6'].map(
          (bucket) => `mq_pr_time_to_merge_seconds_bucket{le="${bucket}`,
        ),
      );
      expect(linesOf(text, 'mq_pr_time_to_merge_seconds_count')).toEqual(['mq_pr_time_to_merge_seconds_count{} 6']);
    });

    it('counts what happened after the previous request for metrics, on the same day and on later days', async () => {
      const { id: queueId } = await service.prisma.queue.findFirstOrThrow({
        where: { repository: { name: 'widgets' } },
      });
      service.clock.advance(3 * 86_400_000);
      await service.prisma.queueDay.update({
        where: { queueId_day: { queueId, day: day('2026-11-20') } },
        data: { merged: 3 },
      });
      await service.prisma.queueDay.create({
        data: { queueId, day: day('2026-11-23'), ...counted, waited: { 60: 2 } },
      });
      try {
        const { text } = await reader.get('getMergeQueueMetrics');
        expect(linesOf(text, 'mq_pr_conclusions_total')[0]).toBe('mq_pr_conclusions_total{conclusion="merged"} 9');
      } finally {
        service.clock.advance(-3 * 86_400_000);
      }
    });
  });

  it('is Prometheus text with exactly the content type that the API documents', async () => {
    const answer = await reader.get('getMergeQueueMetrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(CONTENT_TYPE);
    expect(answer.text).toContain('# TYPE mq_pr_conclusions_1h_total gauge');
    expect(answer.text).toContain('# TYPE mq_pr_wait_duration_1h_seconds histogram');
  });

  it('reveals nothing about other organizations', async () => {
    const { text } = await reader.get('getMergeQueueMetrics');
    expect(text).not.toContain('secret');
    expect(codeOf(await reader.get('getMergeQueueMetrics?repo=acme/secret&repoHost=local'))).toBe(
      '404 REPOSITORY_NOT_FOUND',
    );
  });

  it('can be limited to one repository, with the host in any letter case', async () => {
    const answer = await reader.get('getMergeQueueMetrics?repo=acme/widgets&repoHost=LOCAL');
    expect(valueOf(answer.text, series('mq_depth_current', 'main'))).toBe('2');
  });

  it('no longer has the series of a deleted queue', async () => {
    const repositoryId = await rows.repository(await rows.organizationOf('acme'), 'gone');
    const queueId = await rows.queue(repositoryId);
    expect((await reader.get('getMergeQueueMetrics?repo=acme/gone&repoHost=local')).text).toContain('acme/gone');
    await service.prisma.queue.update({ where: { id: queueId }, data: { liveBranch: null, deletedAt: NOW } });
    expect((await reader.get('getMergeQueueMetrics?repo=acme/gone&repoHost=local')).text).not.toContain('acme/gone');
  });

  it.each([
    ['repo=acme/widgets', 'repoHost'],
    ['repoHost=local', 'repo'],
    ['repo=widgets&repoHost=local', 'repo'],
    ['repo=a//c&repoHost=local', 'repo'],
    ['repo=&repoHost=local', 'repo'],
    ['repo=acme/widgets&repo=acme/gadgets&repoHost=local', 'repo'],
    ['repo=acme/widgets&repoHost=', 'repoHost'],
  ])('refuses ?%s and names %s', async (query, field) => {
    expect(Object.keys(wrongFields(await reader.get(`getMergeQueueMetrics?${query}`)))).toEqual([field]);
  });

  it('needs a valid token', async () => {
    expect(codeOf(await service.anonymous().get('getMergeQueueMetrics'))).toBe('401 AUTHENTICATION_REQUIRED');
  });
});
