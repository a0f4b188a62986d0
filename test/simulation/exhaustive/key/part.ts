import type { PartialLanding } from '../../../../src/engine/model';

/** The landing's number, its landed commits and its cause are for people. */
export function partIn({ landing: _, landed: __, why: ___, problem, wrongTrees, ...rest }: PartialLanding): object {
  return { ...rest, isRed: problem !== null, isWrong: wrongTrees !== undefined };
}
