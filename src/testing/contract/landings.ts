import type { LandRequest } from '../../domain/code-host.port';
import type { ContractSuite } from './contract-suite';
import { AFTER_NOON, CONTRACT_METHODS, TESTING_BRANCH } from './host-under-test';

export function describeLandings({ describeEach, it, expect }: ContractSuite): void {
  describeEach(CONTRACT_METHODS, 'landing by', (mergeMethod) => {
    it('moves the target to the tested tree; a method of one move uses the tested commit and removes its branch', async ({
      world,
      host,
      tip,
      open,
      tested,
      landsInOneMove,
    }) => {
      const landing = await tested([await open(1), await open(2)], { mergeMethod });
      const outcome = await host.land(landing);
      const there = await tip();
      expect(outcome).toMatchObject({
        type: 'landed',
        tip: there,
        commits: [{ number: 1 }, { number: 2, ...there }],
      });
      expect(there.tree).toBe(landing.testedTree);
      expect(there.commit === landing.testedCommit).toBe(landsInOneMove(mergeMethod));
      expect(await world.branches()).toEqual(landsInOneMove(mergeMethod) ? ['main'] : ['main', TESTING_BRANCH]);
    });

    it('makes a merge commit for a pull request without changes, and no commit by the other methods', async ({
      world,
      host,
      tip,
      open,
      tested,
      requestFor,
    }) => {
      const one = await open(1);
      const same = await open(2, { '1.txt': '1\n' });
      await world.pushTo('main', { '1.txt': '1\n' });
      const before = await tip();
      const candidate = await host.buildCandidate(await requestFor([one], { mergeMethod }));
      const isMerged = mergeMethod === 'merge_commit';
      expect(candidate).toMatchObject({ type: 'built', tree: before.tree });
      expect(candidate.type === 'built' && (candidate.alreadyThere ?? [])).toEqual(isMerged ? [] : [1]);
      const landing = await tested([one, same], { mergeMethod });
      const outcome = await host.land(landing);
      const there = await tip();
      const nothing = [one, same].map(({ number }) => ({ number, ...before, isNothing: true }));
      const commits = isMerged
        ? [
            { number: 1, tree: before.tree },
            { number: 2, ...there },
          ]
        : nothing;
      expect(outcome).toMatchObject({ type: 'landed', tip: there, commits });
      expect(there.tree).toBe(before.tree);
      expect(there.commit === before.commit).toBe(!isMerged);
      expect(await host.land(landing)).toEqual(outcome);
      expect(await tip()).toEqual(there);
    });

    it('squashes or rebases only once a change that two pull requests share', async ({
      world,
      host,
      tip,
      open,
      tested,
    }) => {
      const [one, same, three] = [await open(1), await open(2, { '1.txt': '1\n' }), await open(3)];
      const landing = await tested([one, same, three], { mergeMethod });
      const outcome = await host.land(landing);
      const there = await tip();
      expect(outcome).toMatchObject({ type: 'landed', tip: there });
      expect(there.tree).toBe(landing.testedTree);
      const commits = outcome.type === 'landed' ? outcome.commits : [];
      expect(commits.map(({ number }) => number)).toEqual([1, 2, 3]);
      if (mergeMethod !== 'merge_commit') expect(commits[1]).toEqual({ ...commits[0], number: 2, isNothing: true });
      expect(commits[2]?.commit).toBe(there.commit);
      expect(await world.files(there.commit)).toEqual({ 'README.md': 'hello\n', '1.txt': '1\n', '3.txt': '3\n' });
      expect(await host.land(landing)).toEqual(outcome);
    });

    it('gives a repeated request the first answer', async ({ host, tip, open, tested }) => {
      const landing = await tested([await open(1), await open(2)], { mergeMethod });
      const outcome = await host.land(landing);
      const there = await tip();
      expect(await host.land(landing)).toEqual(outcome);
      expect(await tip()).toEqual(there);
    });

    it('recognizes the merge of an earlier try after other pushes', async ({ world, host, tip, open, tested }) => {
      const landing = await tested([await open(1)], { mergeMethod });
      const outcome = await host.land(landing);
      const pushed = await world.pushTo('main', { 'later.txt': 'later\n' });
      await world.pushToPullRequest(1, { 'after.txt': 'after\n' });
      expect(await host.land(landing)).toEqual(outcome);
      expect((await tip()).commit).toBe(pushed);
    });

    it('makes the commits again if the run was built on another commit, and recognizes the new commits later', async ({
      world,
      host,
      tip,
      open,
      requestFor,
      build,
      tested,
    }) => {
      const [one, two] = [await open(1), await open(2)];
      const ahead = await build(await requestFor([one], { mergeMethod }));
      const landing = await tested([two], { mergeMethod, onto: ahead.commit, alreadyMerged: [one] });
      const other = await tested([one], { mergeMethod, committedAt: AFTER_NOON });
      expect(await host.land({ ...other, testingBranches: [] })).toMatchObject({ type: 'landed' });
      const moved = { ...landing, expectedTip: (await tip()).commit };
      const outcome = await host.land(moved);
      expect(outcome).toMatchObject({ type: 'landed', tip: { tree: landing.testedTree } });
      expect((await tip()).commit).not.toBe(landing.testedCommit);
      expect((await tip()).tree).toBe(landing.testedTree);
      await world.pushTo('main', { 'later.txt': 'later\n' });
      expect(await host.land(moved)).toEqual(outcome);
    });

    it('merges a candidate that was never pushed, because the result of its tree was known', async ({
      world,
      host,
      tip,
      open,
      landingOf,
      landsInOneMove,
    }) => {
      const ahead = await landingOf([await open(1)], { mergeMethod });
      const onTop = { mergeMethod, onto: ahead.testedCommit, alreadyMerged: ahead.pullRequests };
      const follower = await landingOf([await open(2)], onTop);
      expect(await world.branches()).toEqual(['main']);
      const outcome = await host.land(ahead);
      expect(outcome).toMatchObject({ type: 'landed', tip: { tree: ahead.testedTree } });
      expect(await host.land(ahead)).toEqual(outcome);
      const then = { ...follower, expectedTip: (await tip()).commit };
      expect(await host.land(then)).toMatchObject({ type: 'landed', tip: { tree: follower.testedTree } });
      const there = await tip();
      expect(there.commit === follower.testedCommit).toBe(landsInOneMove(mergeMethod));
      const files = { 'README.md': 'hello\n', '1.txt': '1\n', '2.txt': '2\n' };
      expect(await world.files(there.commit)).toEqual(files);
    });

    it('merges several runs, and each pull request as commits of its own', async ({
      world,
      host,
      tip,
      open,
      push,
      tested,
      landingOf,
      landsInOneMove,
    }) => {
      const [one, two, three] = [await open(1), await open(2), await open(3)];
      const ahead = await tested([one, two], { mergeMethod });
      const behind = { mergeMethod, onto: ahead.testedCommit, alreadyMerged: [one, two], committedAt: AFTER_NOON };
      const proof = await landingOf([three], behind);
      await push(proof.testedCommit, 'sluice-merge/pr-3/run');
      const testingBranches = [TESTING_BRANCH, 'sluice-merge/pr-3/run', 'sluice-merge/pr-3/never-pushed'];
      const landing = { ...proof, pullRequests: [one, two, three], testingBranches };
      const outcome = await host.land(landing);
      if (outcome.type !== 'landed') throw new Error(JSON.stringify(outcome));
      expect(outcome.commits.map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(outcome.commits.slice(1).map(({ tree }) => tree)).toEqual([ahead.testedTree, proof.testedTree]);
      expect(new Set(outcome.commits.map(({ commit }) => commit)).size).toBe(3);
      expect(await tip()).toEqual(outcome.tip);
      // A rebase makes the commits again, because the tested commits do not show at which commit a pull request ends.
      const isAsTested = outcome.tip.commit === proof.testedCommit;
      expect(isAsTested).toBe(landsInOneMove(mergeMethod) && mergeMethod !== 'rebase');
      const left = landsInOneMove(mergeMethod) ? [] : [TESTING_BRANCH, 'sluice-merge/pr-3/run'];
      expect(await world.branches()).toEqual(['main', ...left]);
      expect(await host.land(landing)).toEqual(outcome);
    });

    it('makes commits of its own if nothing was built, even for a head that is on top of the target', async ({
      world,
      host,
      repository,
      tip,
      open,
      landingOf,
    }) => {
      const one = await open(1);
      const tree = await host.readTree(repository, one.head);
      const direct = { ...(await landingOf([one], { mergeMethod })), testedCommit: null, testedTree: tree };
      const outcome = await host.land(direct);
      expect(outcome).toMatchObject({ type: 'landed', tip: { tree } });
      const { commit } = await tip();
      expect(commit).not.toBe(one.head);
      expect(await host.containsCommit(repository, commit, one.head)).toBe(mergeMethod === 'merge_commit');
      await world.pushTo('main', { 'later.txt': 'later\n' });
      expect(await host.land(direct)).toEqual(outcome);
    });

    it('merges lanes in any order, each on top of the lanes that merged before', async ({
      world,
      host,
      repository,
      tip,
      open,
      tested,
      landingOf,
    }) => {
      const [one, two, three] = [await open(1), await open(2), await open(3)];
      const first = await tested([one], { mergeMethod });
      const behindFirst = { mergeMethod, onto: first.testedCommit, alreadyMerged: [one] };
      const second = await landingOf([two], behindFirst);
      const other = await landingOf([three], { mergeMethod });
      const next = async (landing: LandRequest) =>
        host.land({ ...landing, testedTree: null, expectedTip: (await tip()).commit });
      expect(await next(first)).toMatchObject({ type: 'landed', tip: { tree: first.testedTree } });
      const { commit: below } = await tip();
      const third = await next(other);
      expect(third).toMatchObject({ type: 'landed', commits: [{ number: 3 }] });
      expect((await tip()).commit).not.toBe(other.testedCommit);
      expect(await host.containsCommit(repository, (await tip()).commit, below)).toBe(true);
      expect(await next(second)).toMatchObject({ type: 'landed', commits: [{ number: 2 }] });
      const { commit } = await tip();
      expect(commit).not.toBe(second.testedCommit);
      const changes = { '1.txt': '1\n', '2.txt': '2\n', '3.txt': '3\n' };
      expect(await world.files(commit)).toEqual({ 'README.md': 'hello\n', ...changes });
    });

    it('merges the change of a lane onto the current tip, and reports a conflict', async ({
      world,
      host,
      tip,
      open,
      tested,
    }) => {
      const landing = await tested([await open(1), await open(2, { 'README.md': 'two\n' })], { mergeMethod });
      const inLanes = async () => ({ ...landing, testedTree: null, expectedTip: (await tip()).commit });
      const pushed = await world.pushTo('main', { 'README.md': 'another\n' });
      expect(await host.land(await inLanes())).toEqual({ type: 'conflict', number: 2, files: ['README.md'] });
      expect((await tip()).commit).toBe(pushed);
      await world.pushTo('main', { 'README.md': 'hello\n' });
      expect(await host.land(await inLanes())).toMatchObject({ type: 'landed' });
      expect(await world.files((await tip()).commit)).toMatchObject({ '1.txt': '1\n', 'README.md': 'two\n' });
    });
  });
}
