import type { ChangedProject } from '../project/changed-project';

/** Finds out that an engine is wrong: by days, by examples, by comparison with another engine. */
export interface Killer {
  readonly name: string;
  /** What went wrong with this engine; null when nothing did. To throw says the same as a problem. */
  problemOf(project: ChangedProject): Promise<string | null>;
}

/** The first line of an error, and of what caused it: the rest is for who repairs it. */
export function sentenceOf(error: unknown): string {
  const sentence = String(error).split('\n', 1)[0] ?? '';
  return error instanceof Error && error.cause ? `${sentence}: ${sentenceOf(error.cause)}` : sentence;
}
