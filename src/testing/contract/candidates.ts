import type { MergeMethod, PullRequestAtHead } from '../../domain/code-host.port';
import type { ContractSuite } from './contract-suite';
import { ABSENT_COMMIT, AFTER_NOON, TESTING_BRANCH } from './host-under-test';

export function describeCandidates(
  { describeEach, it, expect }: ContractSuite,
  candidates: readonly MergeMethod[],
): void {
  describeEach(candidates, 'candidates by', (mergeMethod) => {
    it('merges one pull request onto the target', async ({
      world,
      host,
      repository,
      open,
      requestFor,
      build,
      push,
    }) => {
      const one = await open(1);
      await world.pushTo('main', { 'other.txt': 'other\n' });
      const candidate = await build(await requestFor([one], { mergeMethod }));
      await push(candidate.commit);
      expect(await world.files(candidate.commit)).toEqual({
        'README.md': 'hello\n',
        'other.txt': 'other\n',
        '1.txt': '1\n',
      });
      expect(await host.readBranch(repository, TESTING_BRANCH)).toEqual({
        commit: candidate.commit,
        tree: candidate.tree,
      });
    });

    it('merges ten pull requests in sequence', async ({ world, open, requestFor, build, push }) => {
      const ten: PullRequestAtHead[] = [];
      for (let number = 1; number <= 10; number++) ten.push(await open(number));
      const candidate = await build(await requestFor(ten, { mergeMethod }));
      await push(candidate.commit);
      expect(Object.keys(await world.files(candidate.commit))).toHaveLength(11);
    });

    it('makes the same commit for the same request, and another commit for a time one second later', async ({
      open,
      requestFor,
      build,
    }) => {
      const built = await requestFor([await open(1), await open(2)], { mergeMethod });
      const first = await build(built);
      expect(await build(built)).toEqual(first);
      const second = await build({ ...built, committedAt: AFTER_NOON });
      expect(second.commit).not.toBe(first.commit);
      expect(second.tree).toBe(first.tree);
    });

    it('leaves no trace of the candidate at the host', async ({ world, open, requestFor, build }) => {
      const before = await world.branches();
      await build(await requestFor([await open(1)], { mergeMethod }));
      expect(await world.branches()).toEqual(before);
    });

    it('makes a commit of its own for a pull request that is on top of the target', async ({
      open,
      requestFor,
      build,
    }) => {
      const one = await open(1);
      const candidate = await build(await requestFor([one], { mergeMethod }));
      expect(candidate.commit).not.toBe(one.head);
    });

    it('makes a commit of its own for a pull request without changes, or without new changes', async ({
      world,
      tip,
      at,
      open,
      requestFor,
      build,
    }) => {
      const empty = await open(1, {});
      const contained = at(2, await world.openPullRequest(2, { 'x.txt': 'x\n' }));
      await world.setBranch('main', contained.head);
      const same = await open(3, { 'x.txt': 'x\n' }, empty.head);
      const { commit, tree } = await tip();
      for (const one of [empty, contained, same]) {
        const candidate = await build(await requestFor([one], { mergeMethod }));
        expect(candidate.tree).toBe(tree);
        expect([commit, one.head]).not.toContain(candidate.commit);
      }
    });

    it('builds on the candidate of the run ahead', async ({ open, requestFor, build }) => {
      const [one, two] = [await open(1), await open(2)];
      const ahead = await build(await requestFor([one], { mergeMethod }));
      const onTop = await build(await requestFor([two], { mergeMethod, onto: ahead.commit, alreadyMerged: [one] }));
      expect(onTop.tree).toBe((await build(await requestFor([one, two], { mergeMethod }))).tree);
    });

    it('blames the target if a pull request conflicts with the target', async ({ world, host, open, requestFor }) => {
      const [one, two] = [await open(1), await open(2, { 'README.md': 'two\n' })];
      await world.pushTo('main', { 'README.md': 'another\n' });
      expect(await host.buildCandidate(await requestFor([one, two], { mergeMethod }))).toEqual({
        type: 'conflict',
        number: 2,
        with: 'target',
        files: ['README.md'],
      });
    });

    it('blames an earlier pull request of the same run if a later pull request conflicts with it', async ({
      host,
      open,
      requestFor,
    }) => {
      const one = await open(1, { 'README.md': 'one\n' });
      const outcome = await host.buildCandidate(
        await requestFor([one, await open(2), await open(3, { 'README.md': 'three\n' })], { mergeMethod }),
      );
      expect(outcome).toEqual({ type: 'conflict', number: 3, with: 1, files: ['README.md'] });
    });

    it('names the pull request that no longer merges, not the pull requests on top of it', async ({
      world,
      host,
      open,
      requestFor,
    }) => {
      const [one, two, three] = [await open(1), await open(2, { 'README.md': 'two\n' }), await open(3)];
      await world.pushTo('main', { 'README.md': 'another\n' });
      expect(await host.buildCandidate(await requestFor([one, two, three], { mergeMethod }))).toEqual({
        type: 'conflict',
        number: 2,
        with: 'target',
        files: ['README.md'],
      });
    });

    it('blames a pull request of a run ahead if a later pull request conflicts with it', async ({
      host,
      open,
      requestFor,
      build,
    }) => {
      const [one, two] = [await open(1, { 'README.md': 'one\n' }), await open(2)];
      const ahead = await build(await requestFor([one, two], { mergeMethod }));
      const outcome = await host.buildCandidate(
        await requestFor([await open(3, { 'README.md': 'three\n' })], {
          mergeMethod,
          onto: ahead.commit,
          alreadyMerged: [one, two],
        }),
      );
      expect(outcome).toEqual({ type: 'conflict', number: 3, with: 1, files: ['README.md'] });
    });

    it('blames the pull request directly ahead when no single pull request causes the conflict', async ({
      host,
      open,
      requestFor,
    }) => {
      const one = await open(1, { 'README.md': 'changed\n' });
      const two = await open(2, { 'README.md': 'changed\n' });
      const three = await open(3, { 'README.md': 'three\n' });
      const outcome = await host.buildCandidate(await requestFor([one, two, three], { mergeMethod }));
      expect(outcome).toEqual({ type: 'conflict', number: 3, with: 2, files: ['README.md'] });
    });

    it('builds on a former tip of the target, and finds conflicts on top of that tip', async ({
      world,
      host,
      repository,
      tip,
      open,
      requestFor,
      build,
      push,
    }) => {
      const [one, two] = [await open(1), await open(2, { 'README.md': 'two\n' })];
      const { commit: base, tree } = await tip();
      const elsewhere = await open(3, { 'README.md': 'another\n' });
      await world.setBranch('main', elsewhere.head);
      const onOldBase = await requestFor([one, two], { mergeMethod, onto: base, targetTip: base });
      const candidate = await build(onOldBase);
      await push(candidate.commit);
      expect(await world.files(candidate.commit)).toEqual({ 'README.md': 'two\n', '1.txt': '1\n' });
      expect(await host.readTree(repository, base)).toBe(tree);
      expect(
        await host.buildCandidate(await requestFor([elsewhere, two], { mergeMethod, onto: base, targetTip: base })),
      ).toEqual({ type: 'conflict', number: 2, with: 3, files: ['README.md'] });
    });

    it('names a missing commit', async ({ host, at, open, requestFor }) => {
      const one = await open(1);
      expect(await host.buildCandidate(await requestFor([one, at(2, ABSENT_COMMIT)], { mergeMethod }))).toEqual({
        type: 'missing_commit',
        commit: ABSENT_COMMIT,
      });
      expect(await host.buildCandidate(await requestFor([one], { mergeMethod, onto: ABSENT_COMMIT }))).toEqual({
        type: 'missing_commit',
        commit: ABSENT_COMMIT,
      });
    });

    it('refuses every time, by its number, only the pull request from which no candidate can be built', async ({
      world,
      host,
      repository,
      at,
      open,
      requestFor,
    }) => {
      if (world.openUnbuildablePullRequest === undefined) return;
      const [one, three] = [await open(1), await open(3)];
      const two = at(2, await world.openUnbuildablePullRequest(2));
      expect(await host.readPullRequest(repository, 2, 'main')).toMatchObject({ head: two.head, state: 'open' });
      const request = await requestFor([one, two, three], { mergeMethod });
      const outcome = await host.buildCandidate(request);
      if (outcome.type !== 'refused') throw new Error(JSON.stringify(outcome));
      expect(outcome.number).toBe(2);
      expect(outcome.why).not.toBe('');
      expect(await host.buildCandidate(request)).toEqual(outcome);
      expect(await host.buildCandidate({ ...request, pullRequests: [one, three] })).toMatchObject({ type: 'built' });
      expect(await world.branches()).toEqual(['main']);
    });
  });
}
