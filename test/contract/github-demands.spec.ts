import type { CodeHost, LandOutcome, MergeMethod, PullRequestObservation } from '../../src/domain/code-host.port';
import { landToTheEnd } from '../../src/testing/contract/land-to-the-end';
import { ACTIONS_APP } from '../support/github/state';
import { GitHubDouble } from '../support/github/github-double';
import type { ProtectionDemands, RepositoryDouble } from '../support/github/repository-double';
import { connectTo, GITHUB_WIDGETS as repository } from './github-host';

const NOON = new Date('2026-03-01T12:00:00Z');
const OTHER_APP = { id: 99, slug: 'somebody', name: 'Somebody' };

describe("GitHub's own conditions for merging a pull request", () => {
  let double: GitHubDouble;
  let place: RepositoryDouble;
  let host: CodeHost;
  let connection: ReturnType<typeof connectTo>;

  beforeEach(async () => {
    double = await GitHubDouble.start();
    place = double.createRepository('acme', 'widgets');
    place.answerUnknown(0);
    for (const login of ['grace', 'linus']) place.changePermission(login, 'write');
    connection = connectTo(double);
    ({ host } = connection);
    place.openPullRequest({ '1.txt': '1\n' }, { number: 1, by: 'ada' });
  });

  afterEach(async () => {
    await double.close();
    connection.release();
  });

  const protect = (demands: ProtectionDemands): void =>
    place.protect('main', { kind: 'ruleset', bypass: [double.bot], ...demands });

  const read = async (method: MergeMethod = 'squash'): Promise<PullRequestObservation> => {
    const seen = await host.readPullRequest(repository, 1, 'main', method);
    if (seen === null) throw new Error('There is no #1');
    return seen;
  };

  const missing = async (method?: MergeMethod): Promise<readonly string[]> =>
    ((await read(method)).unmet ?? []).map(({ words }) => words);

  const land = async (
    mergeMethod: MergeMethod,
    report: (testedCommit: string) => readonly string[] = () => [],
  ): Promise<LandOutcome> => {
    const onto = place.tip('main');
    const { head } = place.pullRequest(1);
    const change = { number: 1, head: head.sha, title: 'Change 1', body: '', author: 'Ada' };
    const pullRequests = [{ ...change, authorEmail: 'ada@example.com', headBranch: null }];
    const made = { repository, targetBranch: 'main', onto, pullRequests, mergeMethod, committedAt: NOON };
    const built = await host.buildCandidate({ ...made, targetTip: onto, alreadyMerged: [] });
    if (built.type !== 'built') throw new Error(built.type);
    const tested = { expectedTip: onto, testedCommit: built.commit, testedTree: built.tree, testingBranches: [] };
    const branch = { repository, branch: 'sluice-merge/pr-1/run', commit: built.commit };
    await host.pushTestingBranch({ ...branch, testRunId: 'run', requiredStatuses: [] });
    const reports = { commit: built.commit, names: report(built.commit) };
    return landToTheEnd(host, { ...made, ...tested, reports });
  };

  /**
   * Refuses both the merge in the background and the synchronous call, which is used when a rule forbids the background
   * merge.
   */
  const refuse = (words: string): void => {
    place.failNextMerge(words);
    double.faults.answer('pulls/merge', 405, words);
  };

  describe.each<MergeMethod>(['merge_commit', 'squash'])(
    'attack 3: if the app may bypass the rule, merging by %s,',
    (method) => {
      const expectWaiting = async (words: string): Promise<void> => {
        expect(await read(method)).toMatchObject({ mergeability: 'not_mergeable', unmet: [{ words }] });
        const before = place.tip('main');
        expect(await land(method)).toMatchObject({ type: 'pull_request_changed', seen: { unmet: [{ words }] } });
        expect(place.tip('main')).toBe(before);
      };

      const expectReady = async (): Promise<void> => {
        expect(await missing(method)).toEqual([]);
        expect(await land(method)).toMatchObject({ type: 'landed' });
      };

      it('a withdrawn approval stops the merge', async () => {
        protect({ requiredApprovals: 1 });
        place.review(1, 'APPROVED', 'grace');
        expect(await missing(method)).toEqual([]);
        place.review(1, 'DISMISSED', 'grace');
        await expectWaiting('1 more approval by people who may write');
        place.review(1, 'APPROVED', 'linus');
        await expectReady();
      });

      it('a change request by somebody with write access stops the merge', async () => {
        protect({ requiredApprovals: 1 });
        place.review(1, 'APPROVED', 'grace');
        place.review(1, 'CHANGES_REQUESTED', 'linus');
        await expectWaiting('the approval of linus, who requested changes');
      });

      it('approvals by people without write access do not count', async () => {
        protect({ requiredApprovals: 2 });
        place.changePermission('member', 'read');
        for (const login of ['member', 'stranger']) place.review(1, 'APPROVED', login);
        await expectWaiting('2 more approvals by people who may write');
        for (const login of ['grace', 'linus']) place.review(1, 'APPROVED', login);
        await expectReady();
      });

      it('approvals by people who have lost write access do not count', async () => {
        protect({ requiredApprovals: 1 });
        place.review(1, 'APPROVED', 'grace');
        expect(await missing(method)).toEqual([]);
        place.changePermission('grace', 'read');
        await expectWaiting('1 more approval by people who may write');
      });

      it('a code owner has to approve the pull request', async () => {
        protect({ requiredApprovals: 1, codeOwners: true });
        place.setCodeOwners('linus');
        place.review(1, 'APPROVED', 'grace');
        await expectWaiting('an approval by a code owner');
        place.review(1, 'APPROVED', 'linus');
        await expectReady();
      });

      it('the last pusher cannot approve that push', async () => {
        protect({ requiredApprovals: 1, lastPush: true });
        place.review(1, 'APPROVED', 'linus');
        place.push(1, { 'more.txt': 'x\n' }, { by: 'grace' });
        await expectWaiting('an approval of its last push by a person other than the author of the push');
        place.review(1, 'APPROVED', 'linus');
        await expectReady();
      });

      it('the last pusher cannot approve that push, even if somebody else wrote the commit', async () => {
        protect({ requiredApprovals: 1, lastPush: true });
        const { head } = place.pullRequest(1);
        const commit = place.pushToBranch('side', { 'more.txt': 'x\n' }, { by: 'linus', from: head.sha });
        place.setBranch(head.ref, commit, 'grace');
        place.review(1, 'APPROVED', 'grace');
        await expectWaiting('an approval of its last push by a person other than the author of the push');
        place.review(1, 'APPROVED', 'linus');
        await expectReady();
      });

      it('open conversations stop the merge', async () => {
        protect({ conversations: true });
        place.discuss(1);
        await expectWaiting('1 conversation to be resolved');
        place.resolveConversations(1);
        await expectReady();
      });
    },
  );

  it('requires resolved conversations if GitHub blocks the merge and does not answer about conversations', async () => {
    protect({ conversations: true });
    place.discuss(1);
    double.faults.answer('graphql', 404, 'Not Found');
    expect(await missing()).toEqual(['its conversations to be resolved']);
  });

  it('asks GitHub about reviews that classic protection requires but does not show', async () => {
    place.protect('main', { requiredApprovals: 1 });
    expect(await missing()).toEqual(['the approvals that the branch requires']);
    place.review(1, 'APPROVED', 'grace');
    expect(await missing()).toEqual([]);
  });

  describe('attack 4: required checks of its head', () => {
    const head = (): string => place.pullRequest(1).head.sha;

    it('are awaited and named if the merge button checks them', async () => {
      place.protect('main', { requiredContexts: ['ci', 'lint'] });
      place.setCheckRun(head(), 'ci', 'in_progress');
      const short = head().slice(0, 7);
      expect((await read()).unmet).toEqual([
        { words: `the check "ci" on its head ${short} (still running)`, isPending: true, isRunning: true },
        { words: `the check "lint" on its head ${short} (not reported yet)`, isPending: true },
      ]);
      place.setCheckRun(head(), 'ci', 'failure');
      place.setStatus(head(), 'lint', 'success');
      expect((await read()).unmet).toEqual([{ words: `the check "ci" on its head ${short} (failed)` }]);
      place.setCheckRun(head(), 'ci', 'success');
      expect(await missing()).toEqual([]);
      expect(await land('squash')).toMatchObject({ type: 'landed' });
    });

    it('are not awaited if the pull request merges by a push, or if the app may bypass the rule', async () => {
      protect({ requiredContexts: ['ci'] });
      expect([await missing('merge_commit'), await missing('squash')]).toEqual([[], []]);
      protect({ requiredContexts: ['ci'], bypass: [] });
      expect([await missing('merge_commit'), (await missing('squash')).length]).toEqual([[], 1]);
    });

    it.each(['classic', 'ruleset'] as const)(
      'count only if the app that the rule names reported them (%s)',
      async (kind) => {
        place.protect('main', { kind, requiredContexts: ['ci'], pins: { ci: ACTIONS_APP.id } });
        place.setCheckRun(head(), 'ci', 'success', OTHER_APP);
        place.setStatus(head(), 'ci', 'success', { by: 'ada' });
        expect(await missing()).toEqual([`the check "ci" on its head ${head().slice(0, 7)} (not reported yet)`]);
        place.setCheckRun(head(), 'ci', 'success');
        expect(await missing()).toEqual([]);
      },
    );

    it.each<MergeMethod>(['merge_commit', 'squash'])(
      'on the tested commit count only if the app that the rule names reported them (%s)',
      async (method) => {
        protect({ requiredContexts: ['ci'], pins: { ci: ACTIONS_APP.id } });
        const reportBy = (app: typeof OTHER_APP) => (sha: string) => {
          place.setCheckRun(sha, 'ci', 'success', app);
          return ['ci'];
        };
        expect(await land(method, reportBy(OTHER_APP))).toMatchObject({
          type: 'not_yet',
          why: expect.stringContaining('(not reported yet), which a rule of main demands') as string,
        });
        expect(await land(method, reportBy(ACTIONS_APP))).toMatchObject({ type: 'landed' });
      },
    );

    describe.each<MergeMethod>(['merge_commit', 'squash'])('that the app may bypass, by %s', (method) => {
      const landWith = (state: 'success' | 'failure' | 'in_progress' | null, of: 'tested commit' | 'head') =>
        land(method, (tested) => {
          if (state !== null) place.setCheckRun(of === 'head' ? head() : tested, 'scan', state);
          return ['ci'];
        });

      it('must have passed on the tested commit, whatever their state on the head', async () => {
        protect({ requiredContexts: ['ci', 'scan'] });
        place.setCheckRun(head(), 'scan', 'success');
        const before = place.tip('main');
        const words = (result: string): unknown =>
          expect.stringMatching(
            `"scan" on the tested commit [0-9a-f]{7} \\(${result}\\), which a rule of main demands`,
          );
        expect(await landWith('in_progress', 'tested commit')).toMatchObject({
          type: 'not_yet',
          why: words('still running'),
        });
        const red = { type: 'refused', byRule: true, why: words('failed') };
        expect(await landWith('failure', 'tested commit')).toMatchObject(red);
        expect(place.tip('main')).toBe(before);
        expect(await landWith('success', 'tested commit')).toMatchObject({ type: 'landed' });
      });

      it('must have passed on the head if CI reports them only there', async () => {
        protect({ requiredContexts: ['ci', 'scan'] });
        const why = expect.stringContaining(`"scan" on the head ${head().slice(0, 7)} of #1 (`) as string;
        expect(await landWith(null, 'head')).toMatchObject({ type: 'not_yet', number: 1, why });
        expect(await landWith('failure', 'head')).toMatchObject({ type: 'refused', number: 1, why, byRule: true });
        expect(await landWith('success', 'head')).toMatchObject({ type: 'landed' });
      });
    });

    it.each([
      'Required status check "ci" is expected.',
      'Required status check "ci" is pending.',
      'Required status check "ci" is in progress.',
      '2 of 3 required status checks are expected.',
    ])('are "not yet" if GitHub\'s refusal says that they are missing or running: %s', async (why) => {
      refuse(why);
      expect(await land('squash')).toEqual({ type: 'not_yet', number: 1, why });
    });

    it.each([
      ['Required status check "ci" is failing.', true],
      ['2 of 3 required status checks have not succeeded: 1 expected and 1 failing.', true],
      ['At least 1 approving review is required by reviewers with write access.', true],
      ['A conversation must be resolved before this pull request can be merged.', true],
      ['Squash merges are not allowed on this repository.', undefined],
    ])('make the merge fail if GitHub refuses for another reason, whether a rule or not: %s', async (why, byRule) => {
      refuse(why);
      expect(await land('squash')).toEqual({ type: 'refused', number: 1, why, ...(byRule && { byRule }) });
    });
  });
});
