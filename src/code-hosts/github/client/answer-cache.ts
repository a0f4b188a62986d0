import type { RawAnswer } from './transport';

const MOST = 500;

/**
 * Answers to reads with their ETag: what has not changed since costs nothing of the rate limit. Bounded; what was used
 * last stays.
 */
export class AnswerCache {
  private readonly answers = new Map<string, RawAnswer>();

  /** The answer as it was last; its ETag is there. */
  recall(key: string): RawAnswer | null {
    const known = this.answers.get(key);
    if (known === undefined) return null;
    this.answers.delete(key);
    this.answers.set(key, known);
    return known;
  }

  keep(key: string, answer: RawAnswer): void {
    this.answers.delete(key);
    if (answer.status !== 200 || answer.headers.etag === undefined) return;
    this.answers.set(key, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > MOST && oldest !== undefined) this.answers.delete(oldest);
  }
}
