import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'prom-client';
import { RateGate } from '../../src/code-hosts/github/client/rate-gate';
import { ServiceProcesses } from '../../src/platform/health/service-processes';
import { serviceVersion } from '../../src/platform/service-version';
import type { Client } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS);

/** The value of a series with its labels, as text. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('/metrics of the service', () => {
  let service: Service;
  let client: Client;
  let rows: Rows;
  let queueId: string;

  beforeAll(async () => {
    service = await Service.inMemory({ dataDirectory: tmpdir() });
    rows = new Rows(service.prisma, NOW);
    const acme = await service.organization('acme');
    client = await service.client('acme', 'admin');
    const repositoryId = await rows.repository(acme, 'widgets', 'acme', 'memory.example');
    queueId = await rows.queue(repositoryId, 'main', { state: 'paused', failures: 2, wakeAt: minutesAgo(3) });
    await rows.entry(queueId, 1, { state: 'not_ready', submittedAt: minutesAgo(90) });
    await rows.entry(queueId, 2, { state: 'pending', submittedAt: minutesAgo(10) });
    await rows.entry(queueId, 3, { state: 'testing', submittedAt: minutesAgo(30) });
    await rows.entry(queueId, 4, { state: 'merged', submittedAt: minutesAgo(500) });
    const task = { queueId, type: 'pushRun', payload: {}, createdAt: minutesAgo(7), notBefore: NOW };
    for (const [key, state] of [
      ['a', 'waiting'],
      ['b', 'dead'],
      ['c', 'leased'],
    ] as const) {
      await service.prisma.outboxTask.create({ data: { ...task, key, subject: key, state } });
    }
    const delivery = { host: 'memory.example', type: 'statusReported', payload: {}, notBefore: NOW };
    await service.prisma.inboxDelivery.create({ data: { ...delivery, deliveryId: '1', receivedAt: minutesAgo(2) } });
    await service.prisma.repository.update({
      where: { id: repositoryId },
      data: { unreachableSince: minutesAgo(4) },
    });
  });

  afterAll(() => service.stop());

  const scrape = async (): Promise<string> => (await client.get('../metrics')).text;

  it.each([
    ['sluice_entries{state="not_ready"}', 1],
    ['sluice_entries{state="pending"}', 1],
    ['sluice_entries{state="testing"}', 1],
    ['sluice_entries{state="tests_passed"}', 0],
    ['sluice_oldest_entry_seconds', 30 * 60],
    ['sluice_queues{state="paused"}', 1],
    ['sluice_queues{state="running"}', 0],
    ['sluice_queues_failing', 1],
    ['sluice_decision_lag_seconds', 3 * 60],
    ['sluice_backlog{store="outbox"}', 2],
    ['sluice_backlog{store="inbox"}', 1],
    ['sluice_backlog{store="webhooks"}', 0],
    ['sluice_backlog{store="checks"}', 0],
    ['sluice_backlog_oldest_seconds{store="outbox"}', 7 * 60],
    ['sluice_backlog_oldest_seconds{store="inbox"}', 2 * 60],
    ['sluice_backlog_oldest_seconds{store="webhooks"}', 0],
    ['sluice_outbox_dead', 1],
    ['sluice_host_repositories{host="memory.example"}', 1],
    ['sluice_host_unreachable_repositories{host="memory.example"}', 1],
    ['sluice_host_unreachable_seconds{host="memory.example"}', 4 * 60],
    ['sluice_metrics_source_up{source="queues"}', 1],
    ['sluice_metrics_source_up{source="disk"}', 1],
  ])('has %s = %d', async (series, expected) => {
    expect(valueOf(await scrape(), series)).toBe(expected);
  });

  it('has the build, the free disk space, the size of the database and its connections', async () => {
    const text = await scrape();
    expect(text).toMatch(/^sluice_build_info\{version="\d+\.\d+\.\d+[^"]*",commit="",sources="",node="[\d.]+"\} 1$/m);
    expect(valueOf(text, 'sluice_disk_free_bytes')).toBeGreaterThan(0);
    expect(valueOf(text, 'sluice_disk_size_bytes')).toBeGreaterThan(valueOf(text, 'sluice_disk_free_bytes')!);
    expect(valueOf(text, 'sluice_database_size_bytes')).toBeGreaterThan(1_000_000);
    expect(valueOf(text, 'sluice_database_connections')).toBeGreaterThan(0);
  });

  it('counts running processes, and forgets processes that ended', async () => {
    await service.app.get(ServiceProcesses).beat();
    await service.prisma.$executeRaw`
      INSERT INTO "ServiceProcess"
      SELECT gen_random_uuid(), "machine", "pid", "version", "node", "settings", "facts", "startedAt", "seenAt" - age
      FROM "ServiceProcess", unnest(ARRAY[interval '20 seconds', interval '2 hours']) age`;
    const running = `sluice_processes{version="${serviceVersion()}"}`;
    expect(valueOf(await scrape(), running)).toBe(1);
    expect(await service.prisma.serviceProcess.count()).toBe(3);
    await service.app.get(ServiceProcesses).beat();
    expect(await service.prisma.serviceProcess.count()).toBe(2);
    expect(valueOf(await scrape(), running)).toBe(1);
  });

  it('has every series that docs/metrics.md names, and no other series', async () => {
    // The series for GitHub's rate limit appears only with GitHub's first answer.
    const answer = { status: 200, headers: { 'x-ratelimit-remaining': '4999' }, body: null };
    new RateGate('github.example', service.clock).learn('token', answer);
    const page = readFileSync(join(__dirname, '../../docs/metrics.md'), 'utf8');
    const named = [...page.matchAll(/^\| `((?:sluice|mq)_\w+)`/gm)].map(([, name]) => name!);
    const queues = (await client.get('../metrics/queues')).text;
    const served = [...`${await scrape()}\n${queues}`.matchAll(/^# TYPE ((?:sluice|mq)_\w+)/gm)].map(
      ([, name]) => name!,
    );
    expect([...new Set(served)].sort()).toEqual(named.sort());
  });

  it('names no repository and no branch, because any token may read it', async () => {
    expect(await scrape()).not.toMatch(/widgets|branch="/);
  });

  it('measures requests by the pattern of their route; all unknown routes are one series', async () => {
    register.getSingleMetric('sluice_http_request_duration_seconds')?.reset();
    await client.get('getPullRequest');
    await client.get('../healthz');
    await client.get('no/such/path');
    await client.get('nor/this/one');
    const text = await scrape();
    const counted = [...text.matchAll(/^sluice_http_request_duration_seconds_count\{([^}]*)\} (\d+)$/gm)];
    expect(counted.map(([, labels, count]) => `${labels} ${count}`).sort()).toEqual([
      'method="GET",route="/healthz",status="200" 1',
      'method="GET",route="none",status="404" 3',
    ]);
  });

  it('keeps the other metrics readable when one of their sources cannot be read', async () => {
    await service.prisma.$executeRaw`ALTER TABLE "InboxDelivery" RENAME TO "InboxDelivery_away"`;
    try {
      const text = await scrape();
      expect(valueOf(text, 'sluice_metrics_source_up{source="backlogs"}')).toBe(0);
      expect(valueOf(text, 'sluice_metrics_source_up{source="queues"}')).toBe(1);
      expect(valueOf(text, 'sluice_queues_failing')).toBe(1);
    } finally {
      await service.prisma.$executeRaw`ALTER TABLE "InboxDelivery_away" RENAME TO "InboxDelivery"`;
    }
  });
});
