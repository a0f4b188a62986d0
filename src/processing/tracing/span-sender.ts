import type { Span } from './span';

/** A receiver of spans: a collector. */
export interface SpanSender {
  /**
   * 'refused': the collector has read them and will never accept them. Rejects if the collector is unreachable or may
   * accept them later.
   */
  send(spans: readonly Span[]): Promise<'sent' | 'refused'>;
}
