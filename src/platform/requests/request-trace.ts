import { randomBytes } from 'node:crypto';

/** A span's position, as in the header `traceparent` of W3C trace context. */
export interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** The span of a request. */
export interface RequestTrace extends TracePlace {
  /** The span of the caller; null: the caller sent no span. */
  readonly parentSpanId: string | null;
  /** True: the request led to a decision of a queue. Spans of other requests are not reported. */
  hasDecided: boolean;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/** Null: not valid, or a value that the standard says to ignore. */
export function parseTraceParent(text: string | undefined | null): TracePlace | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACE_PARENT.exec(text ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function formatTraceParent({ traceId, spanId, isSampled }: TracePlace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** The span of a request, in the trace of its caller or in a new trace. */
export function beginRequestTrace(traceParent: string | undefined): RequestTrace {
  const caller = parseTraceParent(traceParent);
  const spanId = randomBytes(8).toString('hex');
  if (caller) return { ...caller, spanId, parentSpanId: caller.spanId, hasDecided: false };
  return { traceId: randomBytes(16).toString('hex'), spanId, isSampled: true, parentSpanId: null, hasDecided: false };
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
