import { contractRows } from '../../../src/cli/certify/rows/contract-rows';
import { exitOf } from '../../../src/cli/certify/report';
import { STORIES } from '../../../src/cli/certify/stories/stories';
import { inLongRun, inShortRun } from '../../support/long-run';
import { inWholeCertification } from './whole-certification';
import { groupsOf, MockRun, rowsThat, worldOf } from './mock-runs';

const NO_STOP = 'CI › a stop cancels the jobs of the testing branch, and no other job of its commit';

const SAMPLE = STORIES.filter(({ group }) => ['merging by squash', 'comments', 'CI'].includes(group));

/** The rows of the groups in which Forgejo differs from Gitea. */
const OF_FORGEJO = STORIES.filter(({ group }) => ['merging', 'statuses', 'labels', 'CI'].includes(group));

async function expectAllPassed(rows: typeof STORIES, isForgejo: boolean, notOffered: readonly string[]): Promise<void> {
  const run = await MockRun.start({ isForgejo });
  try {
    const before = worldOf(run.double);
    const result = await run.certify({ rows });
    expect(rowsThat('differs', result)).toEqual([]);
    expect(rowsThat('cut_short', result)).toEqual([]);
    expect(rowsThat('not_offered', result).map((line) => line.split(': ')[0])).toEqual(notOffered);
    expect(exitOf(result)).toBe(0);
    expect([result.kept, worldOf(run.double)]).toEqual([[], before]);
  } finally {
    await run.close();
  }
}

describe('sluice certify at the mock Gitea', () => {
  inShortRun(() => {
    it('finds no difference in a sample of the stories', () => expectAllPassed(SAMPLE, false, [NO_STOP]));
  });

  const playStories = (): void => {
    it.each(groupsOf(STORIES))('finds no difference in the stories of Gitea: %s', (group, rows) =>
      expectAllPassed(rows, false, group === 'CI' ? [NO_STOP] : []),
    );
  };
  inLongRun(playStories);

  inWholeCertification(() => {
    playStories();

    it.each(groupsOf(OF_FORGEJO))(
      'finds no difference in the stories when the mock is a Forgejo, whose API can stop CI: %s',
      (_, rows) => expectAllPassed(rows, true, []),
    );

    it.each(groupsOf(contractRows()))('finds no difference in the contract: %s', (_, rows) => {
      const refused = rows.filter(({ name }) =>
        name.startsWith('refuses every time, by its number, only the pull request'),
      );
      return expectAllPassed(
        rows,
        false,
        refused.map(({ group, name }) => `${group} › ${name}`),
      );
    });
  });

  it('with ordinary accounts, creates nothing but repositories, and says which rows need other things', async () => {
    const run = await MockRun.start();
    const { double } = run;
    const token = double.createToken('ada');
    double.createOrganization('team', ['ada']);
    const before = worldOf(double);
    const rows = STORIES.filter(({ group }) => ['comments', 'repository and accounts'].includes(group));
    const result = await run.certify({ rows, token, organization: 'team', runnerLabel: null });
    expect([rowsThat('differs', result), rowsThat('cut_short', result)]).toEqual([[], []]);
    expect(rowsThat('not_offered', result)).toHaveLength(rows.filter(({ needs }) => needs !== undefined).length);
    const made = double.requests.all.filter(({ method, status }) => method === 'POST' && status < 300);
    expect(made.filter(({ operation }) => ['orgCreate', 'adminCreateUser'].includes(operation))).toEqual([]);
    expect(worldOf(double)).toEqual(before);
    await run.close();
  });

  it('asks again, as the service does, if the server is still processing a push', async () => {
    const run = await MockRun.start();
    run.double.faults.answer('repoMergePullRequest', 405, 'Please try again later');
    const rows = STORIES.filter(({ group, name }) => group === 'merging by squash' && name.includes('one by one'));
    expect(rowsThat('passed', await run.certify({ rows }))).toHaveLength(1);
    expect(run.double.requests.count('repoMergePullRequest')).toBe(3);
    await run.close();
  });

  it("requires an organization if the token is not an administrator's, and creates nothing", async () => {
    const run = await MockRun.start();
    const token = run.double.createToken('ada');
    await expect(run.certify({ rows: SAMPLE, token })).rejects.toThrow(/name one with --organization/);
    expect(run.double.requests.all.every(({ method }) => method === 'GET')).toBe(true);
    await run.close();
  });
});
