import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playSuite } from '../runners/play-suite';
import { randomSuite } from '../runners/random-suite';
import { node } from '../runners/suites/node';
import { Workbench } from '../runners/workbench';
import { Dice } from '../simulation/oracle/random';

const SEEDS = Array.from({ length: 12 }, (_, at) => at + 1);

describe("Random suites of Node's own runner", () => {
  const [home, environment] = [process.cwd(), { ...process.env }];
  let data: string;
  let bench: Workbench;

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'sluice-random-'));
    bench = await Workbench.open(process.env.DATABASE_URL ?? '', data);
  });
  afterAll(async () => {
    await bench.close();
    process.chdir(home);
    process.env = environment;
    rmSync(data, { recursive: true });
  });

  it.each(SEEDS)('end with 0 only if they would pass without their quarantined tests (seed %i)', async (seed) => {
    const name = `node${seed}`;
    const suite = randomSuite(new Dice(seed), name, node);
    const runs = await playSuite(bench, node, suite, { name, folder: data });
    expect(runs.filter(({ verdict }) => verdict === 'wrong' || verdict === 'held')).toEqual([]);
  });
});
