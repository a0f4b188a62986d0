import { BackgroundScheduler } from '../../src/platform/background/background-scheduler';
import { BACKGROUND_JOBS } from '../../src/background-jobs';
import { World } from '../support/world';

describe('The background jobs of a running service', () => {
  it('are exactly the jobs in the list in background-jobs.ts, each found once', async () => {
    const world = await World.create({ host: 'memory' });
    const found = world.app.get(BackgroundScheduler).jobs();
    await world.close();
    expect(found.map(({ of }) => of).toSorted()).toEqual(BACKGROUND_JOBS.map(({ of }) => of).toSorted());
  });
});
