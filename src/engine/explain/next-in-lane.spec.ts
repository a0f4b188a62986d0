import * as fc from 'fast-check';
import { EngineDay } from '../../../test/support/engine-day';
import { explain } from '../explain';
import type { Entry, QueueSnapshot } from '../model';
import { type Batch, type NextBatches, nextBatches } from '../policy/batches';
import { nextInLane } from './next-in-lane';

/** As many wait as there are sets of targets; nothing has started. */
function waiting(
  targets: readonly (readonly string[])[],
  batchingMinSize: number,
  alone: readonly number[] = [],
): { queue: QueueSnapshot; now: number } {
  const day = new EngineDay({ batch: true, batchingMinSize, concurrency: 2 });
  day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', state: 'paused', actor: 'ci' });
  for (const [i, names] of targets.entries()) {
    day.setTargets(i + 1, names);
    day.submit(i + 1, { noBatch: alone.includes(i) });
  }
  return { queue: { ...day.queue, state: 'running' }, now: day.now };
}

class CountedMap<K, V> extends Map<K, V> {
  gets = 0;

  override get(key: K): V | undefined {
    this.gets += 1;
    return super.get(key);
  }
}

/** The batch that holds an entry among what would start and what waits to fill. */
function batchOf({ start, waiting }: NextBatches, entry: Entry): Batch | null {
  return [...waiting, ...(start ? [start] : [])].find(({ entries }) => entries.includes(entry)) ?? null;
}

it('says of every lane by itself what is said of all together', () => {
  const names = fc.subarray(['api', 'web', 'docs', 'ops', 'db', 'ui']);
  const lanes = fc.array(names, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      lanes,
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.nat(11), { maxLength: 2 }),
      (targets, size, alone) => {
        const { queue, now } = waiting(targets, size, alone);
        const whole = nextBatches(queue, now);
        // What comes behind the first that may start is not gone through there.
        const seen = queue.entries.filter((entry) => whole.start === null || batchOf(whole, entry) !== null);
        expect(seen.map((entry) => batchOf(nextInLane(queue, entry, now), entry))).toEqual(
          seen.map((entry) => batchOf(whole, entry)),
        );
      },
    ),
    { numRuns: 60 },
  );
});

describe('to say why pull requests wait', () => {
  /** How often it is asked who shares a target with whom. */
  function cost(lanes: number, asked: readonly number[]): number {
    const targets = Array.from({ length: 3 * lanes }, (_, i) => [`target-${i % lanes}`]);
    const { queue, now } = waiting(targets, 9);
    const sharing = new CountedMap(queue.sharing);
    const entries = asked.map((number) => ({ entryId: `entry-${number}`, ahead: 0 }));
    for (const { waitingFor } of explain({ ...queue, sharing }, entries, now))
      expect(waitingFor).toContain('Waits for its batch to fill (3 of 9');
    return sharing.gets;
  }

  it('no other lane is gone through', () => expect(cost(64, [1])).toBe(cost(4, [1])));

  it('a lane is gone through once for all in it', () => expect(cost(4, [1, 5, 9])).toBe(cost(4, [1])));
});
