import type { PullRequestObservation } from '../../../domain/code-host.port';
import { expectations as expect } from '../rows/expectations';
import type { CertifyRow } from '../rows/row';
import { NotOffered } from '../servers/tested-server';
import type { Stage } from '../world/stage';

const MANY = 51;
const group = 'branch rules';

async function seen(stage: Stage): Promise<PullRequestObservation | null> {
  return stage.host.readPullRequest(stage.repository, 1, 'main');
}

async function expectMergeable(stage: Stage, isMergeable: boolean): Promise<void> {
  expect(await seen(stage)).toMatchObject({ mergeability: isMergeable ? 'mergeable' : 'not_mergeable' });
}

/** Lets the people of the row push in spite of the rule. */
function pushersOf({ troupe }: Stage): { readonly pushers: readonly string[] } {
  return { pushers: [...new Set([troupe.service.login, troupe.owner.login])] };
}

export const RULE_STORIES: readonly CertifyRow[] = [
  {
    ...{ group, name: 'a branch without a rule demands nothing' },
    run: async (stage) => {
      await stage.open(1);
      expect(await stage.host.readProtectedStatuses(stage.repository, 'main')).toEqual([]);
      await expectMergeable(stage, true);
    },
  },
  {
    ...{ group, name: 'the service reads which statuses a rule demands, patterns included' },
    run: async (stage) => {
      await stage.people.protect('main', { statuses: ['ci', 'lint / *'], ...pushersOf(stage) });
      const names = await stage.host.readProtectedStatuses(stage.repository, 'main');
      expect([...names].sort()).toEqual(['ci', 'lint / *']);
    },
  },
  {
    ...{ group, name: 'a push waits for a required status that the queue did not wait for' },
    run: async (stage) => {
      const landing = await stage.tested([await stage.open(1)]);
      if (stage.troupe.server.kind === 'github')
        throw new NotOffered('the server merges the pull request itself, because of the statuses of its head');
      await stage.people.protect('main', { statuses: ['ci', 'lint'], ...pushersOf(stage) });
      const reported = { ...landing, reports: { commit: landing.testedCommit, names: ['ci'] } };
      const report = (state: string) => stage.people.setStatus(landing.testedCommit, 'lint', state, stage.troupe.owner);
      expect(await stage.host.land(reported)).toMatchObject({ type: 'not_yet', number: 1 });
      await report('failure');
      expect(await stage.host.land(reported)).toMatchObject({ type: 'refused', byRule: true });
      await report('success');
      expect(await stage.host.land(reported)).toMatchObject({ type: 'landed' });
    },
  },
  {
    ...{
      group,
      name: 'if a rule requires statuses without naming them, there must be at least one status, and all must pass',
    },
    run: async (stage) => {
      const { head } = await stage.open(1);
      await stage.people.protect('main', { statuses: [], ...pushersOf(stage) });
      const report = (name: string, state: string) => stage.people.setStatus(head, name, state, stage.troupe.owner);
      await expectMergeable(stage, false);
      // If a single account plays everybody, statuses of people come from the service's own account, and such statuses
      // do not count.
      if (stage.troupe.owner.login === stage.troupe.service.login) return;
      await report('a', 'success');
      await expectMergeable(stage, true);
      await report('b', 'failure');
      await expectMergeable(stage, false);
      await report('b', 'success');
      await expectMergeable(stage, true);
    },
  },
  {
    ...{ group, name: 'a merge waits for an approval that a rule requires', needs: ['second account'] },
    run: async (stage) => {
      await stage.people.addWriter(stage.other);
      const landing = await stage.tested([await stage.open(1)]);
      await stage.people.protect('main', { approvals: 1, ...pushersOf(stage) });
      await expectMergeable(stage, false);
      const lacking = { type: 'pull_request_changed', seen: { number: 1, mergeability: 'not_mergeable' } };
      expect(await stage.host.land(landing)).toMatchObject(lacking);
      await stage.people.review(1, 'approved', stage.other);
      await expectMergeable(stage, true);
      const { login } = stage.other;
      // `approvedBy` is absent if the adapter read no approvals.
      expect((await seen(stage))?.approvedBy ?? [login]).toEqual([login]);
      expect(await stage.host.land(landing)).toMatchObject({ type: 'landed' });
    },
  },
  {
    ...{ group, name: 'the approval of somebody who may only read does not count', needs: ['second account'] },
    run: async (stage) => {
      await stage.people.addReader(stage.other);
      await stage.open(1);
      await stage.people.protect('main', { approvals: 1, ...pushersOf(stage) });
      await stage.people.review(1, 'approved', stage.other);
      await expectMergeable(stage, false);
    },
  },
  {
    ...{
      group,
      name: `a rejection behind ${MANY} reviews keeps the pull request from merging`,
      needs: ['second account'],
    },
    run: async (stage) => {
      await stage.people.addWriter(stage.other);
      await stage.open(1);
      await stage.people.protect('main', { blocksOnRejection: true, ...pushersOf(stage) });
      for (let count = 0; count < MANY; count++) await stage.people.review(1, 'comment', stage.other);
      await expectMergeable(stage, true);
      await stage.people.review(1, 'rejected', stage.other);
      await expectMergeable(stage, false);
      await stage.people.review(1, 'approved', stage.other);
      await expectMergeable(stage, true);
    },
  },
];
