import type { ChangedProject } from '../project/changed-project';

/** Detects that an engine is wrong: by random days, by examples, or by comparison with another engine. */
export interface Killer {
  readonly name: string;
  /** Returns the problem of this engine, or null when there is none. An exception counts as a problem. */
  problemOf(project: ChangedProject): Promise<string | null>;
}

/**
 * The first line of an error and of each of its causes. Further lines only help to repair the error, so they are left
 * out.
 */
export function sentenceOf(error: unknown): string {
  const sentence = String(error).split('\n', 1)[0] ?? '';
  return error instanceof Error && error.cause ? `${sentence}: ${sentenceOf(error.cause)}` : sentence;
}
