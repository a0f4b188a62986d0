import { repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

const STATUS = 'jenkins';

interface Reports {
  /** Reports as the CI service, with the login of that service. */
  readonly byService: (sha: string) => void;
  /** Reports in a step of a workflow, with the job's token. */
  readonly byToken: (sha: string) => void;
}

const AT: Readonly<Record<'gitea' | 'github', (world: World) => Reports>> = {
  gitea: ({ giteaRepository: place }) => ({
    byService: (sha) => void place.setStatus(sha, STATUS, 'success', '', 'jenkins-bot'),
    byToken: (sha) => void place.forgeStatus(sha, STATUS, 'success', ''),
  }),
  github: ({ githubRepository: place }) => ({
    byService: (sha) => void place.setStatus(sha, STATUS, 'success', { by: 'jenkins-bot' }),
    byToken: (sha) => void place.setStatus(sha, STATUS, 'success', { by: 'github-actions[bot]' }),
  }),
};

describe.each(repetitionsOfThisRun(['github', 'gitea'] as const))(
  'the reporter of a required status, on %s',
  (host) => {
    let world: World;
    let reports: Reports;

    beforeEach(async () => {
      world = await World.create({ host });
      if (host === 'github') world.githubRepository.answerUnknown(0);
      reports = AT[host](world);
      await world.createQueue({ requiredStatuses: [STATUS], mergeMethod: 'squash' });
    });
    afterEach(() => world.close());

    /** Opens and submits a pull request. Returns its tested commit. */
    const begin = async (number: number): Promise<string> => {
      const place = host === 'gitea' ? world.giteaRepository : world.githubRepository;
      place.openPullRequest({ [`${number}.txt`]: 'new\n' }, { number, by: 'ada' });
      await world.settles();
      await world.submit(number);
      await world.settles();
      return String((await world.details(number)).testBranchSha);
    };
    const merge = async (number: number, by: keyof Reports): Promise<void> => {
      reports[by](await begin(number));
      await world.settles();
      expect(await world.stateOf(number)).toBe('merged');
      await begin(100 + number);
      await world.looksAtHost();
      await world.cancel(100 + number);
      await world.settles();
    };

    it('is learned from merges: afterwards reports of that reporter count, and reports with a job token do not', async () => {
      await merge(1, 'byService');
      const sha = await begin(2);
      reports.byToken(sha);
      await world.settles();
      const { state, waitingFor } = await world.record(2);
      expect(state).toBe('testing');
      expect(waitingFor).toContain('`jenkins` was not reported by the usual reporter, so that report does not count');
      reports.byService(sha);
      await world.settles();
      expect(await world.stateOf(2)).toBe('merged');
    });

    it('is the token of a job if the first merge was reported with a job token', async () => {
      await merge(1, 'byToken');
      reports.byToken(await begin(2));
      await world.settles();
      expect(await world.stateOf(2)).toBe('merged');
    });

    it('is changed by the settings of the queue at once', async () => {
      await merge(1, 'byService');
      reports.byToken(await begin(2));
      await world.settles();
      await world.updateQueue({ statusReporters: [{ name: STATUS, reporter: 'job_token' }] });
      await world.settles();
      expect(await world.stateOf(2)).toBe('merged');
    });

    it('may be set in the queue before anything has merged', async () => {
      await world.updateQueue({ statusReporters: [{ name: STATUS, reporter: 'login:jenkins-bot' }] });
      const sha = await begin(1);
      reports.byToken(sha);
      await world.settles();
      expect(await world.stateOf(1)).toBe('testing');
      reports.byService(sha);
      await world.settles();
      expect(await world.stateOf(1)).toBe('merged');
    });

    it('must be the right one for a direct merge, too', async () => {
      await world.updateQueue({
        directMergeMode: 'always',
        statusReporters: [{ name: STATUS, reporter: 'login:jenkins-bot' }],
      });
      const place = host === 'gitea' ? world.giteaRepository : world.githubRepository;
      const { head } = place.openPullRequest({ '1.txt': 'new\n' }, { number: 1, by: 'ada' });
      reports.byToken(head.sha);
      await world.settles();
      await world.submit(1);
      await world.settles();
      expect(await world.stateOf(1)).toBe('testing');
    });
  },
);
