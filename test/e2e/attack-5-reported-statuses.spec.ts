import type { Role } from '../../src/platform/requests/roles';
import { World } from '../support/world';
import { GitHubTeam } from './github-team';

/** Reports that the required test of the commit passed, as a job that runs the pull request's own code could do. */
const vouch = async (world: World, role: Role, sha: string) => {
  const client = await world.client(role);
  const answer = await client.post('reportStatus', { repo: world.repo, sha, context: 'tests', state: 'success' });
  await world.settles();
  return [answer.status, (answer.body as { error?: { code: string } }).error?.code];
};

describe('attack 5: a CI job reports the required status of its own pull request', () => {
  describe('on GitHub, which has its own statuses', () => {
    let team: GitHubTeam;

    beforeAll(async () => {
      team = await GitHubTeam.start();
    });

    afterAll(() => team.close());

    it.each(['status', 'admin'] as const)(
      'is refused with a token of the role %s, and no pull request merges',
      async (role) => {
        const number = team.open();
        await team.say(number, '/sluice merge');
        const { githubRepository } = team.world;
        const tested = githubRepository.tip(team.testingBranchOf(number) ?? '');
        expect(await vouch(team.world, role, tested)).toEqual([409, 'STATUSES_COME_FROM_HOST']);
        expect(await team.world.stateOf(number)).toBe('testing');
        expect(team.filesOnTarget()).not.toContain(`${number}.txt`);
        await team.finish(number);
        expect(team.filesOnTarget()).toContain(`${number}.txt`);
      },
    );

    it('is refused before anything is stored', async () => {
      expect(await vouch(team.world, 'status', 'a'.repeat(40))).toEqual([409, 'STATUSES_COME_FROM_HOST']);
      expect(await team.world.prisma.commitStatus.count({ where: { sha: 'a'.repeat(40) } })).toBe(0);
    });
  });

  describe('on plain git, where statuses are reported to Sluice', () => {
    let world: World;

    beforeAll(async () => {
      world = await World.create({ host: 'git' });
    });

    afterAll(() => world.close());

    it.each([
      ['read', 403, 'INSUFFICIENT_PERMISSIONS'],
      ['ci', 403, 'INSUFFICIENT_PERMISSIONS'],
      ['submit', 403, 'INSUFFICIENT_PERMISSIONS'],
      ['status', 200, undefined],
      ['admin', 200, undefined],
    ] as const)('with a token of the role %s is answered with %d', async (role, status, code) => {
      expect(await vouch(world, role, 'b'.repeat(40))).toEqual([status, code]);
    });
  });
});
