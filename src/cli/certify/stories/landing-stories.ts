import { HostUnavailable, type LandOutcome, type MergeMethod } from '../../../domain/code-host.port';
import { machineTime } from '../../../platform/clock/machine-time';
import { CONTRACT_METHODS, type TestedLanding, TESTING_BRANCH } from '../../../testing/contract/host-under-test';
import { expectations as expect } from '../rows/expectations';
import type { CertifyRow } from '../rows/row';
import { type HostAccount, StepRefused } from '../servers/tested-server';
import type { Stage } from '../world/stage';

/** Retries a merge whose answer is inconclusive, as the service does. */
export async function landWithPatience(stage: Stage, landing: TestedLanding, host = stage.host): Promise<LandOutcome> {
  let outcome: LandOutcome | null = null;
  await stage.until('the merge', async () => {
    outcome = await host.land(landing).catch((error: unknown) => {
      const isPassing = error instanceof HostUnavailable && !error.isLasting;
      if (!isPassing) throw error;
      return null;
    });
    return outcome !== null;
  });
  return outcome!;
}

/** Every pull request is shown as merged, with the commit that the adapter names. */
async function expectShown(stage: Stage, landing: TestedLanding, outcome: LandOutcome): Promise<void> {
  expect(outcome).toMatchObject({ type: 'landed', tip: { tree: landing.testedTree } });
  const commits = outcome.type === 'landed' ? outcome.commits : [];
  const landedAt = machineTime();
  const shown = stage.troupe.server.showsMergesBy(landing.mergeMethod);
  for (const { number, head } of landing.pullRequests) {
    const commit = commits.find((one) => one.number === number)?.commit ?? '';
    await stage.until(`that ${number} is shown as merged`, async () => {
      const merged = { number, head, commit, targetBranch: 'main', landedAt };
      await stage.host.showMerged?.(stage.repository, merged).catch(ignoreUnavailable);
      const { isMerged, state } = await stage.people.readPull(number);
      return shown === 'merged' ? isMerged : state === 'closed';
    });
    const { mergeCommit } = await stage.people.readPull(number);
    // Some servers name no commit for a push.
    if (mergeCommit !== null) expect(mergeCommit).toBe(commit);
  }
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof HostUnavailable)) throw error;
}

/** The number of commits on the target since `base`. */
async function commitsSince(stage: Stage, base: string): Promise<number> {
  const { commit: head } = await stage.tip();
  const listed = await stage.host.listCommits?.(stage.repository, { base, head, mostCommits: 100 });
  return listed?.length ?? 0;
}

async function openFork(stage: Stage, number: number, as: HostAccount): Promise<string> {
  const { people, git, troupe } = stage;
  await people.addReader(as);
  const fork = await troupe.fork(people.repository, as);
  const commit = await git.commit((await stage.tip()).commit, { 'fork.txt': 'fork\n' }, 'From a fork');
  await stage.pushToFork(fork, 'topic', commit, as);
  const pull = { head: `${as.login}:topic`, base: 'main', title: `Change ${number}`, body: 'Because.', as };
  const got = await people.openPull(pull);
  if (got !== number) throw new StepRefused(`the server gave the number ${got} in place of ${number}`);
  await stage.followed(number, commit);
  return commit;
}

function storiesOf(mergeMethod: MergeMethod): readonly CertifyRow[] {
  const group = `merging by ${mergeMethod}`;
  return [
    {
      ...{ group, name: 'the server shows the outcome of a pull request, with its commit' },
      run: async (stage) => {
        const landing = await stage.tested([await stage.open(1)], { mergeMethod });
        await expectShown(stage, landing, await stage.host.land(landing));
      },
    },
    {
      ...{ group, name: 'the server shows the outcome of each pull request of a batch, with its own commit' },
      run: async (stage) => {
        const three = [await stage.open(1), await stage.open(2), await stage.open(3)];
        const landing = await stage.tested(three, { mergeMethod });
        const outcome = await stage.host.land(landing);
        await expectShown(stage, landing, outcome);
        const commits = outcome.type === 'landed' ? outcome.commits.map(({ commit }) => commit) : [];
        expect(new Set(commits).size).toBe(three.length);
      },
    },
    {
      ...{ group, name: 'a pull request of a fork is merged and shown', needs: ['second account'] },
      run: async (stage) => {
        const head = await openFork(stage, 1, stage.other);
        const landing = await stage.tested([stage.at(1, head)], { mergeMethod });
        await expectShown(stage, landing, await stage.host.land(landing));
      },
    },
    {
      ...{
        group,
        name: 'if the service may not push, the server merges the pull requests one by one, and the result is the tested tree',
      },
      run: async (stage) => {
        const landing = await stage.tested([await stage.open(1), await stage.open(2)], { mergeMethod });
        await stage.people.protect('main', { pushers: [] });
        await expectShown(stage, landing, await landWithPatience(stage, landing));
        expect(stage.host.landsWholeRuns(stage.repository, mergeMethod)).toBe(false);
      },
    },
  ];
}

