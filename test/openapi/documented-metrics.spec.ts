import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register, Registry } from 'prom-client';
import { RateGate } from '../../src/code-hosts/github/client/rate-gate';
import { readDocument, ROOT } from '../docs/documents';
import { withBlocks } from '../docs/generated/blocks';
import { metricsBlock, type RegisteredMetric } from '../docs/generated/metrics';
import { Service } from '../e2e/service';

const PAGE = 'docs/metrics.md';
const OF_EACH_QUEUE = ['repo', 'repo_host', 'branch', 'queue_type'];

/** A scraped metric. The type of a histogram from stored counts is only known after `get`. */
interface Scraped extends Partial<RegisteredMetric> {
  readonly name: string;
  get(): Promise<{ readonly type: string }>;
}

async function described(metric: Scraped): Promise<RegisteredMetric> {
  const type = metric.type ?? (await metric.get()).type;
  return { name: metric.name, type, labelNames: metric.labelNames ?? OF_EACH_QUEUE };
}

describe('docs/metrics.md', () => {
  let registered: readonly RegisteredMetric[];
  let service: Service;

  beforeAll(async () => {
    // The calls of all registries are recorded, because each scrape has its own registry.
    const scraped = jest.spyOn(Registry.prototype, 'registerMetric');
    service = await Service.inMemory({ dataDirectory: tmpdir() });
    const answer = { status: 200, headers: { 'x-ratelimit-remaining': '4999' }, body: null };
    new RateGate('github.example', service.clock).learn('token', answer);
    await service.organization('acme');
    const client = await service.client('acme', 'read');
    for (const path of ['../metrics', '../metrics/queues']) expect((await client.get(path)).status).toBe(200);
    const metrics = [...scraped.mock.calls.map(([metric]) => metric), ...register.getMetricsAsArray()];
    scraped.mockRestore();
    registered = await Promise.all((metrics as unknown as readonly Scraped[]).map(described));
  });

  afterAll(() => service.stop());

  it('has the types and labels of all series; SLUICE_UPDATE_REFERENCE=1 writes them again', () => {
    const made = withBlocks(readDocument(PAGE), {
      'service metrics': metricsBlock(registered),
      'process metrics': metricsBlock(registered),
      'queue metrics': metricsBlock(registered, OF_EACH_QUEUE),
    });
    if (process.env.SLUICE_UPDATE_REFERENCE === '1') writeFileSync(join(ROOT, PAGE), made);
    expect(readDocument(PAGE)).toBe(made);
  });
});
