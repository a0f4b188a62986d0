import { FORGES } from '../support/forges';
import { repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

const STATUS = 'tests';
/** After this many refusals of requests from one IP address, GitLab blocks the address for an hour. */
const SHUT_OUT = { refusals: 30, minutes: 3 };

const WITH_TOKENS = FORGES.flatMap(({ revokeToken, ...forge }) =>
  revokeToken === null ? [] : [{ ...forge, revokeToken }],
);

describe.each(repetitionsOfThisRun(WITH_TOKENS))(
  'a service whose token $name no longer accepts',
  ({ at, hurry, kind, mergeMethods, revokeToken, tellsStatuses }) => {
    let world: World;

    beforeAll(async () => {
      world = await World.create({ host: kind });
      hurry(world);
      await world.createQueue({ requiredStatuses: [STATUS], mergeMethod: mergeMethods[0], testingTimeoutMinutes: 600 });
    });
    afterAll(() => world.close());

    it('makes fewer and fewer requests, says why no pull request merges, and continues with an accepted token', async () => {
      const { place, requests } = at(world);
      place.changePermission('grace', 'write');
      const { number } = place.openPullRequest({ 'new.txt': 'new\n' }, { by: 'ada' });
      place.comment(number, '/sluice merge', 'grace');
      await world.settles();
      const branch = place.branches().find((name) => name.startsWith('sluice-merge/')) ?? '';
      const giveBack = revokeToken(world);
      const before = requests.all.length;
      const refused = (): number => requests.all.slice(before).filter(({ status }) => status === 401).length;
      const perMinute: number[] = [];
      for (let minute = 0; minute < 60; minute++) {
        const known = refused();
        if (minute === 5) place.setStatus(place.tip(branch), STATUS, 'success');
        if (minute % 10 === 0) place.comment(number, 'How is it going?', 'ada');
        await world.advance(1);
        await world.looksAtHost();
        perMinute.push(refused() - known);
      }
      const within = perMinute.map((_, minute) => sum(perMinute.slice(minute, minute + SHUT_OUT.minutes)));
      expect(Math.max(...within)).toBeLessThan(SHUT_OUT.refusals / 3);
      expect(sum(perMinute.slice(15))).toBeLessThanOrEqual(6);
      expect((await world.record(number)).waitingFor).toContain('does not take the token');
      giveBack();
      for (let minute = 0; minute < 20; minute++) {
        await world.advance(1);
        // If webhooks of this host report statuses themselves, only a merge shows that the token is accepted again.
        if (!tellsStatuses) await world.looksAtHost();
      }
      expect(await world.stateOf(number)).toBe('merged');
    });
  },
);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
