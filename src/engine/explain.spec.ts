import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings } from './model';
import type { RequestableQueueState } from './vocabulary';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay(settings);
  return day;
}

function submit(...numbers: readonly number[]): void {
  for (const number of numbers) day.submit(number);
  day.carryOutAll();
}

function switchTo(mode: 'single' | 'parallel', state?: RequestableQueueState): void {
  day.happen({ type: 'settingsChanged', settings: {}, mode, state, actor: 'ci' });
}

function why(number: number): string | null {
  const [explanation] = explain(day.queue, [{ entryId: day.entry(number).id, ahead: 0 }], day.now);
  return explanation?.waitingFor ?? null;
}

describe('explaining an entry that is not ready', () => {
  it('names the unmet conditions, and the time after which the entry is cancelled', () => {
    begin().open(1, { mergeability: 'not_mergeable' }).submit(1);
    expect(why(1)).toBe(
      'Not ready. Missing: it must be mergeable into main (git.example says it is not). It is cancelled in 24 hours unless it becomes ready',
    );
    day.change(1, { draft: true, base: 'release' });
    expect(why(1)).toContain('its base must be main (it is release); it must not be a draft');
    day.change(1, { draft: false, base: 'main', mergeability: 'in_progress' });
    expect(why(1)).toContain('git.example must still report whether the pull request can be merged');
  });

  it('names missing impacted targets in parallel mode only', () => {
    begin();
    switchTo('parallel');
    day.submit(1);
    expect(why(1)).toContain(
      'Not ready. Missing: impacted targets must be sent for its head 1a. It is cancelled in 24 hours',
    );
  });

  it('says that it is ready if its conditions are met but the queue has not decided yet', () => {
    begin().open(1, { draft: true }).submit(1);
    day.change(1, { draft: false }, 'missed');
    day.store.observe(day.facts(1));
    expect(why(1)).toBe('Ready: the queue continues with this pull request next');
  });
});

describe('explaining why a queue starts no test', () => {
  it('names the state of the queue, and the waiting time', () => {
    begin().set({}, 'draining');
    day.submit(1);
    expect(why(1)).toBe('The queue is draining: no test starts until it is running');
    day.set({}, 'paused');
    day.advance(12);
    expect(why(1)).toBe('The queue is paused: no test starts until it is running. Pending for 12 minutes');
  });

  it('says that an urgent entry will go first', () => {
    begin().set({}, 'paused');
    day.submit(1, { priority: 0 });
    expect(why(1)).toBe(
      'The queue is paused: no test starts until it is running. It is urgent, so it will be tested first',
    );
  });

  it('names the new mode, the work in progress, and the state after the switch', () => {
    begin({ concurrency: 2 });
    submit(1, 2, 3, 4);
    day.report(day.runOf(1), 'passed');
    switchTo('parallel');
    expect(why(4)).toBe(
      'The queue is switching to mode parallel: no test starts until everything in flight is done ' +
        '(#2, #3 are being tested; #1 is being merged). After the switch, the queue is running',
    );
    day.set({}, 'paused');
    expect(why(4)).toContain('After the switch, the queue is paused: still no test starts');
  });

  it('names a missing target branch', () => {
    begin();
    submit(1, 2);
    day.queue = { ...day.queue, tip: null };
    expect(why(2)).toBe('The target branch main does not exist: no test starts until it does');
  });

  it('names a host that does not answer, besides other obstacles', () => {
    begin().submit(1);
    day.submit(2);
    day.store.hostUnreachableSince = day.now;
    day.now += 14 * 60_000;
    const outage = 'git.example has not answered for 14 minutes; the queue keeps asking and keeps its order';
    expect([why(1), why(2)]).toEqual([outage, `${outage}. Pending for 14 minutes`]);
    day.set({}, 'paused');
    expect(why(2)).toBe(`The queue is paused: no test starts until it is running. ${outage}. Pending for 14 minutes`);
  });
});

it('explain: returns nothing for a concluded entry', () => {
  begin();
  submit(1);
  day.pass(1);
  expect(why(1)).toBeNull();
});

it('explain: returns only requested entries of the queue', () => {
  begin();
  submit(1, 2);
  const asked = ['entry-2', 'entry-9'].map((entryId) => ({ entryId, ahead: 1 }));
  expect(explain(day.queue, asked, day.now).map(({ entryId }) => entryId)).toEqual(['entry-2']);
});
