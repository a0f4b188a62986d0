import type { RepositoryName } from '../../platform/repository-name';
import { createHash } from 'node:crypto';
import { parseTraceParent, type TracePlace } from '../../platform/requests/request-trace';

/** A span, independent of any library. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** The id of the parent span; null if the span is the root of its trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly attributes: SpanAttributes;
  /** Why the span counts as failed; absent or null if it does not. */
  readonly problem?: string | null;
  readonly links?: readonly TracePlace[];
}

/** Attributes of a span. Null values are not sent. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null>>;

/** A pull request in a queue, from one submission to its end. */
export interface Submission extends RepositoryName {
  readonly entryId: string;
  readonly attempt: number;
  readonly queueId: string;
  readonly number: number;
  readonly submittedAt: Date;
  /**
   * The span of the request that submitted the pull request; null if there was no request, or traces were off at that
   * time.
   */
  readonly traceParent: string | null;
  readonly organization: string;
  readonly branch: string;
}

/**
 * The trace of a submission. It is the same in every process and after every restart, because it is computed from
 * stored values.
 */
export function traceOf(submission: Submission): TracePlace & { readonly parentSpanId: string | null } {
  const { entryId, attempt, traceParent } = submission;
  const request = parseTraceParent(traceParent);
  const spanId = spanIdOf('submission', entryId, attempt);
  if (request) return { ...request, spanId, parentSpanId: request.spanId };
  const traceId = digest(['trace', entryId, attempt]).slice(0, 32);
  return { traceId, spanId, isSampled: true, parentSpanId: null };
}

export function spanIdOf(...parts: readonly (string | number | bigint)[]): string {
  return digest(parts).slice(0, 16);
}

/** The attributes of every span of a submission, so that a search for one of them finds the span. */
export function spanAttributesOf(submission: Submission): SpanAttributes {
  const { organization, host, owner, name, branch, number, attempt, queueId } = submission;
  return {
    'sluice.organization': organization,
    'sluice.repository': `${host}/${owner}/${name}`,
    'sluice.branch': branch,
    'sluice.number': number,
    'sluice.attempt': attempt,
    'sluice.queue_id': queueId,
  };
}

function digest(parts: readonly (string | number | bigint)[]): string {
  return createHash('sha256').update(parts.join('/')).digest('hex');
}
