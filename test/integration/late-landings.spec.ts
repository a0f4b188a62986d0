import { HostUnavailable } from '../../src/domain/code-host.port';
import { World } from '../support/world';

const MINUTE_MS = 60_000;

describe('A merge that was requested before a freeze began', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    world.memory.openPullRequest(1);
    await world.submit(1);
    await world.settles();
    await world.updateQueue({ freezeWindows: [freezeIn(10, 60)] });
  });
  afterEach(() => world.close());

  /** A freeze window that begins and ends after these numbers of minutes. */
  function freezeIn(from: number, to: number): object {
    const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
    const [begins, ends] = [from, to].map((minutes) =>
      new Date(world.clock.now().getTime() + minutes * MINUTE_MS).toISOString().slice(11, 16),
    );
    return { days, from: begins, to: ends, timeZone: 'UTC' };
  }

  const noAnswer = () => new HostUnavailable('memory.example', 'no_answer', 'connection refused');

  it('is not carried out during the freeze if the host was down until the freeze began', async () => {
    world.memoryHost.faults.goDown(noAnswer());
    await world.report(1, 'success');
    await world.advance(20);
    const before = world.memory.tip('main');
    world.memoryHost.faults.recover();
    await world.advance(20);
    expect(world.memory.tip('main')).toEqual(before);
    const { state, waitingFor } = await world.record(1);
    expect(state).toBe('tests_passed');
    expect(waitingFor).toContain('merges are frozen by the queue settings (the freeze ends in');
    await world.advance(30);
    expect(await world.stateOf(1)).toBe('merged');
    expect(world.memory.tip('main')).not.toEqual(before);
  });

  it('counts at the time when the host merged, however late the queue receives that', async () => {
    world.memoryHost.faults.afterNext('land', () => {
      world.memoryHost.faults.goDown(noAnswer());
      throw noAnswer();
    });
    await world.report(1, 'success');
    const landed = world.memory.tip('main');
    await world.advance(20);
    world.memoryHost.faults.recover();
    await world.advance(20);
    expect(await world.stateOf(1)).toBe('merged');
    expect(world.memory.tip('main')).toEqual(landed);
  });
});
