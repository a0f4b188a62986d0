import type { CommitState, StatusReport } from '../../../domain/code-host.port';
import { TESTING_BRANCH } from '../../../testing/contract/host-under-test';
import { expectations as expect } from '../rows/expectations';
import type { CertifyRow } from '../rows/row';
import type { Stage } from '../world/stage';

/** More statuses than fit on one page of any server. */
const MANY = 51;

async function reportOf(stage: Stage, commit: string, name: string): Promise<StatusReport | undefined> {
  return (await stage.host.readStatuses(stage.repository, commit)).find((one) => one.name === name);
}

async function expectState(stage: Stage, commit: string, name: string, state: CommitState): Promise<void> {
  expect((await reportOf(stage, commit, name))?.state).toBe(state);
}

/**
 * The commit of a testing branch with one pull request, and a function by which the account that administers the
 * repository reports statuses on this commit.
 */
async function pushed(
  stage: Stage,
): Promise<{ commit: string; report: (name: string, state: string) => Promise<void> }> {
  const { testedCommit: commit } = await stage.tested([await stage.open(1)]);
  return { commit, report: (name, state) => stage.people.setStatus(commit, name, state, stage.troupe.owner) };
}

const STATES: readonly (readonly [said: string, counts: CommitState])[] = [
  ['success', 'success'],
  ['pending', 'pending'],
  ['failure', 'failure'],
  ['error', 'error'],
  ['warning', 'failure'],
  ['skipped', 'skipped'],
];

const group = 'statuses';

const OF_STATES = STATES.map(([said, counts]): CertifyRow => {
  const name = `a status that says "${said}" counts as ${counts}`;
  const run = async (stage: Stage): Promise<void> => {
    const { commit, report } = await pushed(stage);
    await report('ci', said);
    await expectState(stage, commit, 'ci', counts);
  };
  return { group, name, run };
});

const OTHERS: readonly CertifyRow[] = [
  {
    ...{ group, name: 'a status with an unknown state counts as pending, and does not hide other statuses' },
    run: async (stage) => {
      const { commit, report } = await pushed(stage);
      await report('lint', 'success');
      await report('ci', 'cancelled');
      await expectState(stage, commit, 'lint', 'success');
      await expectState(stage, commit, 'ci', 'pending');
      expect((await reportOf(stage, commit, 'ci'))?.description).toContain('cancelled');
    },
  },
  {
    ...{ group, name: 'the newer of two statuses with the same name counts' },
    run: async (stage) => {
      const { commit, report } = await pushed(stage);
      await report('ci', 'failure');
      await report('ci', 'success');
      await expectState(stage, commit, 'ci', 'success');
    },
  },
  {
    ...{ group, name: `the last of ${MANY} statuses is read` },
    run: async (stage) => {
      const { commit, report } = await pushed(stage);
      await report('first', 'failure');
      for (let count = 2; count < MANY; count++) await report(`ci ${count}`, 'success');
      await report('last', 'failure');
      await expectState(stage, commit, 'first', 'failure');
      await expectState(stage, commit, 'last', 'failure');
      expect(await stage.host.readStatuses(stage.repository, commit)).toHaveLength(MANY);
    },
  },
  {
    ...{ group, name: 'a commit without statuses has none' },
    run: async (stage) => {
      const { commit } = await pushed(stage);
      expect(await stage.host.readStatuses(stage.repository, commit)).toEqual([]);
    },
  },
  {
    ...{ group, name: 'the service shows a status, and changes it' },
    run: async (stage) => {
      const { commit } = await pushed(stage);
      const shown = { name: 'queue', state: 'pending', description: 'waits', url: null } as const;
      await stage.host.conversation?.showStatus(stage.repository, commit, shown);
      expect(await stage.people.statusOf(commit, 'queue')).toBe('pending');
      await stage.host.conversation?.showStatus(stage.repository, commit, { ...shown, state: 'success' });
      expect(await stage.people.statusOf(commit, 'queue')).toBe('success');
    },
  },
  {
    ...{ group, name: 'another commit of the same tree has no statuses of the first commit' },
    run: async (stage) => {
      const { commit, report } = await pushed(stage);
      await report('ci', 'success');
      const tree = await stage.host.readTree(stage.repository, commit);
      await stage.git.fetch(commit);
      const other = await stage.git.commit(commit, {}, 'Nothing new');
      await stage.git.push(`${TESTING_BRANCH}-again`, other);
      expect(await stage.host.readTree(stage.repository, other)).toBe(tree);
      expect(await stage.host.readStatuses(stage.repository, other)).toEqual([]);
    },
  },
];

export const STATUS_STORIES: readonly CertifyRow[] = [...OF_STATES, ...OTHERS];
