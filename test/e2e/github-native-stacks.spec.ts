import { AttestationKeeper } from '../../src/modules/attestations/attestation-keeper';
import { landingIn } from '../../src/modules/attestations/statement/landing-statement';
import type { MergeMethod } from '../../src/engine/vocabulary';
import type { CrashPoint } from '../../src/platform/lifecycle/crash-points';
import { dieOnceAt } from '../support/die-at';
import { GitHubTeam } from './github-team';

const ASK = 'pulls/merge-async';

/** Each layer changes the line that the layer below has written. */
const oneFile = (number: number): Record<string, string> => ({ 'all.txt': `of ${number}\n` });

describe('a queue on GitHub with stacks', () => {
  let team: GitHubTeam;

  afterEach(() => team.close());

  const start = async (settings: object = {}): Promise<void> => {
    team = await GitHubTeam.start({ commandsEnabled: true, mergeMethod: 'squash', ...settings });
  };
  const place = () => team.world.githubRepository;
  const standing = async (...numbers: readonly number[]): Promise<unknown[]> => {
    const records = [];
    for (const number of numbers) records.push(await team.world.record(number));
    return records.map(({ state, stateReason }) => [state, stateReason]);
  };
  const merged = (count: number) => Array<string[]>(count).fill(['merged', 'merge_graph_merge']);
  const askFor = (number: number): Promise<void> => team.say(number, '/sluice merge');
  const submitted = async (size: number): Promise<readonly number[]> => {
    const numbers = place().openStack(size, oneFile);
    await askFor(numbers.at(-1)!);
    return numbers;
  };
  const passed = async (number: number): Promise<void> => {
    await team.finish(number);
    await team.world.seesBackgroundMerge();
  };
  const count = (operation: string): number => team.world.github.requests.count(operation);
  const tested = async (): Promise<number[][]> => {
    const runs = await team.world.prisma.testRun.findMany({ orderBy: { number: 'asc' }, include: { members: true } });
    return runs.map(({ members }) => members.map(({ number }) => number).sort((a, b) => a - b));
  };
  /** The commits in the signed statements about a commit or a head. */
  const statedOf = async (commit: string): Promise<string[]> => {
    const { owner, name, host } = team.world.repo;
    const query = { repo: `${owner}/${name}`, repoHost: host, commit };
    const { items } = await team.world.api.mustGet<{ items: { commit: string }[] }>('attestations', query);
    return items.map((item) => item.commit);
  };
  const titles = (): string[] =>
    place().record.world.inBare('log', '--first-parent', '--reverse', '--format=%s', 'main').split('\n').slice(1);

  it.each<MergeMethod>(['squash', 'rebase', 'merge_commit'])(
    'merges a stack of two pull requests by one call, with %s',
    async (mergeMethod) => {
      await start({ mergeMethod });
      await submitted(2);
      await passed(1);
      expect(await standing(1, 2)).toEqual(merged(2));
      // The service pushed nothing but the testing branch.
      expect([count(ASK), count('pulls/merge'), count('git-http/receive-pack')]).toEqual([1, 0, 2]);
      expect(place().files(place().tip('main'))['all.txt']).toBe('of 2\n');
      await team.world.app.get(AttestationKeeper).sign();
      const stated = await team.world.prisma.attestation.findMany();
      expect(stated.map(({ payload }) => landingIn(payload))).toEqual([
        expect.objectContaining({
          after: place().tip('main'),
          pullRequest: { number: 2, head: place().headOf(2) },
          stack: [{ number: 1, head: place().headOf(1) }],
        }),
      ]);
      for (const number of [1, 2]) {
        const about = { repo: team.world.repo, targetBranch: 'main', pr: { number } };
        expect(await team.world.api.mustPost('getPullRequestStory', about)).toMatchObject({ statement: 1 });
      }
      const landed = await team.world.prisma.landedChange.findMany();
      expect(await Promise.all(landed.flatMap(({ head, commit }) => [statedOf(head), statedOf(commit)]))).toEqual(
        Array(4).fill([place().tip('main')]),
      );
    },
  );

  it.each([{ batch: false }, { scheduling: 'flow', canOptimisticallyMerge: true }])(
    'tests a stack of ten pull requests in one run and merges it by one call, also without batches: %j',
    async (settings) => {
      await start({ ...settings, commentsEnabled: false, statusCheckEnabled: false });
      const numbers = await submitted(10);
      expect(await tested()).toEqual([numbers]);
      await team.finish(1);
      await team.world.seesBackgroundMerge();
      expect(await standing(...numbers)).toEqual(merged(10));
      expect([count(ASK), (await tested()).length]).toEqual([1, 1]);
    },
  );

  it('names in the answer to a submission the layers that are submitted with it', async () => {
    await start();
    place().openStack(3, oneFile);
    const { body } = await team.world.submit(3);
    expect(body).toMatchObject({ prNumber: 3, stackedOn: [1, 2] });
    await team.world.settles();
    expect(await standing(1, 2)).toEqual(Array(2).fill(['testing', null]));
    expect(await team.waitingFor(3)).toContain('is above #1, #2 in its stack: merges after or with them');
  });

  it('keeps a layer waiting while the layer below is a draft, has left the queue or is closed', async () => {
    await start();
    place().openStack(2, oneFile);
    place().convertToDraft(1);
    await askFor(2);
    expect(await team.waitingFor(2)).toContain('is above #1 in its stack, but #1 is a draft');
    place().markReady(1);
    await team.world.settles();
    expect(await tested()).toEqual([[1, 2]]);
    await team.world.cancel(1);
    await team.world.settles();
    expect(await team.waitingFor(2)).toContain('is above #1 in its stack, but #1 was cancelled: submit #1 again');
    await askFor(1);
    place().closePullRequest(1);
    await team.world.settles();
    expect(await standing(1)).toEqual([['cancelled', 'pr_closed']]);
    expect(await team.waitingFor(2)).toContain('#1 in its stack, but #1 is closed: open #1 again and submit it');
  });

  it('counts a stack as one pull request of a batch, whatever its length', async () => {
    await start({ batch: true, batchingMinSize: 2 });
    await submitted(3);
    expect(await tested()).toEqual([]);
    const alone = team.open();
    await askFor(alone);
    expect(await tested()).toEqual([[1, 2, 3, alone]]);
    await passed(1);
    await team.world.seesBackgroundMerge();
    expect(await standing(1, 2, 3, alone)).toEqual(merged(4));
    expect(count(ASK)).toBe(2);
  });

  it('splits a failed stack into its lower part and the other layers', async () => {
    await start();
    await submitted(3);
    const finishAll = async (isRed: (numbers: readonly number[]) => boolean): Promise<void> => {
      const runs = await team.world.prisma.testRun.findMany({
        where: { phase: 'testing' },
        include: { members: true },
      });
      for (const { commit, members } of runs) {
        const state = isRed(members.map(({ number }) => number)) ? 'failure' : 'success';
        place().setStatus(commit ?? '', 'tests', state);
      }
      await team.world.settles();
      await team.world.seesBackgroundMerge();
    };
    for (let rounds = 0; rounds < 8; rounds++) await finishAll((numbers) => numbers.includes(3));
    expect(await standing(1, 2, 3)).toEqual([...merged(2), ['failed', 'test_run_required_status_failed']]);
    expect(titles()).toHaveLength(2);
  });

  it('keeps the place of layers that GitHub rewrites after a merge, and tests them again', async () => {
    await start();
    place().openStack(4, oneFile);
    await askFor(2);
    await askFor(4);
    expect(await tested()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const before = place().headOf(4);
    await passed(1);
    await team.world.settles();
    expect(place().headOf(4)).not.toBe(before);
    expect(await standing(1, 2, 3, 4)).toEqual([...merged(2), ['testing', null], ['testing', null]]);
    const { attempt, head } = await team.world.prisma.entry.findFirstOrThrow({ where: { number: 4 } });
    expect([attempt, head]).toEqual([1, place().headOf(4)]);
    await passed(3);
    expect(await standing(3, 4)).toEqual(merged(2));
    expect([count(ASK), place().files(place().tip('main'))['all.txt']]).toEqual([2, 'of 4\n']);
  });

  it('cancels a layer that was pushed to, and keeps the layers above waiting', async () => {
    await start();
    await submitted(3);
    place().push(2, { 'all.txt': 'other\n' }, { by: 'ada' });
    await team.world.settles();
    expect(await standing(2)).toEqual([['cancelled', 'pr_pushed_to']]);
    expect(await team.waitingFor(3)).toContain('is above #2 in its stack, but #2 was cancelled');
    expect(await team.world.stateOf(1)).toBe('testing');
  });

  describe('whose stack is changed during its test, without a delivery,', () => {
    const changed = async (change: () => void): Promise<void> => {
      place().openStack(3, oneFile);
      place().openPullRequest({ 'between.txt': 'new\n' }, { number: 4, base: 'change-1' });
      for (const number of [1, 2, 3]) place().review(number, 'APPROVED');
      await askFor(3);
      team.world.github.webhooks.deliverTo(null);
      change();
      place().setStatus(place().tip(team.testingBranchOf(1) ?? ''), 'tests', 'success');
      await team.world.looksAtHost();
      await team.world.advance(1);
      await team.world.looksAtHost();
    };

    it.each<[string, () => void, number, string]>([
      ['closed', () => place().closePullRequest(2), 3, '#2 in its stack, but #2 is closed'],
      ['pushed', () => void place().push(2, { x: 'x' }), 3, '#2 in its stack, but #2 was cancelled'],
      ['added', () => place().restack(1, 1, 4, 2, 3), 2, 'is above #4 in its stack, but #4 is not in this queue'],
      [
        'without its approval',
        () => place().review(2, 'CHANGES_REQUESTED'),
        2,
        'the approval of grace, who requested changes',
      ],
    ])('merges nothing if a layer is %s, and names the reason', async (_, change, number, words) => {
      await start();
      place().protect('main', { kind: 'ruleset', requiredApprovals: 1 });
      await changed(change);
      expect([count(ASK), titles()]).toEqual([0, []]);
      expect(await team.waitingFor(number)).toContain(words);
    });
  });

  it.each<CrashPoint>(['merge asked', 'merge noted', 'landing pushed'])(
    'merges a stack once, although each process dies at "%s" the first time',
    async (point) => {
      await start();
      dieOnceAt(team.world, point);
      await submitted(3);
      place().setStatus(place().tip(team.testingBranchOf(1) ?? ''), 'tests', 'success');
      expect(await team.world.settlesWithErrors()).toEqual([expect.stringContaining(`died at ${point}`)]);
      await team.world.advance(1);
      expect(await standing(1, 2, 3)).toEqual(merged(3));
      expect([place().record.backgroundMerges.length, titles().length]).toEqual([1, 3]);
    },
  );
});
