import type { PrismaService } from '../../platform/database/prisma.service';
import type { AnsweredRequest } from '../../platform/http/trace-requests';
import { LATEST_LINE, TracedSubmissions } from './read-submissions';
import { spanAttributesOf, type Span, spanIdOf, traceOf } from './span';
import { child, landingSpanId, runSpanId } from './stored-spans';
import type { TriedTask, WorkDone } from './traces';

/** An entry that a task concerns, and its run at that time. */
interface Touched {
  readonly task: TriedTask;
  readonly entryId: string;
  readonly runId: string | null;
}

/** The spans of the work of this process. A task for several pull requests has a span in the trace of each. */
export async function workSpans(prisma: PrismaService, work: readonly WorkDone[]): Promise<Span[]> {
  const requests = work.flatMap((done) => (done.type === 'request' ? [spanOfRequest(done.request)] : []));
  const touched = await touchedBy(
    prisma,
    work.flatMap((done) => (done.type === 'task' ? [done.task] : [])),
  );
  const lines = touched.map(({ entryId }) => ({ entryId, seq: LATEST_LINE }));
  const submissions = await TracedSubmissions.read(prisma, lines);
  const tasks = touched.flatMap((one, i) => {
    const submission = submissions.of(lines[i]!);
    if (!submission || !traceOf(submission).isSampled) return [];
    const { task } = one;
    const spanId = spanIdOf('task', task.key, task.attempt, one.entryId, task.startedAt.getTime());
    const span: Span = {
      ...child(submission, spanId, parentOf(one)),
      ...{ kind: 'client', name: `task ${task.type}` },
      ...{ startedAt: task.startedAt, endedAt: task.endedAt, problem: task.problem },
      attributes: {
        ...spanAttributesOf(submission),
        'sluice.task': task.key,
        'sluice.task_attempt': task.attempt,
        'server.address': task.host,
      },
    };
    return [span];
  });
  return [...requests, ...tasks];
}

function spanOfRequest({ trace, method, path, requestId, status, startedAt, endedAt }: AnsweredRequest): Span {
  const { traceId, spanId, parentSpanId } = trace;
  return {
    ...{ traceId, spanId, parentSpanId, startedAt, endedAt, kind: 'server' },
    // Only paths of API operations are used in names, because paths of pages contain numbers.
    name: path.startsWith('/v1/') ? `${method} ${path}` : method,
    attributes: {
      'http.request.method': method,
      'url.path': path,
      'http.response.status_code': status,
      'sluice.request_id': requestId,
    },
    problem:
      status === null
        ? 'The caller disconnected before the answer was sent.'
        : status >= 500
          ? `Status ${status}`
          : null,
  };
}

function parentOf({ task, entryId, runId }: Touched): string | undefined {
  const { landing } = task.about;
  if (landing !== undefined) return landingSpanId(task.queueId, landing, entryId);
  return runId === null ? undefined : runSpanId(runId, entryId);
}

async function touchedBy(prisma: PrismaService, tasks: readonly TriedTask[]): Promise<Touched[]> {
  if (tasks.length === 0) return [];
  const asked = JSON.stringify(
    tasks.map(({ queueId, about }, i) => ({ i, queueId, run: about.run ?? null, number: about.number ?? null })),
  );
  const rows = await prisma.$queryRaw<{ i: number; entryId: string; runId: string | null }[]>`/* work-spans touchedBy */
    WITH asked AS (
      SELECT * FROM jsonb_to_recordset(${asked}::jsonb) AS a("i" int, "queueId" uuid, "run" int, "number" int))
    SELECT a."i", m."entryId", m."runId" FROM asked a
      JOIN "TestRun" r ON r."queueId" = a."queueId" AND r."number" = a."run" JOIN "TestRunMember" m ON m."runId" = r."id"
    UNION ALL
    SELECT a."i", e."id", NULL FROM asked a JOIN "Entry" e ON e."queueId" = a."queueId" AND e."number" = a."number"`;
  return [
    ...rows.map(({ i, entryId, runId }) => ({ task: tasks[i]!, entryId, runId })),
    ...tasks.flatMap((task) => (task.about.entryIds ?? []).map((entryId) => ({ task, entryId, runId: null }))),
  ];
}
