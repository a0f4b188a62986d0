import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { Config } from '../../src/platform/config/config';
import { Lifecycle } from '../../src/platform/lifecycle/lifecycle';
import { Traces } from '../../src/processing/tracing/traces';
import { TraceWriter } from '../../src/processing/tracing/trace-writer';
import { type CollectedSpan, TraceCollector } from '../support/trace-collector';
import type { Client } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const MINUTE_MS = 60_000;

describe('Traces that are not configured', () => {
  it('write no row and no log line', async () => {
    const service = await Service.inMemory();
    try {
      const host = service.memory.repository('acme', 'widgets');
      await service.organization('acme');
      const admin = await service.client('acme', 'admin');
      await admin.post('createQueue', MAIN);
      host.openPullRequest(1);
      const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
      expect((await admin.post('submitPullRequest', { ...MAIN, pr: { number: 1 } }, { traceparent })).status).toBe(200);
      await service.app.get(TraceWriter, { strict: false }).write();
      expect(await service.prisma.tracedQueueLog.count()).toBe(0);
      expect(await service.prisma.queueLog.count({ where: { traceParent: { not: null } } })).toBe(0);
    } finally {
      await service.stop();
    }
  });

  it("need no package: the service starts without the exporter's packages", async () => {
    const loaded = (module: string) => `
      require('./src/${module}');
      const packages = Object.keys(require.cache).filter((path) => path.includes('@opentelemetry'));
      console.log(packages.some((path) => path.includes('exporter-trace-otlp')));`;
    const run = async (module: string) =>
      (await promisify(execFile)(process.execPath, ['-r', './prisma/engine/load-typescript.cjs', '-e', loaded(module)]))
        .stdout;
    expect(await run('create-merge-queue')).toBe('false\n');
    expect(await run('processing/tracing/otlp-sender')).toBe('true\n');
  }, 120_000);
});

