import type { Span } from './span';

/** A receiver of spans: a collector. */
export interface SpanSender {
  /**
   * Sends spans. 'refused': the collector has read the spans and will never accept them. Rejects if the collector is
   * unreachable or may accept the spans later.
   */
  send(spans: readonly Span[]): Promise<'sent' | 'refused'>;
}