/** Rows that kill the adapter in the middle of a merge. */
function killsBy(mergeMethod: MergeMethod): readonly CertifyRow[] {
  const group = `merging by ${mergeMethod}`;
  return [
    {
      ...{ group, name: 'after a kill, the next process finds that the merge is done, and merges nothing twice' },
      run: async (stage) => {
        const landing = await stage.tested([await stage.open(1), await stage.open(2)], { mergeMethod });
        const outcome = await stage.host.land(landing);
        const count = await commitsSince(stage, landing.expectedTip);
        const again = await landWithPatience(stage, landing, stage.restart());
        expect(again).toEqual(outcome);
        expect(await commitsSince(stage, landing.expectedTip)).toBe(count);
      },
    },
    {
      ...{ group, name: 'a push whose answer gets lost is found by the next process, and not repeated' },
      run: async (stage) => {
        const landing = await stage.tested([await stage.open(1)], { mergeMethod });
        stage.wire.losePushAnswer();
        await stage.host.land(landing).catch(ignoreUnavailable);
        const outcome = await landWithPatience(stage, landing, stage.restart());
        expect(outcome).toMatchObject({ type: 'landed', tip: { tree: landing.testedTree } });
        const there = await stage.tip();
        expect(await landWithPatience(stage, landing, stage.restart())).toEqual(outcome);
        expect(await stage.tip()).toEqual(there);
      },
    },
  ];
}

const OTHERS: readonly CertifyRow[] = [
  {
    ...{
      group: 'merging',
      name: 'the merge ends, even if the server refuses to mark the pull request as merged',
      needs: ['marks'],
    },
    run: async (stage) => {
      await stage.people.set('marks', false);
      const landing = await stage.tested([await stage.open(1)], { mergeMethod: 'squash' });
      expect(await stage.host.land(landing)).toMatchObject({ type: 'landed' });
      expect((await stage.tip()).commit).toBe(landing.testedCommit);
    },
  },
  {
    ...{ group: 'merging', name: 'the branch of a merged pull request is removed if the repository has that setting' },
    run: async (stage) => {
      await stage.people.set('removes_head_branches', true);
      const landing = await stage.tested([await stage.open(1)], { mergeMethod: 'squash' });
      await expectShown(stage, landing, await stage.host.land(landing));
      await stage.until('the branch is gone', async () => !(await stage.git.branches()).includes('change-1'));
    },
  },
  {
    ...{ group: 'merging', name: 'the service pushes nothing to the old name of a renamed target branch' },
    run: async (stage) => {
      const landing = await stage.tested([await stage.open(1)], { mergeMethod: 'squash' });
      await stage.people.renameBranch('main', 'trunk');
      const outcome = await stage.host.land(landing);
      expect(['target_gone', 'pull_request_changed']).toContain(outcome.type);
      expect((await stage.tip('trunk')).commit).toBe(landing.expectedTip);
      expect(await stage.host.readBranch(stage.repository, 'main')).toBeNull();
    },
  },
  {
    ...{ group: 'merging', name: 'a testing branch that a rule keeps does not hold up the merge' },
    run: async (stage) => {
      const landing = await stage.tested([await stage.open(1)], { mergeMethod: 'squash' });
      await stage.people.refuseTestingBranches();
      expect(await stage.host.land(landing)).toMatchObject({ type: 'landed' });
      expect(await stage.world.branches()).toContain(TESTING_BRANCH);
    },
  },
];

export const LANDING_STORIES: readonly CertifyRow[] = [
  ...CONTRACT_METHODS.flatMap((method) => [...storiesOf(method), ...killsBy(method)]),
  ...OTHERS,
];
