import { inQueueOrder, type PlaceInQueue, SECTIONS } from './enqueued-order';

interface Named extends PlaceInQueue {
  readonly name: string;
}

const WAITING: PlaceInQueue = {
  section: SECTIONS.waiting,
  isLanding: null,
  flowOrder: null,
  flowIndex: null,
  place: null,
  placeIndex: 0,
  search: null,
  pendingRank: 2,
  returnedOrder: 0,
  priority: 100,
  submittedOrder: 1,
};

function named(name: string, more: Partial<PlaceInQueue>): Named {
  return { ...WAITING, ...more, name };
}

function orderOf(...entries: readonly Named[]): readonly string[] {
  const names = (order: readonly Named[]) => inQueueOrder(order).map(({ name }) => name);
  expect(names(entries.toReversed())).toEqual(names(entries));
  return names(entries);
}

describe('the order of a queue', () => {
  it('is the sequence, bisections, waiting entries, and entries that are not ready', () => {
    const order = orderOf(
      named('not ready', { section: SECTIONS.notReady }),
      named('waiting', {}),
      named('searched', { section: SECTIONS.searches, search: 1 }),
      named('in the line', { section: SECTIONS.line, place: 9 }),
    );
    expect(order).toEqual(['in the line', 'searched', 'waiting', 'not ready']);
  });

  it('puts an entry that is being merged first in the sequence', () => {
    const line = { section: SECTIONS.line };
    const order = orderOf(
      named('second in its batch', { ...line, place: 3, placeIndex: 1, isLanding: false }),
      named('first in its batch', { ...line, place: 3, placeIndex: 0, isLanding: null }),
      named('before', { ...line, place: 2, isLanding: false }),
      named('landing', { ...line, place: 4, isLanding: true }),
    );
    expect(order).toEqual(['landing', 'before', 'first in its batch', 'second in its batch']);
  });

  it('puts passed entries before entries under test in flow scheduling, and suspects by their sets', () => {
    const order = orderOf(
      named('suspect of the second set', { section: SECTIONS.searches, flowOrder: 2, flowIndex: 0 }),
      named('second of the first set', { section: SECTIONS.searches, flowOrder: 1, flowIndex: 1 }),
      named('first of the first set', { section: SECTIONS.searches, flowOrder: 1, flowIndex: 0 }),
      named('tested', { section: SECTIONS.line }),
      named('passed later', { section: SECTIONS.line, flowOrder: 10 }),
      named('passed first', { section: SECTIONS.line, flowOrder: 9 }),
    );
    expect(order).toEqual([
      'passed first',
      'passed later',
      'tested',
      'first of the first set',
      'second of the first set',
      'suspect of the second set',
    ]);
  });

  it('puts waiting entries in the order of their starts: urgent, returned, by priority, by submission', () => {
    const order = orderOf(
      named('submitted later', { submittedOrder: 11 }),
      named('submitted first', { submittedOrder: 10 }),
      named('low', { priority: 200 }),
      named('came back later', { pendingRank: 1, returnedOrder: 5, priority: 0 }),
      named('came back first', { pendingRank: 1, returnedOrder: 4, priority: 200 }),
      named('urgent', { pendingRank: 0, priority: 0, submittedOrder: 12 }),
    );
    expect(order).toEqual([
      'urgent',
      'came back first',
      'came back later',
      'submitted first',
      'submitted later',
      'low',
    ]);
  });

  it('puts entries that are not ready in the order of submission, whatever their priority', () => {
    const notReady = { section: SECTIONS.notReady };
    const order = orderOf(
      named('urgent', { ...notReady, priority: 0, pendingRank: 0, submittedOrder: 11 }),
      named('low', { ...notReady, priority: 200, submittedOrder: 10 }),
    );
    expect(order).toEqual(['low', 'urgent']);
  });
});
