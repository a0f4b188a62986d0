import { type HostRepository, HostUnavailable } from '../../../domain/code-host.port';
import { numberAt, textAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';

const UNFINISHED = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'manual', 'scheduled'];

/** Cancels what runs for the branch. Nothing depends on it: what the host refuses or does not answer runs to its end. */
export async function cancelPipelines(api: GitLabApi, repository: HostRepository, branch: string): Promise<void> {
  try {
    const newest = await api.read(repository, 'pipelines', { ref: branch, per_page: 20 });
    const pipelines = Array.isArray(newest?.body) ? (newest.body as unknown[]) : [];
    for (const one of pipelines) {
      const id = numberAt(one, 'id');
      if (id !== null && UNFINISHED.includes(textAt(one, 'status') ?? ''))
        await api.ask(repository, 'POST', `pipelines/${id}/cancel`);
    }
  } catch (error) {
    if (!(error instanceof HostUnavailable)) throw error;
  }
}
