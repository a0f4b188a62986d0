import type { CiProgress } from '../../../domain/code-host.port';
import { textAt } from '../../reading';
import type { RepositoryPath } from '../../repository-path';
import type { GiteaApi } from '../client/gitea-api';

/** The form of a job's status name: `<workflow> / <job> (<event>)`. */
const OF_A_JOB = /^.+ \/ .+ \([a-z_]+\)$/;
/** The words for an ended run. Forgejo uses one field for the progress of a run and its result. */
const ENDED = ['completed', 'success', 'failure', 'cancelled', 'skipped'];

/**
 * The progress of CI, read from the workflow runs that Gitea from 1.25 on and Forgejo list. Null if the server does not
 * list them, or not for this service.
 */
export async function readWorkflowProgress(
  api: GiteaApi,
  repository: RepositoryPath,
  commit: string,
  names: readonly string[],
): Promise<CiProgress | null> {
  const answer = await api.askAll(repository, 'actions/runs', { head_sha: commit }, 'workflow_runs');
  if (answer.type === 'refused') return null;
  const runs = answer.body as readonly unknown[];
  const isDone = runs.every((run) => ENDED.includes(textAt(run, 'status') ?? ''));
  return { isDone, runs: runs.length, namesOfJobs: names.filter((name) => OF_A_JOB.test(name)) };
}
