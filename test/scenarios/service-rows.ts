import { World } from '../support/world';
import { play } from './play';
import { rowsOn } from './rows';
import { ServiceStage } from './service-stage';

/** Plays the rows of these blocks through the whole service, in one world: each has a repository of its own. */
export function itPlaysBlocks(blocks: string): void {
  let world: World;
  let stage: ServiceStage;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    stage = new ServiceStage(world);
  });
  afterAll(() => world.close());

  it.each(rowsOn('service').filter(({ id }) => blocks.includes(id.charAt(0))))('$id $title', async (row) => {
    expect(await play(row, stage)).toEqual([]);
  });
}
