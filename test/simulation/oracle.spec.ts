import { type DayKind, drawDay } from './oracle/days';
import { queuedHeadsOf, type OracleSettings, type Targets } from './oracle/model';
import { Oracle } from './oracle/oracle';
import { waitingInOrder } from './oracle/pending';
import { OracleDay } from './oracle/play';
import { Dice } from './oracle/random';
import type { World } from './oracle/world';

const GREEN: World = { bad: [], badTogether: [], mendedBy: [], conflicts: [], flakeRate: 0 };
const SETTINGS: OracleSettings = {
  concurrency: 1,
  bisectionConcurrency: 3,
  pendingFailureDepth: 0,
  canOptimisticallyMerge: false,
  batch: true,
  batchingMinSize: 4,
  batchingMaxWaitTimeMinutes: 5,
  optimizationMode: 'bisection_skip_redundant_tests',
};

class Story {
  readonly oracle: Oracle;
  flakes = false;

  constructor(settings: Partial<OracleSettings>, world: Partial<World> = {}, mode: 'single' | 'parallel' = 'single') {
    const start = { settings: { ...SETTINGS, ...settings }, world: { ...GREEN, ...world } };
    this.oracle = new Oracle({ ...start, mode, flakes: () => this.flakes });
  }

  submit(...numbers: readonly number[]): this {
    for (const number of numbers) this.oracle.submit(number, { targets: ['x'] });
    return this;
  }

  submitTo(number: number, targets: Targets): this {
    this.oracle.submit(number, { targets });
    return this;
  }

  get tested(): readonly string[] {
    return [...this.oracle.queue.tests.values()].map((test) => test.numbers.join(' '));
  }

  report(numbers: string): this {
    const test = [...this.oracle.queue.tests.values()].find((live) => live.numbers.join(' ') === numbers);
    if (test === undefined) throw new Error(`nobody tests ${numbers}, but ${this.tested.join(', ')}`);
    this.oracle.report(test);
    return this;
  }

  land(): this {
    this.oracle.land({ type: 'accepted' });
    return this;
  }

  get waiting(): readonly string[] {
    return waitingInOrder(this.oracle.queue).map((entry) => String(entry.number));
  }

  get line(): readonly string[] {
    return this.oracle.queue.line.map((run) =>
      queuedHeadsOf(run.entries)
        .map((name) => name.split('@')[0])
        .join(' '),
    );
  }

  conclusionOf(number: number): string | null {
    return this.oracle.queue.entries.get(number)?.conclusion ?? null;
  }
}

describe('the oracle, a second queue for comparison with the engine,', () => {
  it.each<[string, DayKind]>([
    ['of any kind', {}],
    ['with flaky CI', { flakes: 'some', mending: 'some' }],
    [
      'in single mode where one pull request repairs another',
      { mode: 'single', modeSwitches: 'none', mending: 'some' },
    ],
    ['in parallel mode', { mode: 'parallel', modeSwitches: 'none', mostPullRequests: 10 }],
    [
      'in parallel mode where one pull request repairs another',
      { mode: 'parallel', modeSwitches: 'none', mending: 'some', mostPullRequests: 10 },
    ],
    ['with batches', { settings: { batch: true, batchingMinSize: 8 }, mostPullRequests: 10 }],
  ])('keeps the promises of a queue on days %s', (_, kind) => {
    for (let seed = 1; seed <= 150; seed++) {
      const played = new OracleDay(drawDay(new Dice(seed), kind)).play();
      expect({ seed, problems: played.problems }).toEqual({ seed, problems: [] });
    }
  });

  it('plays the same day in the same way again', () => {
    const play = (): readonly string[] =>
      new OracleDay(drawDay(new Dice(7), { flakes: 'some' })).play().oracle.queue.log;
    expect(play()).toEqual(play());
    expect(play().length).toBeGreaterThan(10);
  });
});

