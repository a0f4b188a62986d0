import type { HostRepository, PullRequestObservation, StatusReport } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import type { GiteaApi } from '../client/gitea-api';
import { at, numberAt, textAt, unreadable } from '../../reading';
import { type Registered, requireSameRepository } from '../../forge/reading/require-same';
import { repositoryKey } from '../../repository-path';
import { addressIn } from './job-address';
import { reportsByName } from './job-verdicts';
import { missingInBranch, type ProtectionDemands, protectionDemandsOf, ruleNameOf } from './branch-demands';
import { giteaPullRequestIn, missingInPullRequest } from './pull-request';
import { type DemandedReviews, missingInReview, reviewsDemanded } from './reviews';
import { KnownPatterns, reportOfPattern, unmetStatuses } from './status-patterns';
import { flawOfStatus, giteaStatusIn } from './statuses';
import { WorkflowRuns } from './workflow-runs';

/**
 * How a pull request lands. `merge`: by the host's merge operation, which checks the statuses of the head. `push`: by a
 * push of the tested commit, whose own statuses count.
 */
export type LandingMeans = 'merge' | 'push';

export interface SeenPullRequest extends PullRequestObservation {
  /** The merge commit according to the host; null if the pull request is not merged. */
  readonly mergedAs: string | null;
}

export interface GiteaPullRequestsParts {
  readonly api: GiteaApi;
  readonly clock: Clock;
  readonly identities: Registered;
}

/**
 * Reads pull requests and the host's demands on them. The branch rules are evaluated here, because the host checks
 * neither reviews nor statuses for a push.
 */
export class GiteaPullRequests {
  private readonly patterns = new KnownPatterns();
  private readonly demandsBeingRead = new Map<string, Promise<ProtectionDemands>>();
  private readonly workflowRuns: WorkflowRuns;

  constructor(private readonly parts: GiteaPullRequestsParts) {
    this.workflowRuns = new WorkflowRuns(parts.api);
  }

  /**
   * Reads a pull request; null if there is none. Demands are read only if the pull request is open and for the branch.
   * The mergeability of the result is `unspecified` unless a demand is unmet, because the host's own answer is
   * unreliable. `demands`: the demands of the branch, if they were just read.
   */
  async read(
    repository: HostRepository,
    number: number,
    targetBranch: string,
    landsBy: LandingMeans,
    demands?: ProtectionDemands,
  ): Promise<SeenPullRequest | null> {
    const { api, clock, identities } = this.parts;
    const observedAt = clock.now();
    const answer = await api.read(repository, `pulls/${number}`);
    if (answer === null) return null;
    const home = at(answer.body, 'base', 'repo');
    await requireSameRepository(identities, repository, textAt(home, 'full_name'), () => numberAt(home, 'id'));
    const read = giteaPullRequestIn(answer.body, observedAt);
    if (read === null)
      throw unreadable(api.host, `pull request ${number}`, `without ${missingInPullRequest(answer.body)}`);
    const mergedAs = read.state === 'merged' ? textAt(answer.body, 'merge_commit_sha') : null;
    const seen = { ...read, mergedAs };
    if (seen.state !== 'open' || seen.draft || seen.base !== targetBranch) return seen;
    const { unmet, approvedBy } = await this.demandedBy(repository, seen, landsBy, demands);
    const known = { ...seen, ...(approvedBy.length > 0 && { approvedBy }) };
    return unmet.length === 0 ? known : { ...known, mergeability: 'not_mergeable', unmet };
  }

  async readDemands(repository: HostRepository, branch: string): Promise<ProtectionDemands> {
    const { api } = this.parts;
    const page = await api.read(repository, `branches/${pathOf(branch)}`);
    if (page !== null) this.requireField(missingInBranch(page.body), `the branch ${branch}`);
    const rule = ruleNameOf(page?.body);
    const protection =
      rule === null ? null : await api.ask(repository, 'GET', `branch_protections/${encodeURIComponent(rule)}`);
    const demands = protectionDemandsOf(page?.body, protection?.type === 'answered' ? protection.body : null);
    this.patterns.learn(repository, demands.contexts);
    return demands;
  }

