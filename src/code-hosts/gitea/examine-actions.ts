import { type HostRepository, HostUnavailable } from '../../domain/code-host.port';
import { type Finding, nameOfRepository, ok } from '../../domain/host-examination';
import { examineGroups } from '../concurrency-groups';
import type { GiteaApi } from './client/gitea-api';
import { replyOrWhyNot } from '../forge/client/host-answer';
import { pathOf } from './reading/gitea-pull-requests';

/** A finding that says whether the jobs of Actions decide about tests, or only the statuses that they report. */
export async function examineRuns(api: GiteaApi, about: string, repository: HostRepository): Promise<Finding> {
  const runs = await replyOrWhyNot(() => api.ask(repository, 'GET', 'actions/runs', { query: { limit: 1 } }));
  if (typeof runs !== 'string')
    return ok(about, 'the server lists workflow runs, so the jobs of Actions give the results');
  const what =
    'the server lists no workflow runs: a cancelled job of Actions counts as failed, and a restart changes nothing';
  return ok(about, what, 'Gitea lists workflow runs from version 1.25, Forgejo from version 16.');
}

/** Examines the workflow files of a target branch, in the folders of which servers read one. */
export function examineWorkflows(
  api: GiteaApi,
  repository: HostRepository,
  ref: string,
  testingBranch: string,
): Promise<readonly Finding[]> {
  return examineGroups(`${nameOfRepository(repository)} ${ref}`, testingBranch, {
    folders: ['.forgejo/workflows', '.gitea/workflows', '.github/workflows'],
    read: async (path) => {
      try {
        const answer = await api.ask(repository, 'GET', `contents/${pathOf(path)}`, { query: { ref } });
        if (answer.type === 'answered') return answer;
        return answer.status === 404 ? null : answer.message;
      } catch (error) {
        if (error instanceof HostUnavailable) return error.message;
        throw error;
      }
    },
  });
}