describe('a failed run with pendingFailureDepth 2', () => {
  const failing = (): Story =>
    new Story({ concurrency: 3, batch: false, pendingFailureDepth: 2 }, { bad: [1] }).submit(1, 2, 3).report('1');

  it('does not fail its pull request until two pull requests on top of it have finished, in one run or in two', () => {
    const story = failing().report('2');
    expect(story.conclusionOf(1)).toBeNull();
    expect(story.report('3').conclusionOf(1)).toBe('failed');
  });

  it('waits for pull requests, not for runs: a batch of two is enough', () => {
    const settings = { concurrency: 2, batchingMinSize: 2, pendingFailureDepth: 2 };
    const story = new Story(settings, { bad: [1] });
    story.oracle.submit(1, { targets: ['x'], noBatch: true });
    story.submit(2, 3);
    story.oracle.submit(4, { targets: ['x'], noBatch: true });
    expect(story.report('1').conclusionOf(1)).toBeNull();
    // The wait can only end by a failure of the batch's two pull requests, because the run behind the batch goes on.
    expect(story.tested).toEqual(['2 3', '4']);
    expect(story.report('2 3').conclusionOf(1)).toBe('failed');
  });

  it('waits for entries that may still start on top of it, and for no other entries', () => {
    const settings = { batch: false, pendingFailureDepth: 2 };
    const story = new Story(settings, { bad: [1] }).submit(1, 2, 3).report('1');
    story.oracle.set({ state: 'paused' });
    expect(story.conclusionOf(1)).toBeNull();
    expect(story.report('2').conclusionOf(1)).toBe('failed');
    const running = new Story(settings, { bad: [1] }).submit(1, 2, 3).report('1').report('2');
    expect([running.conclusionOf(1), running.tested]).toEqual([null, ['3']]);
  });

  it('does not wait for more pull requests than the depth', () => {
    const settings = { concurrency: 2, batch: false, pendingFailureDepth: 1 };
    const story = new Story(settings, { bad: [1] }).submit(1, 2, 3, 4).report('1').report('2');
    expect(story.conclusionOf(1)).toBe('failed');
  });
});

describe('a passed run', () => {
  const passedBehind = (canOptimisticallyMerge: boolean): Story =>
    new Story({ concurrency: 2, batch: false, canOptimisticallyMerge }).submit(1, 2).report('2');

  it('lands before the entries ahead only together with them, and only with optimistic merging', () => {
    expect(passedBehind(false).land().conclusionOf(2)).toBeNull();
    const proof = passedBehind(true).land();
    expect([proof.conclusionOf(1), proof.conclusionOf(2)]).toEqual(['merged', 'merged']);
  });

  it('is tested again if it conflicts with a change that landed meanwhile in parallel mode', () => {
    const story = new Story({ concurrency: 3, batch: false }, { conflicts: [[1, 2]] }, 'parallel');
    story.submitTo(1, ['x']).submitTo(2, ['y']).submitTo(3, ['y']).report('1').land().report('2').land();
    expect([story.conclusionOf(1), story.conclusionOf(2)]).toEqual(['merged', 'failed']);
    expect(story.tested).toEqual(['3']);
  });
});

