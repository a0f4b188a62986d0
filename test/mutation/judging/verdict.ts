import type { ChangedFile } from '../project/changed-project';
import type { Sources } from '../project/sources';

/**
 * The killer that noticed the mutant, and the problem that it found. If no killer is named, the mutant ran for ever, or
 * it ended its process.
 */
export interface Death {
  readonly killer: string | null;
  readonly problem: string;
}

/**
 * Messages to a worker. First come all data that the worker needs to begin, and then one changed file after another.
 */
export type Question =
  | { readonly type: 'begin'; readonly sources: readonly (readonly [string, string])[]; readonly seed: number }
  | { readonly type: 'judge'; readonly changed: ChangedFile | null };

/**
 * `notAProgram`: the mutation made an invalid program. An invalid program is a mistake in a rule, and the mutant does
 * not count as killed.
 */
export type Answer =
  | { readonly type: 'killed'; readonly death: Death }
  | { readonly type: 'survived' }
  | { readonly type: 'notAProgram'; readonly why: string };

/** Judges one mutant at a time; null means the unchanged project. */
export interface MutantJudge {
  judge(changed: ChangedFile | null): Promise<Answer>;
  end(): void;
}

export function killedByNobody(problem: string): Answer {
  return { type: 'killed', death: { killer: null, problem } };
}

export function beginning(sources: Sources, seed: number): Question {
  return { type: 'begin', sources: [...sources], seed };
}
