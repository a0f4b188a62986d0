import type { CommitState } from '../domain/code-host.port';
import { type SeenJob, supersededIn, unclearIn, verdictsOn, type WorkflowJob, type WorkflowRun } from './counting-jobs';

const NAME = 'tests';

/** A job of the tests. A job with a higher id is newer, as at GitHub. */
function seen(id: number, suite: number, state: CommitState = 'success', name = NAME, app = 'actions'): SeenJob {
  const hostTime = new Date(id);
  const facts = {
    repositoryId: '',
    sha: '',
    kind: 'check_run',
    hostId: String(id),
    url: null,
    description: null,
  } as const;
  return {
    id,
    suite,
    isOfActions: app === 'actions',
    report: { ...facts, name, state, app, job: String(id), hostTime },
  };
}

const run = (id: number, file: string, event = 'push'): WorkflowRun => ({ id, suite: id, file, event });
const job = (seen: number, attempt = 1, name = NAME, state: CommitState = 'success'): WorkflowJob => {
  return { seen, attempt, name, state };
};

const superseded = (
  all: readonly SeenJob[],
  runs: readonly WorkflowRun[] = [],
  jobsOf: Readonly<Record<number, readonly WorkflowJob[]>> = {},
): readonly number[] => {
  const byRun = new Map(Object.entries(jobsOf).map(([id, jobs]) => [Number(id), jobs]));
  return [...supersededIn(unclearIn(all), { runs, jobsOf: byRun })].sort();
};

describe('unclear check runs', () => {
  it.each([
    ['alone under its name', [seen(11, 1), seen(12, 1, 'failure', 'lint')], []],
    ['of two apps', [seen(11, 1), seen(21, 2, 'success', NAME, 'other')], []],
    ['twice by one app', [seen(11, 1), seen(21, 2), seen(12, 1, 'success', 'lint')], [11, 21]],
    ['cancelled', [seen(11, 1, 'cancelled')], [11]],
  ])('are cancelled, or share their app and name with another check run (case %#: %s)', (_, all, expected) => {
    expect(unclearIn(all).map(({ id }) => id)).toEqual(expected);
  });
});

describe('check runs of one name', () => {
  it('all count if they belong to different workflow files', () => {
    const runs = [run(1, 'code.yml'), run(2, 'docs.yml')];
    const jobs = { 1: [job(11)], 2: [job(21)] };
    expect(superseded([seen(11, 1, 'failure'), seen(21, 2)], runs, jobs)).toEqual([]);
  });

  it('of one workflow file count only in the newest workflow run for each event', () => {
    const runs = [run(1, 'ci.yml'), run(2, 'ci.yml', 'pull_request'), run(3, 'ci.yml', 'pull_request')];
    const jobs = { 1: [job(11)], 2: [job(21)], 3: [job(31)] };
    expect(superseded([seen(11, 1), seen(21, 2, 'failure'), seen(31, 3)], runs, jobs)).toEqual([21]);
  });

  it('of one workflow run count only in its newest attempt; there, several jobs of the name all count', () => {
    const runs = [run(1, 'ci.yml')];
    const all = [seen(11, 1, 'failure'), seen(12, 1), seen(13, 1), seen(14, 1, 'pending')];
    expect(superseded(all, runs, { 1: [job(11), job(12), job(13, 2), job(14, 2)] })).toEqual([11, 12]);
  });

  it('keep the result of a job that a restart did not run again', () => {
    const runs = [run(1, 'ci.yml'), run(2, 'other.yml')];
    const jobs = { 1: [job(11), job(15, 2, 'lint')], 2: [job(21)] };
    expect(superseded([seen(11, 1), seen(21, 2)], runs, jobs)).toEqual([]);
  });

  it('count without a cancelled check run if its workflow file has a newer run, for any event', () => {
    const runs = [run(1, 'ci.yml'), run(2, 'ci.yml', 'pull_request')];
    const jobs = { 1: [job(11)], 2: [job(21)] };
    expect(superseded([seen(11, 1, 'cancelled'), seen(21, 2)], runs, jobs)).toEqual([11]);
    expect(superseded([seen(11, 1), seen(21, 2, 'cancelled')], runs, jobs)).toEqual([]);
  });

  it('count with a cancelled check run if only another workflow file has a newer run', () => {
    const runs = [run(1, 'ci.yml'), run(2, 'docs.yml')];
    expect(superseded([seen(11, 1, 'cancelled'), seen(21, 2)], runs, { 1: [job(11)], 2: [job(21)] })).toEqual([]);
  });

  it('count only by the newest check run of each suite if the workflow runs are unknown', () => {
    const all = [seen(11, 1, 'failure'), seen(12, 1), seen(21, 2, 'failure'), seen(22, 2)];
    expect(superseded(all)).toEqual([11, 21]);
    const others = all.map((one) => ({ ...one, isOfActions: false }));
    expect(superseded(others, [run(9, 'ci.yml')])).toEqual([11, 21]);
  });
});

describe('a cancelled job', () => {
  const states = (...jobs: readonly WorkflowJob[]): readonly unknown[] => {
    const all = jobs.map(({ seen: id, name, state }) => seen(id, 1, state, name));
    const facts = { runs: [run(1, 'ci.yml')], jobsOf: new Map([[1, jobs]]) };
    return [...verdictsOn(all, facts).values()];
  };

  it('counts as failed if another job of its attempt failed, because a matrix then stops its other jobs', () => {
    expect(states(job(11, 1, 'unit (1)', 'cancelled'), job(12, 1, 'unit (2)', 'failure'))).toEqual([
      'failure',
      'failure',
    ]);
  });

  it('counts as cancelled if no job failed, or if only a job of an earlier attempt failed', () => {
    expect(states(job(11, 1, 'unit', 'cancelled'), job(12, 1, 'lint', 'success'))).toEqual(['cancelled', 'success']);
    expect(states(job(11, 1, 'lint', 'failure'), job(12, 2, 'unit', 'cancelled'))).toEqual(['failure', 'cancelled']);
  });
});
