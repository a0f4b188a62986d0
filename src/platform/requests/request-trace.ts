import { randomBytes } from 'node:crypto';

/** The place of a span, as the header `traceparent` of W3C trace context has it. */
export interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** The span of a request. */
export interface RequestTrace extends TracePlace {
  /** Of the caller; null: it said none. */
  readonly parentSpanId: string | null;
  /** It led to a decision of a queue: only then its span is told. */
  hasDecided: boolean;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/** Null: it is none, or one that the standard tells to ignore. */
export function parseTraceParent(text: string | undefined | null): TracePlace | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACE_PARENT.exec(text ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function formatTraceParent({ traceId, spanId, isSampled }: TracePlace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** The span of a request within the trace of its caller, or in one of its own. */
export function beginRequestTrace(traceParent: string | undefined): RequestTrace {
  const caller = parseTraceParent(traceParent);
  const spanId = randomBytes(8).toString('hex');
  if (caller) return { ...caller, spanId, parentSpanId: caller.spanId, hasDecided: false };
  return { traceId: randomBytes(16).toString('hex'), spanId, isSampled: true, parentSpanId: null, hasDecided: false };
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
