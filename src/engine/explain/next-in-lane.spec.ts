import * as fc from 'fast-check';
import { EngineDay } from '../../../test/support/engine-day';
import { explain } from '../explain';
import type { Entry, QueueSnapshot } from '../model';
import { type Batch, type NextBatches, nextBatches } from '../policy/batches';
import { nextInLane } from './next-in-lane';

/** A queue with one waiting entry for each set of targets, in which no test has started. */
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

/** The batch of an entry: the batch to start, or one of the batches that wait to fill. */
function batchOf({ start, waiting }: NextBatches, entry: Entry): Batch | null {
  return [...waiting, ...(start ? [start] : [])].find(({ entries }) => entries.includes(entry)) ?? null;
}

it('nextInLane: gives for every lane the same batch as a computation for all lanes', () => {
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
        // `nextBatches` stops after the first batch that may start, so later batches are not compared.
        const seen = queue.entries.filter((entry) => whole.start === null || batchOf(whole, entry) !== null);
        expect(seen.map((entry) => batchOf(nextInLane(queue, entry, now), entry))).toEqual(
          seen.map((entry) => batchOf(whole, entry)),
        );
      },
    ),
    { numRuns: 60 },
  );
});

describe('the cost of explaining why pull requests wait', () => {
  /** How often `explain` looks up which entries share targets. */
  function cost(lanes: number, asked: readonly number[]): number {
    const targets = Array.from({ length: 3 * lanes }, (_, i) => [`target-${i % lanes}`]);
    const { queue, now } = waiting(targets, 9);
    const sharing = new CountedMap(queue.sharing);
    const entries = asked.map((number) => ({ entryId: `entry-${number}`, ahead: 0 }));
    for (const { waitingFor } of explain({ ...queue, sharing }, entries, now))
      expect(waitingFor).toContain('Waits for its batch to fill (3 of 9');
    return sharing.gets;
  }

  it('does not include other lanes', () => expect(cost(64, [1])).toBe(cost(4, [1])));

  it('includes a lane once for all its entries', () => expect(cost(4, [1, 5, 9])).toBe(cost(4, [1])));
});