describe('Traces', () => {
  let service: Service;
  let collector: TraceCollector;
  let host: MemoryRepository;
  let admin: Client;

  async function start(url = collector.url): Promise<void> {
    service = await Service.inMemory({ traces: { url: `${url}/v1/traces`, serviceName: 'queue of acme' } });
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    expect((await admin.post('createQueue', { ...MAIN, requiredStatuses: ['tests'] })).status).toBe(200);
    await tell();
    collector.spans.length = 0;
  }

  beforeEach(async () => {
    collector = await TraceCollector.start();
    await start();
  });
  afterEach(async () => {
    await service.stop();
    await collector.stop();
  });

  const writer = () => service.app.get(TraceWriter, { strict: false });
  const tell = () => writer().write();

  const submit = (number: number, headers: Record<string, string> = {}) =>
    admin.post('submitPullRequest', { ...MAIN, pr: { number } }, headers);

  async function report(number: number, state: string): Promise<void> {
    const { body } = await admin.post('getMergeQueueTestingDetails', { ...MAIN, pr: { number } });
    const status = { repo: REPO, sha: body.testBranchSha, context: 'tests', state };
    expect((await admin.post('reportStatus', status)).status).toBe(200);
    await service.settles();
  }

  async function goThrough(number: number, state: 'success' | 'failure', headers?: Record<string, string>) {
    host.openPullRequest(number);
    await submit(number, headers);
    service.clock.advance(MINUTE_MS);
    await service.settles();
    service.clock.advance(10 * MINUTE_MS);
    await report(number, state);
  }

  it('show a merged pull request as one tree of spans, from the request to its end', async () => {
    await goThrough(1, 'success');
    await tell();
    const spans = collector.spans;
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(treeOf(spans)).toEqual([
      'POST /v1/submitPullRequest',
      '  pull request',
      '    decision pullRequestSubmitted',
      '    decision runPushed',
      '    decision statusReported',
      '    decision landed',
      '    landing',
      '      task landRun',
      '    state not_ready',
      '    state pending',
      '    state testing',
      '    state tests_passed',
      '    test run',
      '      task startTestRun',
      '      task stopTestRun',
    ]);
    const [root] = named(spans, 'pull request');
    expect(root).toMatchObject({ kind: 'internal', isError: false });
    expect(root!.attributes).toMatchObject({
      'sluice.organization': 'acme',
      'sluice.repository': 'memory.example/acme/widgets',
      'sluice.branch': 'main',
      'sluice.number': 1,
      'sluice.conclusion': 'merged',
    });
    expect(root!.resource).toMatchObject({ 'service.name': 'queue of acme' });
    expect(root!.end - root!.start).toBe(11 * MINUTE_MS);
    expect(named(spans, 'POST /v1/submitPullRequest')[0]).toMatchObject({ kind: 'server', parentSpanId: '' });
    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/x-protobuf' },
    });
  });

  it('show a failure, and a second submission as a separate trace', async () => {
    await goThrough(2, 'failure');
    await submit(2);
    await service.settles();
    await admin.post('cancelPullRequest', { ...MAIN, pr: { number: 2 } });
    await tell();
    const roots = named(collector.spans, 'pull request');
    expect(roots.map(({ attributes }) => [attributes['sluice.attempt'], attributes['sluice.conclusion']])).toEqual([
      [1, 'failed'],
      [2, 'cancelled'],
    ]);
    expect(roots[0]).toMatchObject({
      isError: true,
      problem: 'test_run_required_status_failed: failed: tests',
    });
    expect(roots[1]).toMatchObject({ isError: false });
    expect(roots[0]!.traceId).not.toBe(roots[1]!.traceId);
    const runs = named(collector.spans, 'test run');
    expect(runs.map(({ isError, traceId }) => [isError, traceId])).toEqual([
      [true, roots[0]!.traceId],
      [false, roots[1]!.traceId],
    ]);
    // The request that cancels has its own trace, and the decision names the id of this trace.
    const [cancel] = named(collector.spans, 'POST /v1/cancelPullRequest');
    const decision = named(collector.spans, 'decision').find(
      ({ attributes }) => attributes['sluice.decided_on'] === 'cancelRequested',
    );
    expect(decision).toMatchObject({ traceId: roots[1]!.traceId });
    expect(decision!.links).toEqual([`${cancel!.traceId}/${cancel!.spanId}`]);
  });

  it('continue the trace of the caller, also after the process was replaced', async () => {
    host.openPullRequest(1);
    await submit(1, { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` });
    await tell();
    const [request] = named(collector.spans, 'POST /v1/submitPullRequest');
    expect(request).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId });
    await service.settles();
    // A process that did not see the beginning of the trace exports its end.
    const { app, prisma, clock } = service;
    const [config, lifecycle] = [app.get(Config, { strict: false }), app.get(Lifecycle, { strict: false })];
    const successor = new TraceWriter(config, prisma, clock, lifecycle, app.get(Traces, { strict: false }));
    await report(1, 'success');
    await successor.write();
    const [root] = named(collector.spans, 'pull request');
    expect(root).toMatchObject({ traceId: CALLER.traceId, parentSpanId: request!.spanId });
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.traceId]));
  });

  it('leave out requests that the caller does not sample, and begin a new trace if the header is invalid', async () => {
    await goThrough(1, 'success', { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-00` });
    await tell();
    expect(collector.spans).toEqual([]);
    await goThrough(2, 'success', { traceparent: `00-${'0'.repeat(32)}-${CALLER.spanId}-01` });
    await tell();
    const [root] = named(collector.spans, 'pull request');
    expect(root!.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
  });

  it('have every span once with the same ids, however many processes export them', async () => {
    await goThrough(1, 'success');
    await Promise.all([tell(), tell()]);
    const before = collector.spans.map(({ spanId }) => spanId);
    expect(new Set(before).size).toBe(before.length);
    // After the reset, the state is as if a process had died between two steps: the collector stored the spans, but the
    // process did not record this.
    await service.prisma.tracedQueueLog.updateMany({ data: { nextSeq: 1n } });
    collector.spans.length = 0;
    await tell();
    for (const { spanId } of collector.spans) if (!before.includes(spanId)) throw new Error(`${spanId} is new.`);
    expect(collector.spans.length).toBeGreaterThan(10);
  });

  it('are exported later if the collector did not answer, and do not delay decisions', async () => {
    collector.answer = (response) => response.writeHead(401).end('<html>not here</html>');
    await goThrough(1, 'success');
    expect((await admin.post('getQueue', MAIN)).status).toBe(200);
    await tell();
    const asked = collector.requests.length;
    await tell();
    expect(collector.requests.length).toBe(asked);
    expect(collector.spans).toEqual([]);
    collector.answer = undefined;
    service.clock.advance(MINUTE_MS);
    await tell();
    expect(named(collector.spans, 'pull request')).toHaveLength(1);
    expect(named(collector.spans, 'task landRun')).toHaveLength(1);
  });

  it('are exported later if the facts about a span could not be read from the database', async () => {
    await goThrough(1, 'success');
    jest.spyOn(service.prisma, '$queryRaw').mockRejectedValueOnce(new Error('the connection is gone'));
    await expect(tell()).rejects.toThrow('the connection is gone');
    await tell();
    expect(named(collector.spans, 'task landRun')).toHaveLength(1);
  });

  it('are dropped if the collector refuses them, so that later traces are exported', async () => {
    collector.answer = (response) => response.writeHead(400).end('garbage \u0000');
    await goThrough(1, 'success');
    await tell();
    collector.answer = undefined;
    await goThrough(2, 'failure');
    await tell();
    expect(named(collector.spans, 'pull request').map(({ attributes }) => attributes['sluice.number'])).toEqual([2]);
  });

  it('do not stop at an invalid answer of the collector', async () => {
    collector.answer = (response) => response.writeHead(200).end(Buffer.from([0xff, 0xff, 0x00, 0x13]));
    await goThrough(1, 'success');
    await tell();
    const asked = collector.requests.length;
    await tell();
    expect(collector.requests.length).toBe(asked);
  });

  it('do not delay a stop of the service if the collector never answers', async () => {
    collector.answer = () => undefined;
    await goThrough(1, 'success');
    const telling = tell().catch(() => undefined);
    await service.stop();
    expect(collector.requests).toHaveLength(1);
    await collector.stop();
    await telling;
    collector = await TraceCollector.start();
    await start();
  });

  it('are not exported for events that are older than a day', async () => {
    await goThrough(1, 'success');
    service.clock.advance(25 * 60 * MINUTE_MS);
    await tell();
    expect(named(collector.spans, 'pull request')).toEqual([]);
  });
});

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan[] {
  return spans.filter((span) => span.name === name);
}

/** Each span indented below its parent, sorted by name. Decisions are named by their event, in the order of the log. */
function treeOf(spans: readonly CollectedSpan[], parent?: CollectedSpan): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = spans.filter(({ parentSpanId }) => (parent ? parentSpanId === parent.spanId : !ids.has(parentSpanId)));
  const inOrder = below.toSorted((a, b) => a.name.localeCompare(b.name));
  return inOrder.flatMap((span) => {
    const decidedOn = span.attributes['sluice.decided_on'];
    const line = typeof decidedOn === 'string' ? `${span.name} ${decidedOn}` : span.name;
    return [line, ...treeOf(spans, span).map((deeper) => `  ${deeper}`)];
  });
}
