import type { Steps } from '../../../processing/replay/steps';
import { inTurns, STEPS_IN_A_TURN } from './in-turns';

/** Records at each step how many turns of the event loop other work has had. */
function* watched(steps: number, turnsOfOthers: () => number, seen: number[]): Steps<string> {
  for (let step = 0; step < steps; step++) {
    seen.push(turnsOfOthers());
    yield;
  }
  return 'done';
}

describe('work in turns', () => {
  it('returns to the event loop after a number of steps, and returns the result', async () => {
    let turns = 0;
    let isOver = false;
    const takeTurn = (): void => {
      turns++;
      if (!isOver) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    const seen: number[] = [];
    expect(await inTurns(watched(10 * STEPS_IN_A_TURN, () => turns, seen))).toBe('done');
    isOver = true;
    const stepsByTurn = new Map<number, number>();
    for (const turn of seen) stepsByTurn.set(turn, (stepsByTurn.get(turn) ?? 0) + 1);
    expect([...stepsByTurn.values()]).toEqual(Array(10).fill(STEPS_IN_A_TURN));
  });

  it('rejects with the error of the work', async () => {
    // eslint-disable-next-line require-yield
    function* broken(): Steps<void> {
      throw new Error('no log');
    }
    await expect(inTurns(broken())).rejects.toThrow('no log');
  });
});
