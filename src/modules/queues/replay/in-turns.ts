import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '../../../processing/replay/steps';

/** A few milliseconds of work, mostly less. */
export const STEPS_IN_A_TURN = 64;

/** Carries out the steps, and returns to the event loop in between. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let taken = 1; ; taken++) {
    const { done, value } = steps.next();
    if (done) return value;
    if (taken % STEPS_IN_A_TURN === 0) await nextTurn();
  }
}
