import type { CrashPoint } from '../../src/platform/lifecycle/crash-points';
import { dieOnceAt } from '../support/die-at';
import { GitHubTeam } from './github-team';

const ASK = 'pulls/merge-async';
const LOOK = 'pulls/get-merge-async-result';

describe('a queue on GitHub that uses background merges', () => {
  let team: GitHubTeam;

  afterEach(() => team.close());

  const start = async (settings: object = {}): Promise<void> => {
    team = await GitHubTeam.start({ commandsEnabled: true, ...settings });
  };
  const place = () => team.world.githubRepository;
  const asked = (): number[] => [ASK, LOOK].map((operation) => team.world.github.requests.count(operation));
  const standing = async (number: number): Promise<unknown[]> => {
    const { state, stateReason } = await team.world.record(number);
    return [state, stateReason];
  };
  const submitted = async (): Promise<number> => {
    const number = team.open();
    await team.say(number, '/sluice merge');
    return number;
  };
  const waitsForHost = async (): Promise<unknown> => {
    const picture = await team.world.api.mustPost('getQueuePicture', { repo: team.world.repo, targetBranch: 'main' });
    return (picture.conditions as { landing: { waitingFor: unknown } | null }).landing?.waitingFor;
  };
  const titles = (): string[] =>
    place().record.world.inBare('log', '--first-parent', '--reverse', '--format=%s', 'main').split('\n').slice(1);

  it('receives the end of a merge by a webhook, or by polling if no webhook comes', async () => {
    await start();
    const first = await submitted();
    await team.finish(first);
    expect(await standing(first)).toEqual(['merged', 'merge_graph_merge']);
    expect(asked()).toEqual([1, 1]);
    team.world.github.webhooks.deliverTo(null);
    const second = team.open();
    await team.world.submit(second);
    await team.world.settles();
    await team.finish(second);
    // The first poll finds the end of CI, and the second poll finds the closed pull request.
    for (let looks = 0; looks < 2; looks++) await team.world.looksAtHost();
    expect(await standing(second)).toEqual(['merged', 'merge_graph_merge']);
    expect(titles()).toHaveLength(2);
  });

  it('asks GitHub for the end of a merge after a second if no webhook comes', async () => {
    await start();
    const number = await submitted();
    place().holdMerges();
    await team.finish(number);
    team.world.github.webhooks.deliverTo(null);
    place().letMerges();
    team.world.clock.advance(999);
    await team.world.settles();
    expect(asked()).toEqual([1, 0]);
    team.world.clock.advance(1);
    await team.world.settles();
    expect([asked(), await standing(number)]).toEqual([
      [1, 1],
      ['merged', 'merge_graph_merge'],
    ]);
  });

  it('merges nothing else while a merge is pending, and names that merge after two minutes', async () => {
    await start();
    const [first, second] = [await submitted(), await submitted()];
    place().holdMerges();
    await team.finish(first);
    await team.finish(second);
    await team.world.advance(1);
    expect([await waitsForHost(), await team.waitingFor(first)]).toEqual([
      null,
      expect.not.stringContaining('was asked') as string,
    ]);
    await team.world.advance(2);
    const words = `was asked 3 minutes ago to merge #${first} and has not reported a result. That request cannot be cancelled, so nothing else merges into main before that result`;
    const said = [await waitsForHost(), await team.waitingFor(first)];
    expect(said).toEqual(said.map(() => expect.stringContaining(words) as string));
    expect(await team.waitingFor(second)).toContain(`on top of #${first}; it merges when that has merged`);
    await team.pass(60);
    expect([asked()[0], titles()]).toEqual([1, []]);
    place().letMerges();
    await team.world.settles();
    expect([await standing(first), await standing(second)]).toEqual(Array(2).fill(['merged', 'merge_graph_merge']));
    expect(titles()).toHaveLength(2);
  });

  it('starts tests once it knows that a merge has moved the target, and starts none twice', async () => {
    await start({ directMergeMode: 'always' });
    team.world.github.webhooks.deliverTo(null);
    const [first, second] = [team.open(), team.open()];
    place().setStatus(place().headOf(first), 'tests', 'success');
    place().setStatus(place().headOf(second), 'tests', 'failure');
    await team.world.submit(first);
    await team.world.settles();
    expect([asked(), titles()]).toEqual([[1, 0], [expect.stringContaining(`#${first}`)]]);
    await team.world.submit(second);
    await team.world.settles();
    expect(await standing(first)).toEqual(['merged', 'merge_graph_direct_merge']);
    team.world.clock.advance(2_000);
    await team.world.settles();
    expect(await team.world.stateOf(second)).toBe('testing');
    const runs = await team.world.prisma.testRun.count({ where: { kind: { not: 'direct' } } });
    expect(runs).toBeLessThanOrEqual(2);
  });

  it('does not cancel a pending merge when a freeze begins', async () => {
    await start();
    const number = await submitted();
    place().holdMerges();
    await team.world.updateQueue({
      freezeWindows: [{ days: ['friday'], from: '12:02', to: '20:00', timeZone: 'UTC' }],
    });
    await team.finish(number);
    await team.world.advance(30);
    expect(await standing(number)).toEqual(['tests_passed', 'test_run_passed']);
    place().letMerges();
    await team.world.settles();
    expect(await standing(number)).toEqual(['merged', 'merge_graph_merge']);
  });

  it('removes a pull request that somebody closes while its merge is pending, once the merge fails', async () => {
    await start();
    const number = await submitted();
    place().holdMerges();
    await team.finish(number);
    place().closePullRequest(number, 'ada');
    await team.world.settles();
    expect(await standing(number)).toEqual(['tests_passed', 'test_run_passed']);
    place().letMerges();
    await team.world.advance(1);
    expect(await standing(number)).toEqual(['cancelled', 'pr_closed']);
    expect(titles()).toEqual([]);
  });

  it("says in the comment that the pull request is in GitHub's own merge queue", async () => {
    await start();
    const number = await submitted();
    place().enqueue(number);
    await team.finish(number);
    expect(await standing(number)).toEqual(['failed', 'host_merge_failed']);
    expect(team.shown(number)).toContain("GitHub's own merge queue has");
    expect(titles()).toEqual([]);
  });

  it.each<CrashPoint>(['merge asked', 'merge noted', 'landing pushed'])(
    'merges a pull request once, although each process dies at "%s" the first time',
    async (point) => {
      await start();
      dieOnceAt(team.world, point);
      const number = await submitted();
      place().setStatus(place().tip(team.testingBranchOf(number) ?? ''), 'tests', 'success');
      expect(await team.world.settlesWithErrors()).toEqual([expect.stringContaining(`died at ${point}`)]);
      await team.world.advance(1);
      expect(await standing(number)).toEqual(['merged', 'merge_graph_merge']);
      expect([place().record.backgroundMerges.length, titles()]).toEqual([1, [expect.stringContaining(`#${number}`)]]);
    },
  );
});
