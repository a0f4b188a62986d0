import { formatTraceParent, parseTraceParent, type TracePlace } from '../../platform/requests/request-trace';
import type { PrismaService } from '../../platform/database/prisma.service';
import { type EndedCheck, type EndedRun, type EntryLine, type Piece, type SettledLanding } from './read-lines';
import { readEndedRuns, readEntryLines, readLandings } from './read-lines';
import { TracedSubmissions } from './read-submissions';
import { type SpanAttributes, spanAttributesOf, type Span, spanIdOf, type Submission, traceOf } from './span';

const CONCLUDED = ['merged', 'failed', 'cancelled'];

/** The spans that end in these parts of logs. The same part always gives the same spans, with the same ids. */
export async function storedSpans(prisma: PrismaService, pieces: readonly Piece[], since: Date): Promise<Span[]> {
  const lines = await readEntryLines(prisma, pieces, since);
  const runs = await readEndedRuns(prisma, pieces, since);
  const landings = await readLandings(prisma, pieces, since);
  const submissions = await TracedSubmissions.read(prisma, [...lines, ...runs, ...landings]);
  const spans = [
    ...lines.flatMap((line) => withSubmission(submissions, line, spansOfLine)),
    ...runs.flatMap((run) => withSubmission(submissions, run, spansOfRun)),
    ...landings.flatMap((landing) => withSubmission(submissions, landing, spansOfLanding)),
  ];
  // Several lines of one decision give the same span, which is sent once.
  return [...new Map(spans.map((span) => [`${span.traceId}/${span.spanId}`, span])).values()];
}

/**
 * Pairs each row with its submission. Submissions whose beginning is no longer in the log, or whose caller does not
 * want a trace, are skipped.
 */
function withSubmission<T extends { readonly entryId: string; readonly seq: bigint }>(
  submissions: TracedSubmissions,
  thing: T,
  make: (thing: T, submission: Submission) => Span[],
): Span[] {
  const submission = submissions.of(thing);
  return submission && traceOf(submission).isSampled ? make(thing, submission) : [];
}

function spansOfLine(line: EntryLine, submission: Submission): Span[] {
  const spans = [decisionSpan(line, submission)];
  if (line.type !== 'entryMoved') return spans;
  spans.push(...stateSpan(line, submission));
  if (CONCLUDED.includes(line.toState ?? '')) spans.push(submissionSpan(line, submission));
  return spans;
}

/**
 * The span of a decision. It has no duration, because the log has only one time for a decision; /metrics shows how long
 * decisions take.
 */
function decisionSpan(line: EntryLine, submission: Submission): Span {
  const decision = line.decisionSeq ?? line.seq;
  return {
    ...child(submission, spanIdOf('decision', line.queueId, decision, line.entryId)),
    name: 'decision',
    ...{ startedAt: line.at, endedAt: line.at },
    attributes: {
      ...spanAttributesOf(submission),
      'sluice.decided_on': line.decidedOn,
      'sluice.log_line': `${line.queueId}/${decision}`,
    },
    links: requestOf(line, submission),
  };
}

/** The trace of a later request that changed the entry, to be linked. */
function requestOf({ traceParent }: EntryLine, submission: Submission): readonly TracePlace[] {
  const request = parseTraceParent(traceParent);
  const isTheFirst = request !== null && formatTraceParent(request) === submission.traceParent;
  return request === null || isTheFirst ? [] : [request];
}

function stateSpan(line: EntryLine, submission: Submission): Span[] {
  if (line.enteredAt === null || line.enteredSeq === null) return [];
  return [
    {
      ...child(submission, spanIdOf('state', line.queueId, line.enteredSeq)),
      name: `state ${line.fromState}`,
      ...{ startedAt: line.enteredAt, endedAt: line.at },
      attributes: {
        ...spanAttributesOf(submission),
        'sluice.state': line.fromState,
        'sluice.next_state': line.toState,
        'sluice.reason': line.reason,
      },
    },
  ];
}

function submissionSpan(line: EntryLine, submission: Submission): Span {
  const { traceId, spanId, parentSpanId } = traceOf(submission);
  const why = [line.reason, line.why].filter((part) => part !== null).join(': ');
  return {
    ...{ traceId, spanId, parentSpanId, kind: 'internal', name: 'pull request' },
    ...{ startedAt: submission.submittedAt, endedAt: line.at },
    attributes: {
      ...spanAttributesOf(submission),
      'sluice.conclusion': line.toState,
      'sluice.reason': line.reason,
      'sluice.why': line.why,
    },
    problem: line.toState === 'failed' ? why || 'failed' : null,
  };
}

export function runSpanId(runId: string, entryId: string): string {
  return spanIdOf('run', runId, entryId);
}

function spansOfRun(run: EndedRun, submission: Submission): Span[] {
  const spanId = runSpanId(run.runId, run.entryId);
  const span: Span = {
    ...child(submission, spanId),
    name: 'test run',
    ...{ startedAt: run.createdAt, endedAt: run.endedAt },
    attributes: {
      ...spanAttributesOf(submission),
      'sluice.run': run.number,
      'sluice.run_kind': run.kind,
      'sluice.run_result': run.result,
      'sluice.run_ended_because': run.because,
      'sluice.pull_requests': run.together,
      'sluice.commit': run.commit,
      'sluice.pushed_at': run.pushedAt?.toISOString() ?? null,
    },
    problem: run.result === 'failed' ? 'failed' : null,
  };
  return [span, ...run.checks.map((check) => checkSpan(check, span))];
}

function checkSpan(check: EndedCheck, run: Span): Span {
  return {
    ...run,
    ...{ parentSpanId: run.spanId, spanId: spanIdOf('check', check.id, run.spanId), name: 'check' },
    ...{ startedAt: new Date(check.startedAt), endedAt: new Date(check.endedAt) },
    attributes: { ...run.attributes, 'sluice.check': check.name, 'sluice.check_state': check.state },
    problem: check.state === 'success' ? null : check.state,
  };
}

export function landingSpanId(queueId: string, landing: number, entryId: string): string {
  return spanIdOf('landing', queueId, landing, entryId);
}

function spansOfLanding(landing: SettledLanding, submission: Submission): Span[] {
  const attributes: SpanAttributes = {
    ...spanAttributesOf(submission),
    'sluice.landing': landing.landing,
    'sluice.landing_outcome': landing.outcome,
    'sluice.why': landing.why,
  };
  return [
    {
      ...child(submission, landingSpanId(landing.queueId, landing.landing, landing.entryId)),
      name: 'landing',
      ...{ startedAt: landing.orderedAt, endedAt: landing.settledAt },
      attributes,
      problem: landing.outcome === 'landed' ? null : (landing.why ?? landing.outcome),
    },
  ];
}

/** The id of a span, and its parent, which is the span of the submission. */
export function child(
  submission: Submission,
  spanId: string,
  parentSpanId?: string,
): Pick<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'kind'> {
  const { traceId, spanId: root } = traceOf(submission);
  return { traceId, spanId, parentSpanId: parentSpanId ?? root, kind: 'internal' };
}
