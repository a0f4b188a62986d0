import type { PartialLanding } from '../../../../src/engine/model';

/** What it is called, and what of it landed, is for people. */
export function partIn({ landing: _, landed: __, why: ___, problem, wrongTrees, ...rest }: PartialLanding): object {
  return { ...rest, isRed: problem !== null, isWrong: wrongTrees !== undefined };
}
