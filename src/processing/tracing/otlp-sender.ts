import { hostname } from 'node:os';
import { SpanKind, SpanStatusCode, TraceFlags, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import type { TracePlace } from '../../platform/requests/request-trace';
import type { SpanSender } from './span-sender';
import type { Span } from './span';

type SentSpan = Parameters<OTLPTraceExporter['export']>[0][number];

export interface SentAs {
  readonly url: string;
  /** The name of the service in traces. Empty: `brand`, or the name in OTEL_RESOURCE_ATTRIBUTES. */
  readonly serviceName: string;
  readonly brand: string;
  readonly version: string;
}

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
/** The HTTP statuses with which a collector says that it has read the spans and will never accept them. */
const REFUSALS = [400, 413];

/** Sends spans by OpenTelemetry. Only this file imports its packages, and the file is loaded only if traces are on. */
export function createSender(as: SentAs): SpanSender {
  const exporter = new OTLPTraceExporter({ url: as.url });
  const resource = resourceOf(as);
  return {
    send: (spans) =>
      new Promise((resolve, reject) => {
        const sent = spans.map((span) => sentSpan(span, resource, as.version));
        exporter.export(sent, ({ error }) => {
          if (!error) return resolve('sent');
          if (REFUSALS.includes(Number((error as { code?: unknown }).code))) return resolve('refused');
          reject(error);
        });
      }),
  };
}

function resourceOf({ serviceName, brand, version }: SentAs): SentSpan['resource'] {
  const facts = { 'service.version': version, 'host.name': hostname(), 'process.pid': process.pid };
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': brand, ...facts }))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(serviceName === '' ? {} : { 'service.name': serviceName }));
}

function sentSpan(span: Span, resource: SentSpan['resource'], version: string): SentSpan {
  const { traceId, parentSpanId, kind, startedAt, endedAt, problem = null, links = [] } = span;
  const place = contextOf({ ...span, isSampled: true });
  return {
    name: span.name,
    kind: KINDS[kind],
    spanContext: () => place,
    ...(parentSpanId !== null && {
      parentSpanContext: contextOf({ traceId, spanId: parentSpanId, isSampled: true }),
    }),
    startTime: timeOf(startedAt.getTime()),
    endTime: timeOf(endedAt.getTime()),
    duration: timeOf(Math.max(0, endedAt.getTime() - startedAt.getTime())),
    ended: true,
    status: problem === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: problem },
    attributes: Object.fromEntries(
      Object.entries(span.attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    links: links.map((link) => ({ context: contextOf(link) })),
    events: [],
    resource,
    instrumentationScope: { name: 'sluice', version },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  };
}

function contextOf({ traceId, spanId, isSampled }: TracePlace): SpanContext {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}

/** A time as seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}
