import type { Change } from '../../engine/changes';
import { occurrencesIn } from './events-of-decision';

const CALM = { wasRed: false, isRed: false };

const moved = (to: Extract<Change, { type: 'entryMoved' }>['to']): Change => ({
  ...{
    type: 'entryMoved',
    entryId: 'e',
    from: 'testing',
    to,
    because: null,
    run: 1,
    actor: null,
    at: 0,
    details: null,
  },
});

const queueMoved = (from: 'running' | 'paused' | 'draining', to: typeof from): Change => ({
  ...{ type: 'queueMoved', from, to, stateAfterSwitch: null, actor: 'mira' },
});

describe('The webhook events of a decision', () => {
  it.each([
    ['testing', ['testing']],
    ['failed', ['sent_back']],
    ['merged', ['merged']],
    ['cancelled', ['cancelled']],
    ['pending', []],
    ['not_ready', []],
    ['tests_passed', []],
    ['pending_failure', []],
  ] as const)('report a pull request that becomes %s: %j', (to, types) =>
    expect(occurrencesIn([moved(to)], CALM).map(({ type }) => type)).toEqual(types),
  );

  it('report a queue that is paused or drained, and no queue that runs again or keeps its state', () => {
    const of = (from: 'running' | 'paused' | 'draining', to: typeof from) =>
      occurrencesIn([queueMoved(from, to)], CALM);
    expect(of('running', 'paused')).toEqual([{ type: 'queue_paused', from: 'running', to: 'paused', actor: 'mira' }]);
    expect(of('running', 'draining')).toHaveLength(1);
    expect([...of('paused', 'running'), ...of('paused', 'paused')]).toEqual([]);
  });

  it('report once that a target branch began to fail, and that the landed part of a merge failed', () => {
    expect(occurrencesIn([], { wasRed: false, isRed: true })).toEqual([{ type: 'queue_red', why: null }]);
    expect(occurrencesIn([], { wasRed: true, isRed: true })).toEqual([]);
    expect(occurrencesIn([], { wasRed: true, isRed: false })).toEqual([]);
    const part = (problem: string | null): Change => ({ type: 'partEvaluated', landing: 1, problem });
    expect(occurrencesIn([part('lint failed')], CALM)).toEqual([{ type: 'queue_red', why: 'lint failed' }]);
    expect(occurrencesIn([part(null)], CALM)).toEqual([]);
  });

  it('are in the order of the changes', () => {
    const types = occurrencesIn([moved('merged'), queueMoved('running', 'paused'), moved('failed')], CALM);
    expect(types.map(({ type }) => type)).toEqual(['merged', 'queue_paused', 'sent_back']);
  });
});
