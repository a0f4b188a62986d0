import type { Span } from './span';

/** Who takes spans: a collector. */
export interface SpanSender {
  /** 'refused': it has read them and will never take them. Rejects when it is away, or answers what may change. */
  send(spans: readonly Span[]): Promise<'sent' | 'refused'>;
}
