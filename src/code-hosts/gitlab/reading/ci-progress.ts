import type { CiProgress, HostRepository } from '../../../domain/code-host.port';
import { textAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { WHOLE_PIPELINE } from './pipelines';

const ENDED = ['success', 'failed', 'canceled', 'skipped'];

/** The progress of CI on the commit, by its pipelines; null if the service may not read pipelines. */
export async function readPipelineProgress(
  api: GitLabApi,
  repository: HostRepository,
  commit: string,
  names: readonly string[],
): Promise<CiProgress | null> {
  const pipelines = await api.readAll(repository, 'pipelines', { sha: commit });
  if (pipelines === null) return null;
  const isDone = pipelines.every((pipeline) => ENDED.includes(textAt(pipeline, 'status') ?? ''));
  return { isDone, runs: pipelines.length, namesOfJobs: names.filter((name) => name === WHOLE_PIPELINE) };
}
