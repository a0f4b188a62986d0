import fc from 'fast-check';
import { anyFlowRun, anyFlowState, anyStanding } from '../../../../test/support/flow-values';
import { FLOW_AT_START, JUST_WAITING } from '../../../engine/flow-state';
import { readFlowForPeople, readFlowRun, readFlowState, readStanding, whatWasForgotten } from './read-flow';

const QUEUE = { id: 'q-1' };
const ENTRY = { id: 'e-1', queueId: 'q-1' };
const RUN = { number: 7, queueId: 'q-1' };

function stored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Copies of the value, in each of which one field has a value that the engine never writes. */
function broken(value: object): readonly (readonly [field: string, value: unknown])[] {
  return Object.keys(value).map((field) => [field, { ...value, [field]: { not: 'this' } }]);
}

describe('The stored flow state', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(anyFlowState, anyStanding, anyFlowRun, (state, standing, run) => {
        expect(readFlowState(stored(state), QUEUE)).toEqual(state);
        expect(readStanding(stored(standing), ENTRY)).toEqual(standing);
        expect(readFlowRun(stored(run), RUN)).toEqual(run);
      }),
      { numRuns: 200 },
    );
  });

  const FIGURES = ['learned', 'areas'];

  it.each(broken({ ...FLOW_AT_START }).filter(([field]) => !FIGURES.includes(field)))(
    'causes an error that names the queue if %s is invalid',
    (field, value) => {
      expect(() => readFlowState(value, QUEUE)).toThrow(`The stored flow of queue q-1 cannot be read: ${field}`);
    },
  );

  it.each(broken({ ...JUST_WAITING }))(
    'causes an error that names entry and queue if %s is invalid',
    (field, value) => {
      expect(() => readStanding(value, ENTRY)).toThrow(
        `The stored flow of entry e-1 of queue q-1 cannot be read: ${field}`,
      );
    },
  );

  it('of an earlier version gets the initial values of missing fields', () => {
    const known = Object.entries({ ...FLOW_AT_START, results: 7 });
    const earlier = Object.fromEntries(known.filter(([field]) => field !== 'undecided'));
    expect(readFlowState(earlier, QUEUE)).toEqual({ ...FLOW_AT_START, results: 7 });
    expect(readStanding({ at: 'passed' }, ENTRY)).toEqual({ ...JUST_WAITING, at: 'passed' });
  });

  it('causes an error that names the path of the invalid field', () => {
    const redsIn = [{ streak: 1, reds: 1 }, { streak: 2 }];
    expect(() => readFlowState({ ...FLOW_AT_START, redsIn }, QUEUE)).toThrow('redsIn[1].reds is no number');
    expect(() => readFlowState([], QUEUE)).toThrow('it is no object');
    expect(() => readFlowRun({ role: 'rider', assumed: [], set: 0, isUrgent: false }, RUN)).toThrow(
      'flow of run 7 of queue q-1 cannot be read: role is none of group, half, alone, check, target',
    );
  });

  it.each([
    ['learned.flake.no is no number', { learned: { ...FLOW_AT_START.learned, flake: { yes: 1, no: 'many' } } }],
    ['areas is no list', { areas: 7 }],
  ])('starts again with the default rates if its learned rates cannot be read: %s', (wrong, figures) => {
    const stored = { ...FLOW_AT_START, results: 7, ...figures };
    expect(readFlowState(stored, QUEUE)).toEqual({ ...FLOW_AT_START, results: 7 });
    expect(whatWasForgotten(stored, QUEUE)).toBe(
      `The learned figures of queue q-1 cannot be read (${wrong}): the queue starts again with the defaults of a new queue`,
    );
    expect(whatWasForgotten({ ...FLOW_AT_START }, QUEUE)).toBeNull();
  });

  it('is shown to users with the problem, even if the queue cannot decide with it', () => {
    expect(readFlowForPeople({ ...FLOW_AT_START, results: 'some' }, QUEUE)).toEqual({
      flow: FLOW_AT_START,
      problem:
        'The stored flow of queue q-1 cannot be read: results is no number. ' +
        'This queue decides nothing until this is fixed: restore it from a backup',
    });
  });

  it('causes an error if a list in it is longer than the engine ever makes it', () => {
    const redsIn = Array.from({ length: 10_001 }, () => ({ streak: 1, reds: 1 }));
    expect(() => readFlowState({ ...FLOW_AT_START, redsIn }, QUEUE)).toThrow('redsIn has more than 10000 elements');
  });
});
