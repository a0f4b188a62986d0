import { caseOf, KINDS } from './exhaustive/cases';
import { Exploration } from './exhaustive/explore';

/** Flow scheduling has some 9,000 states, the other queues a few hundred. */
const STATES = 2_000;

/** `npm run test:exhaustive` plays more pull requests and disturbances, and puts bugs back. */
describe('two pull requests, with every result and every order of events', () => {
  it.each(KINDS)('keep the promises of a queue, and end ($name)', (kind) => {
    const explored = new Exploration(caseOf(kind, 2, []), { states: STATES, compareEach: 20 }).explore();
    const { problem, states, isClosed } = explored;
    expect({ problem, isWhole: isClosed || states >= STATES }).toEqual({ problem: null, isWhole: true });
  });
});
