import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

const SETTINGS: readonly (readonly [string, Partial<QueueSettings>])[] = [
  ['in order', {}],
  ['flow', { scheduling: 'flow', canOptimisticallyMerge: true }],
];

function why(number: number): string | null {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]?.waitingFor ?? null;
}

/**
 * Lets tests of the pull request pass until it is merged. In a flow queue, a pass of a test that began before the
 * target changed does not count.
 */
function passUntilMerged(number: number): void {
  for (let tests = 0; tests < 3 && day.stateOf(number) !== 'merged'; tests++) day.pass(number).carryOutAll();
}

function reportOnTarget(state: 'passed' | 'failed'): void {
  const run = day.queue.runs.find(({ kind }) => kind === 'target');
  if (run === undefined) throw new Error('nothing tests the target');
  day.report(run, state);
  day.carryOutAll();
}

describe.each(SETTINGS)('a merge by the host, scheduling %s,', (_name, settings) => {
  beforeEach(() => {
    day = new EngineDay({ concurrency: 1, ...settings });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll();
  });

  describe('without one of the files', () => {
    beforeEach(() => {
      day.change(1, { leavesOut: ['a.txt'] }, 'missed');
      day.pass(1);
    });

    it('pauses the queue, with an explanation and a fix', () => {
      expect([day.stateOf(1), day.queue.state]).toEqual(['merged', 'paused']);
      const commit = day.queue.tip?.commit.slice(0, 8);
      expect(why(3)).toBe(
        `The queue is paused: no test starts until it is running. git.example merged the wrong content: #1 as ${commit} (a.txt differs from the tested tree). Restore the tested content on main, then resume the queue`,
      );
      expect(day.queue.partialLanding).toMatchObject({ landed: [1], wrongTrees: [{ number: 1, files: ['a.txt'] }] });
    });

    it('keeps the queue paused after a push, until somebody resumes the queue', () => {
      day.pushToTarget('outside');
      day.carryOutAll();
      day.advance(60);
      expect([day.queue.state, day.stateOf(3)]).toEqual(['paused', 'pending']);
      day.set({}, 'running');
      day.carryOutAll();
      passUntilMerged(2);
      expect([day.stateOf(2), day.queue.partialLanding]).toEqual(['merged', null]);
    });
  });

  describe('on top of a push in between', () => {
    beforeEach(() => {
      day.change(1, { pushedBeneath: 'outside' }, 'missed');
      day.pass(1);
      day.carryOutAll();
    });

    it('is tested without entries, before anything starts', () => {
      expect([day.stateOf(1), day.queue.state]).toEqual(['merged', 'running']);
      expect(why(3)).toContain('While git.example merged #1, somebody pushed to main. The queue tests main');
      reportOnTarget('passed');
      passUntilMerged(2);
      expect(day.target.slice(0, 4)).toEqual(['main', 'outside', '1@1a', '2@2a']);
    });

    it('pauses the queue if the test of the target fails', () => {
      reportOnTarget('failed');
      expect(day.queue.state).toBe('paused');
      expect(why(3)).toContain(
        'Since then main has been failing its tests: ci failed. Fix main, then resume the queue',
      );
    });
  });
});