  /** Reads the demands of a branch. Pull requests that are read at the same time share one read. */
  private readDemandsTogether(repository: HostRepository, branch: string): Promise<ProtectionDemands> {
    const key = `${repositoryKey(repository)} ${branch}`;
    const begun = this.demandsBeingRead.get(key);
    if (begun !== undefined) return begun;
    const reading = this.readDemands(repository, branch).finally(() => this.demandsBeingRead.delete(key));
    this.demandsBeingRead.set(key, reading);
    return reading;
  }

  /**
   * Reads one report for every status name on a commit, and makes one report for every pattern that a branch of the
   * repository demands. `exceptBy`: a login whose reports are left out.
   */
  async readReports(
    repository: HostRepository,
    commit: string,
    exceptBy: string | null = null,
  ): Promise<readonly StatusReport[]> {
    const all = await this.parts.api.readAll(repository, `commits/${commit}/statuses`);
    const rows = (all ?? []).filter((row) => exceptBy === null || textAt(row, 'creator', 'login') !== exceptBy);
    for (const row of rows) {
      const flaw = flawOfStatus(row);
      if (flaw !== null) throw unreadable(this.parts.api.host, `a status of ${commit}`, flaw);
    }
    const read = rows.map((row) => giteaStatusIn(row, repository.id, commit)).filter((one) => one !== null);
    const reports = read.map((one) => ({ ...one, url: one.url && this.parts.api.absolute(one.url) }));
    const hasEnded = reports.some(({ url, state }) => addressIn(url) !== null && state !== 'pending');
    const newest = reportsByName(reports, hasEnded ? await this.workflowRuns.of(repository, commit) : null);
    const byPattern = (await this.patternsOf(repository)).map((pattern) => reportOfPattern(pattern, newest));
    return [...newest, ...byPattern.filter((report) => report !== null)];
  }

  /**
   * The status patterns of a repository. After a restart, a run may wait for a pattern that this process has not read,
   * so the patterns are read from the branches.
   */
  private async patternsOf(repository: HostRepository): Promise<readonly string[]> {
    const known = this.patterns.of(repository);
    if (known !== null) return known;
    const branches = await this.parts.api.readAll(repository, 'branches');
    for (const branch of branches ?? []) this.requireField(missingInBranch(branch), 'a branch');
    const contexts = (branches ?? []).flatMap((branch) => protectionDemandsOf(branch, null).contexts);
    this.patterns.learn(repository, contexts);
    return this.patterns.of(repository) ?? [];
  }

  private async demandedBy(
    repository: HostRepository,
    { number, head, base }: PullRequestObservation,
    landsBy: LandingMeans,
    known?: ProtectionDemands,
  ): Promise<DemandedReviews> {
    const demands = known ?? (await this.readDemandsTogether(repository, base ?? ''));
    if (!demands.isProtected) return { unmet: [], approvedBy: [] };
    const reviews = await this.parts.api.readAll(repository, `pulls/${number}/reviews`);
    for (const review of reviews ?? []) this.requireField(missingInReview(review), `a review of #${number}`);
    const { unmet, approvedBy } = reviewsDemanded(reviews ?? [], demands);
    const isAsked = demands.demandsAnyStatus || (landsBy === 'merge' && demands.contexts.length > 0);
    if (!isAsked) return { unmet, approvedBy };
    const reports = await this.readReports(repository, head, await this.parts.api.ownLogin());
    const checks = unmetStatuses(demands, reports, `its head ${head.slice(0, 7)}`);
    return { unmet: [...unmet, ...checks], approvedBy };
  }

  /** Throws if a field is missing, because without the field demands would be overlooked. */
  private requireField(missing: string | null, what: string): void {
    if (missing !== null) throw unreadable(this.parts.api.host, what, `without ${missing}`);
  }
}

/** The name as part of a path. Slashes stay as they are, because the server takes the rest of the path as the name. */
export function pathOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}
