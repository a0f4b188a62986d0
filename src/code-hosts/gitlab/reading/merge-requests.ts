import {
  type HostRepository,
  HostUnavailable,
  type MergeMethod,
  type StatusReport,
  type UnmetDemand,
} from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { type Registered, requireSameRepository } from '../../forge/reading/require-same';
import { at, listAt, numberAt, textAt, unreadable } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { meaningOf, mergeRequestIn, type SeenMergeRequest } from './merge-request';
import { decidingPipeline, reportsOf } from './pipelines';

export interface MergeRequestsParts {
  readonly api: GitLabApi;
  readonly clock: Clock;
  readonly identities: Registered;
  readonly closesWhatLanded: boolean;
}

/** Reads merge requests and the project's demands on them, because GitLab does not check these demands for a push. */
export class MergeRequests {
  constructor(private readonly parts: MergeRequestsParts) {}

  /**
   * The merge request; null if there is none. Its mergeability is `unspecified`, unless a demand is unmet or GitLab is
   * still checking.
   */
  async read(
    repository: HostRepository,
    number: number,
    targetBranch: string,
    mergeMethod?: MergeMethod,
  ): Promise<SeenMergeRequest | null> {
    const { api, clock, identities } = this.parts;
    const observedAt = clock.now();
    const answer = await api.read(repository, `merge_requests/${number}`, { include_rebase_in_progress: true });
    if (answer === null) return null;
    const seen = mergeRequestIn(answer.body, observedAt);
    if (seen === 'preparing') {
      throw new HostUnavailable(api.host, 'server_error', `${api.host} still prepares !${number}`);
    }
    if (seen === null) throw unreadable(api.host, `merge request ${number}`);
    await requireSameRepository(identities, repository, seen.projectPath, () => api.requireProject(repository));
    if (seen.state !== 'open' || seen.draft || seen.base !== targetBranch) return seen;
    const { unmet, approvedBy } = await this.demandedBy(repository, seen, mergeMethod);
    const known = { ...seen, ...(approvedBy.length > 0 && { approvedBy }) };
    if (unmet.length > 0) return { ...known, mergeability: 'not_mergeable', unmet };
    return meaningOf(seen.status) === 'in_progress' ? { ...known, mergeability: 'in_progress' } : known;
  }

  async demandsPipeline(repository: HostRepository): Promise<boolean> {
    const project = await this.parts.api.read(repository, '');
    return at(project?.body, 'only_allow_merge_if_pipeline_succeeds') === true;
  }

  async readReports(repository: HostRepository, sha: string): Promise<readonly StatusReport[]> {
    const { api } = this.parts;
    const pipeline = decidingPipeline((await api.readAll(repository, 'pipelines', { sha })) ?? []);
    const id = numberAt(pipeline, 'id');
    if (id === null) return [];
    const jobs = (await api.readAll(repository, `pipelines/${id}/jobs`)) ?? [];
    const bridges = (await api.readAll(repository, `pipelines/${id}/bridges`)) ?? [];
    return reportsOf(pipeline, [...jobs, ...bridges], repository.id, sha);
  }

  private async demandedBy(
    repository: HostRepository,
    { number, status, areThreadsResolved }: SeenMergeRequest,
    mergeMethod?: MergeMethod,
  ): Promise<{ readonly unmet: readonly UnmetDemand[]; readonly approvedBy: readonly string[] }> {
    const unmet: UnmetDemand[] = [];
    const { api, closesWhatLanded } = this.parts;
    if (mergeMethod !== undefined && mergeMethod !== 'merge_commit' && !closesWhatLanded) {
      unmet.push({ words: ONLY_MERGE_COMMITS });
    }
    // The status names only one unmet demand, so approvals may be missing even if it names something else.
    const approvals = await api.ask(repository, 'GET', `merge_requests/${number}/approvals`);
    const answered = approvals.type === 'answered' ? approvals.body : null;
    const left = numberAt(answered, 'approvals_left') ?? 0;
    const approvedBy = listAt(answered, 'approved_by').flatMap((one) => textAt(one, 'user', 'username') ?? []);
    if (left > 0) unmet.push({ words: `${left} more ${left === 1 ? 'approval' : 'approvals'}` });
    const meaning = meaningOf(status);
    const isKnown = left > 0 && status === 'not_approved';
    if (typeof meaning === 'object' && !isKnown) unmet.push({ words: meaning.lacks });
    if (areThreadsResolved === false && status !== 'discussions_not_resolved') {
      const project = await api.read(repository, '');
      if (at(project?.body, 'only_allow_merge_if_all_discussions_are_resolved') === true)
        unmet.push({ words: 'the resolution of all threads' });
    }
    return { unmet, approvedBy };
  }
}

export const ONLY_MERGE_COMMITS =
  'a queue that makes merge commits, because GitLab does not mark squashed or rebased merge requests as merged. Set mergeMethod of the queue to merge_commit, or set closesWhatLanded of the host, which closes merged merge requests with a comment';
