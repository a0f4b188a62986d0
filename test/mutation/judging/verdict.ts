import type { ChangedFile } from '../project/changed-project';
import type { Sources } from '../project/sources';

/** Who found the engine wrong, and by what; nobody when it did not come to an end, or brought down its process. */
export interface Death {
  readonly killer: string | null;
  readonly problem: string;
}

/** What a worker is told: first all it needs to begin, then one changed file after another. */
export type Question =
  | { readonly type: 'begin'; readonly sources: readonly (readonly [string, string])[]; readonly seed: number }
  | { readonly type: 'judge'; readonly changed: ChangedFile | null };

/** `notAProgram`: the mutation made no valid program, which is a mistake of a rule and kills nothing. */
export type Answer =
  | { readonly type: 'killed'; readonly death: Death }
  | { readonly type: 'survived' }
  | { readonly type: 'notAProgram'; readonly why: string };

/** Judges one mutant at a time; null is the project as it is. */
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
