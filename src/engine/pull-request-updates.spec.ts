import { EngineDay } from '../../test/support/engine-day';
import { decide } from './decide';
import type { QueueEvent } from './events';
import type { QueueSettings, QueueSnapshot } from './model';
import { PATIENCE, pullRequestsToUpdate } from './pull-request-updates';

let day: EngineDay;

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay(settings);
  return day;
}

/** For each pull request that a decision about the event updates, by number: whether it is updated at once or later. */
function shownAfter(event: QueueEvent, before: QueueSnapshot = day.queue): Record<number, 'now' | 'later'> {
  const decision = decide(before, event, day.now);
  if (decision.type === 'refused') throw new Error(decision.refusal.message);
  const orders = pullRequestsToUpdate(before, decision, day.now);
  return Object.fromEntries(
    orders.map(({ number, dueAt }) => {
      if (dueAt !== day.now && dueAt !== day.now + PATIENCE) throw new Error(`#${number} is due at ${dueAt}`);
      return [number, dueAt === day.now ? 'now' : 'later'];
    }),
  );
}

function submitted(number: number): QueueEvent {
  return {
    type: 'pullRequestSubmitted',
    newEntryId: `entry ${number}`,
    facts: day.facts(number),
    hasTargets: false,
    via: 'api',
    actor: 'ci',
  };
}

const cancelled = (number: number): QueueEvent => ({ type: 'cancelRequested', number, via: 'api', actor: 'ci' });

describe('the updates after a decision', () => {
  it('show a submitted entry, and no other entry', () => {
    begin().submit(1);
    day.carryOutAll().open(2);
    expect(shownAfter(submitted(2))).toEqual({ 2: 'now' });
  });

  it('show at once an entry that left, and later the entries that are tested again for that reason', () => {
    begin({ concurrency: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(shownAfter(cancelled(1))).toEqual({ 1: 'now', 2: 'later', 3: 'later' });
  });

  it('skip entries of which only the waiting reason changed', () => {
    begin();
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
    expect(shownAfter(cancelled(1))).toEqual({ 1: 'now' });
    expect(shownAfter({ type: 'settingsChanged', settings: {}, state: 'paused', actor: 'ci' })).toEqual({});
  });

  it('show the new options of a queued entry, and nothing if its options are unchanged', () => {
    begin();
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    expect(shownAfter({ ...submitted(2), priority: 10 } as QueueEvent)).toEqual({ 2: 'now' });
    expect(shownAfter(submitted(2))).toEqual({});
  });

  it('show the restart that somebody requested', () => {
    begin().submit(1);
    day.carryOutAll();
    expect(shownAfter({ type: 'restartRequested', number: 1, via: 'api', actor: 'ci' })).toEqual({ 1: 'now' });
  });

  it('show later that an entry waits for the host, but at once that an entry is no longer a draft', () => {
    begin().open(1, { mergeability: 'in_progress' });
    expect(shownAfter(submitted(1))).toEqual({ 1: 'later' });
    day.open(2, { draft: true });
    expect(shownAfter(submitted(2))).toEqual({ 2: 'now' });
    day.submit(2);
    const facts = { ...day.facts(2), draft: false, seenAt: day.now };
    expect(shownAfter({ type: 'pullRequestSeen', facts, pusherMayWrite: true })).toEqual({ 2: 'now' });
  });

  it('are empty with comments and status checks switched off', () => {
    begin({ commentsEnabled: false, statusCheckEnabled: false }).open(1);
    expect(shownAfter(submitted(1))).toEqual({});
    begin({ commentsEnabled: false }).open(1);
    expect(shownAfter(submitted(1))).toEqual({ 1: 'now' });
  });
});