describe('a bisection', () => {
  const red = (settings: Partial<OracleSettings>, world: Partial<World>): Story =>
    new Story(settings, world).submit(1, 2, 3, 4).report('1 2 3 4');

  it('stops runs that cannot add information, and tests the culprit in isolation before it fails', () => {
    const story = red({}, { bad: [2] });
    expect(story.tested).toEqual(['1', '1 2', '1 2 3']);
    expect(story.report('1 2').tested).toEqual(['1']);
    expect(story.report('1').tested).toEqual(['1', '2']);
    expect(story.conclusionOf(2)).toBeNull();
    expect(story.report('2').conclusionOf(2)).toBe('failed');
    expect([story.line, story.waiting]).toEqual([['1'], ['3', '4']]);
  });

  it('fails the first suspect at once if nothing landed since that suspect failed in isolation', () => {
    const story = red({}, { bad: [1] }).report('1');
    expect(story.conclusionOf(1)).toBe('failed');
    expect(story.line).toEqual(['2 3 4']);
  });

  it('does not infer results with optimizationMode off: it tests the whole batch first, then whole rounds', () => {
    const story = red({ optimizationMode: 'off' }, { bad: [1] });
    expect(story.tested).toEqual(['1 2 3 4']);
    expect(story.report('1 2 3 4').tested).toEqual(['1', '1 2', '1 2 3']);
    expect(story.report('1').tested).toEqual(['1 2', '1 2 3']);
    expect(story.conclusionOf(1)).toBeNull();
    expect(story.report('1 2').report('1 2 3').conclusionOf(1)).toBe('failed');
  });

  it('returns a batch that passed to the queue, whole the first time, and smaller the second time', () => {
    const story = new Story({ optimizationMode: 'off' }).submit(1, 2, 3, 4);
    const flakeOnce = (): void => {
      story.flakes = true;
      story.oracle.restart(1);
      story.flakes = false;
      story.report('1 2 3 4').report('1 2 3 4');
    };
    flakeOnce();
    expect(story.line).toEqual(['1 2 3 4']);
    flakeOnce();
    expect([story.line, story.waiting]).toEqual([['1 2 3'], ['4']]);
  });

  it('returns a culprit that passes in isolation to the queue, ahead of the entries that were behind it', () => {
    const story = red({}, { badTogether: [[1, 3]] })
      .report('1 2 3')
      .report('1')
      .report('1 2');
    expect([story.line, story.waiting, story.tested]).toEqual([['1 2'], ['4'], ['1 2', '3']]);
    expect(story.report('3').waiting).toEqual(['3', '4']);
    expect(story.report('1 2').line).toEqual(['1 2', '3']);
  });

  it('tests the first suspect again if a change landed since that suspect failed in isolation', () => {
    const story = new Story({}, { bad: [1] }).submit(1, 2, 3, 4).submit(5).report('1 2 3 4');
    story.oracle.pass(5);
    story.report('5').land().report('1');
    expect([story.conclusionOf(1), story.tested]).toEqual([null, ['2 3 4', '1']]);
    expect([...story.oracle.queue.tests.values()].at(-1)?.tree).toEqual(['main', '5@0', '1@0']);
  });

  it('restarts on a pushed target with the remaining suspects', () => {
    const story = red({ bisectionConcurrency: 1 }, { bad: [3] }).report('1 2');
    expect(story.tested).toEqual(['1 2 3']);
    story.oracle.hotfix('good');
    expect([story.line, story.waiting]).toEqual([['1 2'], []]);
    expect(story.tested).toEqual(['1 2', '3']);
  });

  it('tests a single suspect in isolation after a push, and keeps its place between the other entries', () => {
    const story = red({ optimizationMode: 'off' }, { badTogether: [[1, 2]] })
      .report('1 2 3 4')
      .report('1')
      .report('1 2');
    story.oracle.hotfix('good');
    expect([story.line, story.waiting, story.tested]).toEqual([['1'], ['3', '4'], ['1', '2']]);
    expect(story.report('2').waiting).toEqual(['2', '3', '4']);
  });

  it('continues if an entry that is no longer suspect is cancelled, and ends if a suspect is cancelled', () => {
    const story = red({ bisectionConcurrency: 1 }, { bad: [1] }).report('1 2');
    story.oracle.cancel(4);
    expect(story.tested).toEqual(['1']);
    story.oracle.cancel(2);
    expect([story.line, story.oracle.queue.searches]).toEqual([['1 3'], []]);
  });
});

describe('a batch that waits for more entries', () => {
  it('delays only entries that share a target with one of its entries', () => {
    const story = new Story({ concurrency: 4, batchingMinSize: 2 }, {}, 'parallel');
    story.submitTo(1, ['x']);
    story.oracle.submit(2, { targets: ['y'], noBatch: true });
    story.oracle.submit(3, { targets: ['x', 'z'], noBatch: true });
    expect([story.line, story.waiting]).toEqual([['2'], ['1', '3']]);
    story.submitTo(4, ['x', 'z']);
    expect([story.line, story.waiting]).toEqual([['2'], ['1', '3', '4']]);
    story.oracle.pass(5);
    expect(story.line).toEqual(['2', '1', '3', '4']);
  });
});
