import { Logger } from '@nestjs/common';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { createLogger } from '../../src/platform/logging/logger';
import { PullRequestLogWriter } from '../../src/processing/decisions/pull-request-log-writer';
import type { Client } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };

type Line = Readonly<Record<string, unknown>> & { readonly event: string };

describe('The log of the service', () => {
  let service: Service;
  let host: MemoryRepository;
  let admin: Client;
  let writer: PullRequestLogWriter;
  let written: string[];
  /** The number of the line about a pull request at which the process dies instead of writing; 0 means never. */
  let diesAtLine: number;

  function write(text: string): void {
    if (text.includes('"pullRequestEvent"') && --diesAtLine === 0) throw new Error('killed');
    written.push(text);
  }

  beforeEach(async () => {
    service = await Service.inMemory();
    written = [];
    diesAtLine = 0;
    Logger.overrideLogger(createLogger('info', { write }));
    writer = service.app.get(PullRequestLogWriter, { strict: false });
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    expect((await admin.post('createQueue', { ...MAIN, requiredStatuses: ['tests'] })).status).toBe(200);
  });
  afterEach(() => service.stop());

  const submit = (number: number) => admin.post('submitPullRequest', { ...MAIN, pr: { number } });

  async function report(number: number, state: string): Promise<void> {
    const { body } = await admin.post('getMergeQueueTestingDetails', { ...MAIN, pr: { number } });
    const status = { repo: REPO, sha: body.testBranchSha, context: 'tests', state };
    expect((await admin.post('reportStatus', status)).status).toBe(200);
    await service.settles();
  }

  /** Every line must be one JSON object. */
  const lines = () =>
    written
      .flatMap((text) => text.trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ context }) => context === 'PullRequest');

  it('has one line for each event of a pull request, with request, test run and reason', async () => {
    host.openPullRequest(1);
    host.openPullRequest(2);
    const requestId = (await submit(1)).headers.get('x-request-id');
    await service.settles();
    await report(1, 'success');
    await submit(2);
    await service.settles();
    await report(2, 'failure');
    await submit(2);
    await admin.post('submitPullRequest', { ...MAIN, pr: { number: 2 }, priority: 4_294_967_295 });
    await admin.post('cancelPullRequest', { ...MAIN, pr: { number: 2 } });
    await Promise.all([writer.copyToLog(), writer.copyToLog()]);
    await writer.copyToLog();

    expect(
      lines().map(
        ({ number, attempt, pullRequestEvent }) => `#${String(number)} ${String(attempt)} ${String(pullRequestEvent)}`,
      ),
    ).toEqual([
      ...['#1 1 submitted', '#1 1 pending', '#1 1 testing', '#1 1 tests_passed', '#1 1 merged'],
      ...['#2 1 submitted', '#2 1 pending', '#2 1 testing', '#2 1 pending_failure', '#2 1 sent_back'],
      ...['#2 2 submitted', '#2 2 pending', '#2 2 priority_changed', '#2 2 cancelled'],
    ]);
    const [submitted, pending, testing] = lines();
    const queue = await service.prisma.queue.findFirstOrThrow();
    const about = {
      organization: 'acme',
      repository: 'memory.example/acme/widgets',
      branch: 'main',
      queueId: queue.id,
    };
    for (const line of lines())
      expect(line).toMatchObject({ ...about, level: 'info', at: service.clock.now().toISOString() });
    expect(new Set(lines().map(({ event }) => event)).size).toBe(lines().length);
    expect(submitted).toMatchObject({ requestId, actor: 'admin of acme', reason: 'api_requested', to: 'not_ready' });
    expect(pending).toMatchObject({ from: 'not_ready', to: 'pending' });
    const run = await service.prisma.testRun.findFirstOrThrow({ where: { number: 1 } });
    expect(testing).toMatchObject({ msg: 'acme/widgets #1 for main: testing', from: 'pending', runId: run.id });
    // The service's own work has no request id, even if a request caused it.
    expect(testing).not.toHaveProperty('requestId');
    expect(lines().find(({ pullRequestEvent }) => pullRequestEvent === 'sent_back')).toMatchObject({
      ...{ reason: 'test_run_required_status_failed', why: 'failed: tests' },
      msg: 'acme/widgets #2 for main: sent_back (test_run_required_status_failed)',
    });
    expect(lines().find(({ pullRequestEvent }) => pullRequestEvent === 'priority_changed')).toMatchObject({
      priority: 4_294_967_295,
    });
  });

  it('repeats lines only if a process died before it recorded that they are written', async () => {
    host.openPullRequest(1);
    await submit(1);
    diesAtLine = 2;
    await expect(writer.copyToLog()).rejects.toThrow('killed');
    const before = lines().map(({ event }) => event);
    expect(before).toHaveLength(1);
    await writer.copyToLog();
    const after = lines().map(({ event }) => event);
    expect(after).toEqual([...before, ...new Set(after)]);
    expect(new Set(after).size).toBe(2);
  });

  it('has every line once, also for several queues and for more lines than one read returns', async () => {
    host.openPullRequest(1);
    await submit(1);
    await writer.copyToLog();
    const own = lines().length;
    const queue = await service.prisma.queue.findFirstOrThrow();
    const [first] = await service.prisma.queueLog.findMany({ where: { type: 'entrySubmitted' } });
    const OTHERS = 45;
    const LONG = 1_300;
    await service.prisma.$executeRaw`
      INSERT INTO "Queue" SELECT (jsonb_populate_record(q, jsonb_build_object('id', gen_random_uuid(), 'branch', 'b' || n,
        'liveBranch', 'b' || n, 'nextLog', 2))).*
      FROM "Queue" q, generate_series(1, ${OTHERS}) n`;
    await service.prisma.$executeRaw`
      INSERT INTO "QueueLog" SELECT (jsonb_populate_record(l, jsonb_build_object('queueId', q."id", 'seq', 1))).*
      FROM "QueueLog" l, "Queue" q WHERE l."seq" = ${first!.seq} AND l."queueId" = ${queue.id}::uuid AND q."id" <> ${queue.id}::uuid`;
    await service.prisma.$executeRaw`
      INSERT INTO "QueueLog" SELECT (jsonb_populate_record(l, jsonb_build_object('seq', ${queue.nextLog} + n))).*
      FROM "QueueLog" l, generate_series(0, ${LONG - 1}::int) n WHERE l."seq" = ${first!.seq} AND l."queueId" = ${queue.id}::uuid`;
    await service.prisma.queue.update({ where: { id: queue.id }, data: { nextLog: { increment: LONG } } });
    await writer.copyToLog();
    const events = lines().map(({ event }) => event);
    expect(events).toHaveLength(own + OTHERS + LONG);
    expect(new Set(events).size).toBe(events.length);
    const ofLong = events.filter((event) => event.startsWith(queue.id)).map((event) => Number(event.split('/')[1]));
    expect(ofLong).toEqual(ofLong.toSorted((a, b) => a - b));
    await writer.copyToLog();
    expect(lines()).toHaveLength(events.length);
  });

  it('skips an invalid row, reports it once, and continues with the next rows', async () => {
    host.openPullRequest(1);
    await submit(1);
    await admin.post('submitPullRequest', { ...MAIN, pr: { number: 1 }, priority: 7 });
    await admin.post('cancelPullRequest', { ...MAIN, pr: { number: 1 } });
    const unreadable = await service.prisma.$executeRaw`
      UPDATE "QueueLog" SET "change" = jsonb_set("change", '{priority}', '"high"') WHERE "type" = 'entryPrioritised'`;
    const stateless = await service.prisma.$executeRaw`
      UPDATE "QueueLog" SET "toState" = NULL WHERE "type" = 'entryMoved' AND "toState" = 'pending'`;
    expect([unreadable, stateless]).toEqual([1, 1]);
    await writer.copyToLog();
    await writer.copyToLog();
    expect(
      lines().map(({ level, pullRequestEvent, msg }) => pullRequestEvent ?? `${String(level)}: ${String(msg)}`),
    ).toEqual([
      'submitted',
      expect.stringMatching(
        /^error: A line of a queue's log \(.+\) cannot be formatted, and is skipped: it names no state that was reached$/,
      ),
      expect.stringMatching(
        /^error: A line of a queue's log \(.+\) cannot be formatted, and is skipped: its priority is no number$/,
      ),
      'cancelled',
    ]);
  });

  it('cannot be forged by texts from a code host', async () => {
    host.openPullRequest(1);
    const words =
      'no"}\n{"level":"info","context":"PullRequest","pullRequestEvent":"merged","number":1}\n\u2028\u001b[2K';
    host.pullRequest(1).refusal = words;
    await submit(1);
    await service.settles();
    await report(1, 'success');
    await writer.copyToLog();
    const told = lines();
    expect(told.map(({ pullRequestEvent }) => pullRequestEvent)).not.toContain('merged');
    expect(String(told.find(({ pullRequestEvent }) => pullRequestEvent === 'sent_back')?.why)).toContain('"merged"');
    expect(written.join('')).not.toContain('\u001b');
  });
});
