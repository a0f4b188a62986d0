import { DeepQueue, type BenchMode } from '../bench/decide/deep-queue';
import { World } from '../support/world';
import { statementsOf } from '../support/statements';

/** With BEGIN and COMMIT: lock, snapshot and save are one each. A list of targets that was never seen is read by one more. */
const MOST: Readonly<Record<BenchMode, number>> = { single: 5, parallel: 6, flow: 6, 'flow with areas': 6 };

describe('the statements of a decision', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterAll(() => world.close());

  it.each(Object.entries(MOST) as [BenchMode, number][])('are few in mode %s', async (mode, most) => {
    const first = 1 + Object.keys(MOST).indexOf(mode) * 100_000;
    const queue = await DeepQueue.fill(world, 20, mode, first);
    const counts: Record<string, number> = {};
    queue.around = async (event, decide) => {
      const statements = await statementsOf(decide);
      counts[event.type] = Math.max(counts[event.type] ?? 0, statements.length);
    };
    for (let cycle = 0; cycle < 3; cycle++) await queue.cycle();
    expect(Object.keys(counts).sort()).toEqual(['landed', 'pullRequestSubmitted', 'runPushed', 'statusReported']);
    expect(Object.entries(counts).filter(([, count]) => count > most)).toEqual([]);
  });
});
