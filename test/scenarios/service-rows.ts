import { World } from '../support/world';
import { play } from './play';
import type { ROW_HOSTS } from './row-hosts';
import { rowsOn } from './rows';
import { ServiceStage } from './service-stage';
import type { Scenario } from './scenario';

/**
 * Declares tests that play these rows through the whole service, on a host of this kind. All rows share one world, in
 * which each row has its own repository.
 */
export function itPlays(isWanted: (row: Scenario) => boolean, host: (typeof ROW_HOSTS)[number] = 'memory'): void {
  let world: World;
  let stage: ServiceStage;

  beforeAll(async () => {
    world = await World.create({ host });
    stage = new ServiceStage(world);
  });
  afterAll(() => world.close());

  it.each(rowsOn('service').filter(isWanted))('$id $title', async (row) => {
    expect(await play(row, stage)).toEqual([]);
  });
}
