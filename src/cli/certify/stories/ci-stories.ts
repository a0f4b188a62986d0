import type { StatusReport } from '../../../domain/code-host.port';
import { TESTING_BRANCH } from '../../../testing/contract/host-under-test';
import { expectations as expect } from '../rows/expectations';
import type { CertifyRow } from '../rows/row';
import { NotOffered } from '../servers/tested-server';
import type { Stage } from '../world/stage';

const group = 'CI';
const QUICK = 'exit 0';
const FAILING = 'exit 1';
/** A command that runs until the job is cancelled. */
const ENDLESS = 'sleep 900';

/** The statuses with which a server answers an API call that it does not have. */
const NO_CALL = [404, 405];

interface WantedJob {
  readonly name: string;
  readonly step: string;
  /** The job begins after the previous job, whatever the result of the previous job. */
  readonly isAfter?: true;
}

/** A workflow file. `isAlone`: a new run cancels older runs. */
function workflow(label: string, jobs: readonly WantedJob[], isAlone: boolean): string {
  const lines = jobs.flatMap(({ name, step, isAfter }, index) => [
    `  job${index}:`,
    `    name: ${name}`,
    `    runs-on: ${label}`,
    ...(isAfter ? [`    needs: [job${index - 1}]`, '    if: always()'] : []),
    '    steps:',
    `      - run: ${step}`,
  ]);
  const alone = ['concurrency:', '  group: certify', '  cancel-in-progress: true'];
  return ['name: certify', 'on: push', ...(isAlone ? alone : []), 'jobs:', ...lines, ''].join('\n');
}

/** Pushes a commit with the workflow to the branch, on top of the target. */
async function pushWorkflow(
  stage: Stage,
  branch: string,
  jobs: readonly WantedJob[],
  { isAlone = false } = {},
): Promise<string> {
  const { git, troupe } = stage;
  const text = workflow(stage.runnerLabel, jobs, isAlone);
  const edits = { [troupe.server.workflowPath]: text };
  const commit = await git.commit((await stage.tip()).commit, edits, `Workflow for ${branch}`);
  await git.push(branch, commit);
  return commit;
}

async function reports(stage: Stage, commit: string): Promise<readonly StatusReport[]> {
  return stage.host.readStatuses(stage.repository, commit);
}

/** The only report whose name contains the name of the job. */
async function reportOfJob(stage: Stage, commit: string, job: string): Promise<StatusReport | undefined> {
  return (await reports(stage, commit)).find(({ name }) => name.includes(job));
}

async function untilBegun(stage: Stage, commit: string, job: string): Promise<void> {
  await stage.untilCi(`that ${job} begins`, async () => (await reportOfJob(stage, commit, job)) !== undefined);
}

async function untilEnded(stage: Stage, commit: string, job: string): Promise<void> {
  await stage.untilCi(`the end of ${job}`, async () => {
    const report = await reportOfJob(stage, commit, job);
    return report !== undefined && report.state !== 'pending';
  });
}

export const CI_STORIES: readonly CertifyRow[] = [
  {
    ...{ group, name: 'a job that passes and one that fails are reported as such', needs: ['ci'] },
    run: async (stage) => {
      const jobs = [
        { name: 'lint', step: QUICK },
        { name: 'unit', step: FAILING },
      ];
      const commit = await pushWorkflow(stage, TESTING_BRANCH, jobs);
      for (const { name } of jobs) await untilEnded(stage, commit, name);
      expect((await reportOfJob(stage, commit, 'lint'))?.state).toBe('success');
      expect((await reportOfJob(stage, commit, 'unit'))?.state).toBe('failure');
    },
  },
  {
    ...{ group, name: 'a failed job counts, even if a job of the same name passes later', needs: ['ci'] },
    run: async (stage) => {
      const jobs = [
        { name: 'unit', step: FAILING },
        { name: 'unit', step: QUICK, isAfter: true as const },
      ];
      const commit = await pushWorkflow(stage, TESTING_BRANCH, jobs);
      await stage.untilCi('the end of the run', async () => {
        const runs = await stage.people.runs(commit);
        return runs.length > 0 && runs.every(({ isOver }) => isOver);
      });
      expect((await reportOfJob(stage, commit, 'unit'))?.state).toBe('failure');
    },
  },
  {
    ...{ group, name: 'a job that CI cancelled has no verdict', needs: ['ci'] },
    run: async (stage) => {
      const endless = [{ name: 'unit', step: ENDLESS }];
      const commit = await pushWorkflow(stage, TESTING_BRANCH, endless, { isAlone: true });
      await untilBegun(stage, commit, 'unit');
      await pushWorkflow(stage, 'another', [{ name: 'unit', step: QUICK }], { isAlone: true });
      await untilEnded(stage, commit, 'unit');
      expect((await reportOfJob(stage, commit, 'unit'))?.state).toBe('cancelled');
    },
  },
  {
    ...{ group, name: 'a job that was cancelled after another job of its run failed counts as failed', needs: ['ci'] },
    run: async (stage) => {
      const jobs = [
        { name: 'lint', step: FAILING },
        { name: 'unit', step: ENDLESS },
      ];
      const commit = await pushWorkflow(stage, TESTING_BRANCH, jobs, { isAlone: true });
      await untilEnded(stage, commit, 'lint');
      await untilBegun(stage, commit, 'unit');
      await pushWorkflow(stage, 'another', [{ name: 'unit', step: QUICK }], { isAlone: true });
      await untilEnded(stage, commit, 'unit');
      expect((await reportOfJob(stage, commit, 'unit'))?.state).toBe('failure');
    },
  },
  {
    ...{ group, name: 'a stop cancels the jobs of the testing branch, and no other job of its commit', needs: ['ci'] },
    run: async (stage) => {
      const commit = await pushWorkflow(stage, TESTING_BRANCH, [{ name: 'unit', step: ENDLESS }]);
      await stage.git.push('release', commit);
      const isRunning = async (branch: string): Promise<boolean | null> => {
        const run = (await stage.people.runs(commit)).find((one) => one.branch === branch);
        return run === undefined ? null : !run.isOver;
      };
      for (const branch of [TESTING_BRANCH, 'release'])
        await stage.untilCi(`that CI starts on ${branch}`, async () => (await isRunning(branch)) === true);
      stage.wire.takeExchanges();
      await stage.host.stopJobs?.(stage.repository, { branch: TESTING_BRANCH, commit });
      const hasNoCall = stage.wire
        .peekExchanges()
        .some(
          ({ method, path, status }) => method === 'POST' && path.endsWith('/cancel') && NO_CALL.includes(status ?? 0),
        );
      if (hasNoCall) throw new NotOffered('this server has no call that cancels a run');
      await stage.untilCi('the stop', async () => (await isRunning(TESTING_BRANCH)) === false);
      expect(await isRunning('release')).toBe(true);
    },
  },
];
