import type { CommitState, StatusReport } from '../../../domain/code-host.port';
import { reportsByName } from './job-verdicts';
import type { ListedJob, ListedRun } from './workflow-runs';

const UNIT = 'ci / unit (push)';

/** A status of the tests. A status with a higher id is newer. */
function status(id: number, state: CommitState, address: string | null, name = UNIT): StatusReport {
  const url = address === null ? 'https://jenkins.example/7' : `https://git.example/acme/shop/actions/runs/${address}`;
  const facts = { repositoryId: '', sha: '', kind: 'status', hostTime: new Date(id), description: null } as const;
  return { ...facts, name, state, url, hostId: String(id) };
}

const job = (id: number, state: CommitState, name = 'unit', attempt = 1): ListedJob => {
  return { id, name, attempt, state, address: `1/${id}`, wasTaken: null, hasLog: false };
};
const run = (...jobs: readonly ListedJob[]): ListedRun => {
  return { id: 1, suite: 1, file: 'ci.yml', event: 'push', address: '1', jobs };
};
const states = (statuses: readonly StatusReport[], runs: readonly ListedRun[] | null): Record<string, string> =>
  Object.fromEntries(reportsByName(statuses, runs).map(({ name, state }) => [name, state]));

describe('A status name on a commit of Gitea', () => {
  it('has the state of its job, not of its statuses', () => {
    expect(states([status(1, 'success', '1/jobs/11')], [run(job(11, 'failure'))])).toEqual({ [UNIT]: 'failure' });
  });

  it('does not get the state of a job with another name, although a status has the URL of the job', () => {
    const statuses = [
      status(1, 'failure', null, 'jenkins'),
      status(2, 'pending', '1/jobs/11'),
      status(3, 'success', '1/jobs/11', 'jenkins'),
    ];
    expect(states(statuses, [run(job(11, 'success'))])).toEqual({ jenkins: 'success', [UNIT]: 'success' });
    expect(states(statuses.slice(0, 2), [run(job(11, 'success'))])).toEqual({ jenkins: 'failure', [UNIT]: 'success' });
  });

  it('does not get a state from a URL that no job of the commit has', () => {
    const statuses = [status(1, 'success', '9/jobs/99'), status(2, 'failure', null)];
    expect(states(statuses, [])).toEqual({ [UNIT]: 'failure' });
  });

  it("has the state of the job with this name, even if an earlier status of the name has another job's URL", () => {
    const statuses = [
      status(1, 'pending', '1/jobs/11', 'ci / deploy (push)'),
      status(2, 'pending', '1/jobs/11'),
      status(3, 'failure', '1/jobs/12', 'ci / deploy (push)'),
    ];
    const runs = [run(job(11, 'success'), job(12, 'failure', 'deploy'))];
    expect(states(statuses, runs)).toEqual({ 'ci / deploy (push)': 'failure', [UNIT]: 'success' });
  });

  it('is reported with the id of its newest status', () => {
    const statuses = [status(2, 'success', '1/jobs/12'), status(1, 'failure', '1/jobs/11')];
    const [report] = reportsByName(statuses, [run(job(11, 'failure'), job(12, 'success'))]);
    expect(report).toMatchObject({ state: 'failure', hostId: '2' });
  });

  it('without a list of runs, has the worst state of its URLs, or the last state reported from outside Actions', () => {
    const statuses = [status(1, 'failure', '1/jobs/1'), status(2, 'success', '1/jobs/2')];
    expect(states(statuses, null)).toEqual({ [UNIT]: 'failure' });
    expect(states([...statuses, status(3, 'success', null)], null)).toEqual({ [UNIT]: 'success' });
  });
});
