import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { fieldsOf, type Fields, numberOf, textOf } from './protobuf';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** The id of the parent span; "" for the first span of its trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  readonly isError: boolean;
  readonly problem: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

const KINDS = { 1: 'internal', 2: 'server', 3: 'client' } as const;

/**
 * An OpenTelemetry collector. This collector reads OTLP over HTTP by the definitions of opentelemetry-proto, without
 * code of the exporter.
 */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** Answers a request in place of the collector. If absent, the collector accepts the spans. */
  answer: ((response: ServerResponse) => void) | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response: ServerResponse) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        collector.requests.push({ path: request.url ?? '', headers: request.headers });
        if (collector.answer) return collector.answer(response);
        const sent = Buffer.concat(parts);
        const isZipped = request.headers['content-encoding'] === 'gzip';
        collector.spans.push(...spansIn(isZipped ? gunzipSync(sent) : sent));
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The spans of an ExportTraceServiceRequest, in which resource_spans is field 1. */
function spansIn(message: Buffer): CollectedSpan[] {
  return all(fieldsOf(message), 1).flatMap((resourceSpans) => {
    const [resource] = all(resourceSpans, 1);
    const facts = attributesIn(resource ?? new Map(), 1);
    return all(resourceSpans, 2).flatMap((scopeSpans) => all(scopeSpans, 2).map((span) => spanOf(span, facts)));
  });
}

function spanOf(span: Fields, resource: CollectedSpan['resource']): CollectedSpan {
  const [status] = all(span, 15);
  return {
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentSpanId: hexOf(span, 4),
    name: textOf(span, 5),
    kind: KINDS[numberOf(span, 6) as keyof typeof KINDS],
    start: numberOf(span, 7) / 1e6,
    end: numberOf(span, 8) / 1e6,
    attributes: attributesIn(span, 9),
    links: all(span, 13).map((link) => `${hexOf(link, 1)}/${hexOf(link, 2)}`),
    isError: status !== undefined && numberOf(status, 3) === 2,
    problem: status ? textOf(status, 2) : '',
    resource,
  };
}

/**
 * Attributes as KeyValue messages: key is field 1 and value field 2. In AnyValue, string is field 1, bool 2, int 3 and
 * double 4.
 */
function attributesIn(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    all(fields, number).map((pair): [string, unknown] => {
      const [value] = all(pair, 2);
      if (value?.has(1)) return [textOf(pair, 1), textOf(value, 1)];
      return [textOf(pair, 1), value?.has(2) ? numberOf(value, 2) === 1 : numberOf(value ?? new Map(), 3)];
    }),
  );
}

function all(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
}

function hexOf(fields: Fields, number: number): string {
  const [value] = fields.get(number) ?? [];
  return value === undefined ? '' : (value as Buffer).toString('hex');
}
