import type { CiProgress } from '../../../domain/code-host.port';
import { textAt } from '../../reading';
import type { RepositoryPath } from '../../repository-path';
import type { GiteaApi } from '../client/gitea-api';

/** `<workflow> / <job> (<event>)` */
const OF_A_JOB = /^.+ \/ .+ \([a-z_]+\)$/;
/** Forgejo uses one field for the progress of a run and its result. */
const ENDED = ['completed', 'success', 'failure', 'cancelled', 'skipped'];

/**
 * Progress by the workflow runs, as Gitea from 1.25 and Forgejo list them. Null: the server does not list them, or not
 * for this service.
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
