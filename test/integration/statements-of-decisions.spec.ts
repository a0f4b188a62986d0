import { BENCH_MODES, type BenchMode, DeepQueue } from '../bench/decide/deep-queue';
import { World } from '../support/world';
import { statementsOf } from '../support/statements';

/**
 * The most statements of a decision. BEGIN, COMMIT, lock, snapshot and save are one statement each. The benchmark wrote
 * the waiting entries to the database itself. So flow scheduling at first reads the targets of these entries one by
 * one, with one more statement for each entry.
 */
const MOST: Readonly<Record<BenchMode, number>> = { single: 5, parallel: 5, flow: 6, 'flow with areas': 5 };

describe('the statements of a decision', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterAll(() => world.close());

  it.each(BENCH_MODES)('are no more than the number in this spec, in the mode %s', async (mode) => {
    const first = 1 + BENCH_MODES.indexOf(mode) * 100_000;
    const queue = await DeepQueue.fill(world, 20, mode, first);
    const counts: Record<string, number> = {};
    queue.around = async (event, decide) => {
      const statements = await statementsOf(decide);
      counts[event.type] = Math.max(counts[event.type] ?? 0, statements.length);
    };
    for (let cycle = 0; cycle < 3; cycle++) await queue.cycle();
    expect(Object.keys(counts).sort()).toEqual(['landed', 'pullRequestSubmitted', 'runPushed', 'statusReported']);
    expect(Object.entries(counts).filter(([, count]) => count > MOST[mode])).toEqual([]);
  });
});
