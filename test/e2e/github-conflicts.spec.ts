import { GitHubTeam } from './github-team';

const MAIN = 'main';

describe('on GitHub, a pull request', () => {
  let team: GitHubTeam;

  beforeAll(async () => {
    team = await GitHubTeam.start();
  });
  afterAll(() => team.close());

  const recordOf = (number: number) => team.world.record(number);
  const submitted = async (...numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) await team.say(number, '/sluice merge');
  };
  const pushToMain = (files: Record<string, string>): string => team.world.githubRepository.pushToBranch(MAIN, files);

  it('in conflict with the target waits; its author gets the reason, and the fix queues it again', async () => {
    pushToMain({ 'shared.txt': 'one\n' });
    const number = team.open({ 'shared.txt': 'mine\n' });
    pushToMain({ 'shared.txt': 'two\n' });
    await submitted(number);
    expect(await recordOf(number)).toMatchObject({ state: 'not_ready' });
    expect(team.shown(number)).toContain('must be mergeable into `main`');
    const { githubRepository } = team.world;
    const mended = { from: githubRepository.tip(MAIN), by: 'grace' };
    githubRepository.pushToBranch(`change-${number}`, { 'mended.txt': 'mine\n' }, mended);
    await team.world.settles();
    await team.finish(number);
    expect(await recordOf(number)).toMatchObject({ state: 'merged' });
  });

  it('in conflict with an earlier pull request waits until the earlier one merged, then fails and names the files', async () => {
    const [first, second] = [team.open({ 'both.txt': 'a\n' }), team.open({ 'both.txt': 'b\n' })];
    await submitted(first, second);
    expect(await recordOf(second)).toMatchObject({ state: 'pending' });
    expect(await team.waitingFor(second)).toContain(`#${first}`);
    expect(await team.waitingFor(second)).toContain('both.txt');
    await team.finish(first);
    await team.world.advance(1);
    expect(await recordOf(first)).toMatchObject({ state: 'merged' });
    expect(await recordOf(second)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_merge_conflict' });
    expect(team.shown(second)).toContain(`conflicts with #${first}, now on main, in both.txt`);
  });

  it('is cancelled by a push during its test, and merges with the pushed commit after another submission', async () => {
    const number = team.open();
    await submitted(number);
    team.world.githubRepository.push(number, { 'later.txt': 'pushed\n' });
    await team.world.settles();
    expect(await recordOf(number)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
    expect(team.testingBranchOf(number)).toBeUndefined();
    // A comment in the same second as the push would be ambiguous about its head.
    await team.world.advance(1);
    await submitted(number);
    await team.finish(number);
    expect(await recordOf(number)).toMatchObject({ state: 'merged' });
    expect(team.filesOnTarget()).toContain('later.txt');
  });

  it('is tested again on a force-pushed target; neither its changes nor changes of the target are lost', async () => {
    const [first, second] = [team.open({ 'first.txt': '1\n' }), team.open({ 'second.txt': '2\n' })];
    const { githubRepository } = team.world;
    const before = githubRepository.tip(MAIN);
    pushToMain({ 'to-be-dropped.txt': 'x\n' });
    await submitted(first, second);
    const forced = githubRepository.pushToBranch('elsewhere', { 'forced.txt': 'y\n' }, { from: before });
    const branches = [first, second].map((number) => team.testingBranchOf(number));
    githubRepository.setBranch(MAIN, forced);
    await team.world.settles();
    expect([first, second].map((number) => team.testingBranchOf(number))).not.toEqual(branches);
    for (const number of [first, second]) await team.finish(number);
    expect([await team.world.stateOf(first), await team.world.stateOf(second)]).toEqual(['merged', 'merged']);
    expect(team.filesOnTarget()).toEqual(expect.arrayContaining(['first.txt', 'forced.txt', 'second.txt']));
    expect(team.filesOnTarget()).not.toContain('to-be-dropped.txt');
    expect(githubRepository.record.world.inBare('rev-list', MAIN).split('\n')).toContain(forced);
  });
});
