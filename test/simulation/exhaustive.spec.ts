import { caseOf, KINDS } from './exhaustive/cases';
import { Exploration } from './exhaustive/explore';
import { DISTURBANCES } from './exhaustive/state';

const STATES = 300;

/** `npm run test:exhaustive` plays larger cases, explores all of them to the end, and puts bugs into the engine. */
describe('two pull requests, with every result and every order of events', () => {
  it.each(KINDS)('keep the promises of a queue, and reach an end ($name)', (kind) => {
    const { problem, isClosed } = new Exploration(caseOf(kind, 2, []), { states: Infinity, compareEach: 5 }).explore();
    expect({ problem, isClosed }).toEqual({ problem: null, isClosed: true });
  });

  it.each(KINDS)('keep the promises of a queue under every disturbance ($name)', (kind) => {
    const explored = new Exploration(caseOf(kind, 2, DISTURBANCES), { states: STATES, compareEach: 10 }).explore();
    const { problem, states } = explored;
    expect({ problem, isEnough: states >= STATES }).toEqual({ problem: null, isEnough: true });
  });
});
