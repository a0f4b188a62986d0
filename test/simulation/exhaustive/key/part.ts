import type { PartialLanding } from '../../../../src/engine/model';

/**
 * Leaves out the landing's number, its landed commits and its cause, because they are for people and no decision reads
 * them.
 */
export function partIn({ landing: _, landed: __, why: ___, problem, wrongTrees, ...rest }: PartialLanding): object {
  return { ...rest, isRed: problem !== null, isWrong: wrongTrees !== undefined };
}
