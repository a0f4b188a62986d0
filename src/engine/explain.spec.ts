import { EngineDay } from '../testing/engine-day';
import { explain } from './explain';

let day: EngineDay;
const begin = (settings = {}): EngineDay => (day = new EngineDay(settings));

function why(number: number, ahead = 0): string | null {
  const [explanation] = explain(day.queue, [{ entryId: day.entry(number).id, ahead }], day.now);
  return explanation?.waitingFor ?? null;
}

describe('what a pull request waits for', () => {
  it('is named when it is not ready, with when it would be cancelled', () => {
    begin();
    day.open(1, { mergeability: 'not_mergeable' }).submit(1);
    expect(why(1)).toBe(
      'Not ready: git.example says it cannot be merged into main. It is cancelled in 24 hours unless that changes',
    );
    day.change(1, { draft: true, base: 'release' });
    expect(why(1)).toContain('its base is release, this queue merges into main; it is a draft');
  });

  it('is missing targets in parallel mode, whose lanes this version does not keep apart yet', () => {
    begin();
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
    day.submit(1);
    expect(day.stateOf(1)).toBe('not_ready');
    expect(why(1)).toContain('no impacted targets were given for its head 1a');
    expect(why(1)).toContain('works as one line of single pull requests: mode parallel');
  });

  it('is its turn, and how many stand ahead', () => {
    begin().submit(1);
    day.submit(2);
    day.carryOutAll();
    expect(why(2, 1)).toBe('1 pull request ahead of it: waits for a free slot (1 test run at once)');
  });

  it('is the limit of the service, when that is lower than what the queue may', () => {
    begin({ concurrency: 500 }).submit(1);
    day.queue = { ...day.queue, limits: { ...day.queue.limits, runsInFlight: 1 } };
    day.submit(2);
    day.carryOutAll();
    expect(why(2, 1)).toContain('1 test run at once, the limit of this service');
  });

  it('is the state of the queue when no test may start', () => {
    begin().set({}, 'draining');
    day.submit(1);
    expect(why(1)).toBe('The queue is draining: no test starts until it is running');
    begin().submit(1);
    day.queue = { ...day.queue, tip: null, entries: day.queue.entries.map((e) => ({ ...e, place: null })), runs: [] };
    expect(why(1)).toContain('The target branch main is not there');
  });

  it('is its candidate, and the host when that does not answer', () => {
    begin().submit(1);
    expect(why(1)).toBe('The commit to be tested for #1 is being built');
    day.queue = { ...day.queue, hostSilentSince: day.now };
    day.now += 14 * 60_000;
    expect(why(1)).toBe('git.example has not answered for 14 minutes; the queue keeps asking and keeps its order');
  });

  it('is a required status by its name: the one that has not reported, and the one that runs', () => {
    begin({ requiredStatuses: ['unit', 'integration'] }).submit(1);
    day.carryOutAll();
    day.report(day.runOf(1), 'running', 'unit');
    day.advance(14);
    const commit = day.runOf(1).commit!.slice(0, 8);
    expect(why(1)).toBe(
      `Required status \`integration\` has not reported on ${commit} for 14 minutes; ` +
        `required status \`unit\` is running on ${commit} for 14 minutes; it times out in 5 hours`,
    );
  });

  it('is those it was tested on top of, once it passed', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().pass(2);
    expect(why(2)).toBe('Its tests passed on top of #1; it merges when that has merged');
  });

  it('is the outcome of those ahead, when it failed on top of them', () => {
    begin({ concurrency: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().fail(2);
    expect(why(2)).toBe('Its tests failed (ci) on top of #1; whose fault it is shows when that has merged or left');
  });

  it('is the pull request it conflicts with, and the files', () => {
    begin({ concurrency: 2 });
    day.open(2, { conflictsWith: [1] });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    expect(why(2)).toBe('Conflicts with #1 ahead of it in a.txt; it is built again when that has landed or left');
  });

  it('is the landing, or the pause that keeps it from landing', () => {
    begin().submit(1);
    day.carryOutAll().set({}, 'paused');
    day.report(day.runOf(1), 'passed');
    expect(why(1)).toBe('Its tests passed; the queue is paused: nothing merges until it is running');
    day.set({}, 'running');
    expect(why(1)).toContain('it is being merged into main');
    day.carryOutAll();
    expect(why(1)).toBeNull();
  });

  it("is the host's word on conflicts, when it could not say", () => {
    begin();
    day.open(1).submit(1);
    day.change(1, { mergeability: 'unspecified' }, 'missed');
    day.carryOutAll();
    expect(why(1)).toContain('git.example could not say whether #1 can be merged; it is asked again');
  });
});
