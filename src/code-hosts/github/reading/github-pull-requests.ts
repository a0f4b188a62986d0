import type { HostRepository, PullRequestObservation, StatusReport, UnmetDemand } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { GitHubPeople } from '../conversation/github-people';
import type { GitHubApi } from '../client/github-api';
import { at, listAt, textAt, unreadable } from '../../reading';
import type { Aim, KnownOfTarget, LandingBy, SeenInStack } from './aim';
import { type BranchDemands, type ByRuleset, demandsOf } from './branch-rules';
import { unmetChecks } from './head-checks';
import { isLastPushApproved, type LastPushParts } from './last-push';
import { pullRequestIn } from './pull-request';
import { type Opinion, opinionsIn } from './reviews';
import { readReviewVerdict } from './review-verdict';
import { type Layer, readLayersBelow, stackIn } from './stacks';
import { seenCheckRunIn, statusIn } from './statuses';
import { settleCheckRuns } from './workflows';

/** Facts about one pull request, and about the rules for it. */
interface Look {
  readonly known: KnownOfTarget;
  readonly repository: HostRepository;
  readonly seen: PullRequestObservation;
  readonly demands: BranchDemands;
  /** Whether GitHub refuses to merge the pull request, for any reason. */
  readonly isBlocked: boolean;
}

/** The demands of the branch on a pull request that people have to meet. */
interface Demanded {
  readonly unmet: readonly UnmetDemand[];
  readonly approvedBy: readonly string[];
}

const NOTHING: Demanded = { unmet: [], approvedBy: [] };
const BY_CODE_OWNER = 'an approval by a code owner';
const NOT_REBASEABLE: UnmetDemand = { words: 'a branch that GitHub can rebase: rebase it yourself, or squash' };
const NOT_SIGNED: UnmetDemand = {
  words: 'signed commits, and GitHub does not sign commits that it rebases: choose another merge method',
};
const PAGE = 100;
const PASSES = ['always', 'exempt'];

/**
 * Reads pull requests and GitHub's demands on them. The branch rules are evaluated here, because GitHub does not apply
 * them to an app that may bypass them, and checks no reviews for a push.
 */
export class GitHubPullRequests implements LastPushParts {
  readonly people: GitHubPeople;

  constructor(
    readonly api: GitHubApi,
    private readonly clock: Clock,
    readonly told: LastPushParts['told'],
  ) {
    this.people = new GitHubPeople(api);
  }

  /**
   * Reads a pull request; null if there is none. Demands are read only if the pull request is open and for the branch,
   * by the rules of that branch. GitHub applies the same rules to each layer of a stack. `known`: branch rules and
   * stack layers that were read already.
   */
  async read(
    repository: HostRepository,
    number: number,
    aim: Aim,
    known: KnownOfTarget = {},
  ): Promise<SeenInStack | null> {
    const { targetBranch, mergeMethod } = aim;
    const observedAt = this.clock.now();
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    const answer = await this.api.read(repository, route, { pull_number: number });
    if (answer === null) return null;
    const read = pullRequestIn(answer.body, this.api.host, observedAt);
    if (read === null) throw unreadable(this.api.host, `pull request ${number}`);
    const below = read.state === 'open' ? await this.layersBelow(repository, answer.body, number, known) : [];
    const stack = stackIn(answer.body);
    const landsBy = stack === null ? aim.landsBy : 'button';
    const seen: SeenInStack = {
      ...read,
      ...(stack !== null && { stack: { number: stack, below: below.map((one) => one.number) } }),
      ...(below.length > 0 && { headBelow: below.at(-1)!.head }),
    };
    if (seen.state !== 'open' || seen.draft || seen.base !== targetBranch) return seen;
    const isBlocked = textAt(answer.body, 'mergeable_state') === 'blocked';
    const demands = known.demands ?? (await this.readDemands(repository, seen.base));
    const isRebased = landsBy === 'button' && mergeMethod === 'rebase' && seen.mergeability === 'mergeable';
    const unrebased = isRebased && at(answer.body, 'rebaseable') === false ? [NOT_REBASEABLE] : [];
    const { unmet: lacking, approvedBy } = await this.demandedBy(
      { repository, seen, isBlocked, demands, known },
      landsBy,
    );
    const signatures = landsBy === 'button' && mergeMethod === 'rebase' ? demands.signatures : [];
    const areBypassed = (await this.bypassedOf(repository, signatures)).length === signatures.length;
    const unmet = [...lacking, ...unrebased, ...(areBypassed ? [] : [NOT_SIGNED])];
    const approved = { ...seen, ...(approvedBy.length > 0 && { approvedBy }) };
    return unmet.length === 0 ? approved : { ...approved, mergeability: 'not_mergeable', unmet };
  }

  private layersBelow(
    repository: HostRepository,
    pullRequest: unknown,
    number: number,
    { layers }: KnownOfTarget,
  ): Promise<readonly Layer[]> | readonly Layer[] {
    const position = layers?.findIndex((layer) => layer.number === number) ?? -1;
    return layers && position >= 0
      ? layers.slice(0, position)
      : readLayersBelow(this.api, repository, pullRequest, number);
  }

  async readDemands(repository: HostRepository, branch: string): Promise<BranchDemands> {
    const page = await this.api.read(repository, 'GET /repos/{owner}/{repo}/branches/{branch}', { branch });
    const route = 'GET /repos/{owner}/{repo}/rules/branches/{branch}';
    const rules = await this.api.ask(repository, route, { branch, per_page: PAGE });
    // Old servers and small plans have no rulesets, and refuse the request for them.
    return demandsOf(page?.body, rules.type === 'answered' ? listAt(rules.body) : []);
  }

  private async demandedBy(look: Look, landsBy: LandingBy): Promise<Demanded> {
    const counted = await this.reviewsDemanded(look);
    const decided = counted.unmet.length > 0 ? NOTHING : await this.demandedByDecision(look);
    const conversations = await this.unmetConversations(look);
    const checks = landsBy === 'button' ? await this.unmetHeadChecks(look) : [];
    const unmet = [...counted.unmet, ...decided.unmet, ...conversations, ...checks];
    return { unmet, approvedBy: counted.approvedBy.length > 0 ? counted.approvedBy : decided.approvedBy };
  }

  private async reviewsDemanded({ repository, seen, demands, known }: Look): Promise<Demanded> {
    const { number, author } = seen;
    const { approvals, ofLastPush } = demands;
    if (approvals === 0 && !ofLastPush) return NOTHING;
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews';
    const reviews = await this.api.readAll(repository, route, { pull_number: number }, (body) => listAt(body));
    const opinions = await this.ofWriters(repository, opinionsIn(reviews ?? []), known.mayWrite);
    const refusing = opinions.filter(({ state }) => state === 'CHANGES_REQUESTED');
    const approving = opinions.filter(({ state, login }) => state === 'APPROVED' && login !== author);
    const unmet = refusing.map(({ login }) => ({ words: `the approval of ${login}, who requested changes` }));
    const left = approvals - approving.length;
    if (left > 0)
      unmet.push({ words: `${left} more ${left === 1 ? 'approval' : 'approvals'} by people who may write` });
    if (ofLastPush && left <= 0 && !(await isLastPushApproved(this, repository, seen, approving)))
      unmet.push({ words: 'an approval of its last push by a person other than the author of the push' });
    return { unmet, approvedBy: approving.map(({ login }) => login) };
  }

  /**
   * The opinions of people with write access, because GitHub counts only these. Membership in an organization does not
   * prove write access.
   */
  private async ofWriters(
    repository: HostRepository,
    opinions: readonly Opinion[],
    mayWrite = new Map<string, boolean>(),
  ): Promise<readonly Opinion[]> {
    for (const { login } of opinions.filter((one) => !mayWrite.has(one.login))) {
      const permission = await this.people.permissionOf(repository, login);
      mayWrite.set(login, permission === 'write' || permission === 'admin');
    }
    return opinions.filter(({ login }) => mayWrite.get(login));
  }

  /**
   * Demands for reviews of code owners, and by classic protection. GitHub only says whether the reviews are sufficient.
   */
  private async demandedByDecision({ repository, seen, demands, isBlocked }: Look): Promise<Demanded> {
    const { fromCodeOwners, mayHideReviews } = demands;
    if (!fromCodeOwners && !(mayHideReviews && isBlocked)) return NOTHING;
    const verdict = await readReviewVerdict(this.api, repository, seen.number);
    const lacks = (words: string): Demanded => ({ unmet: [{ words }], approvedBy: verdict?.approvedBy ?? [] });
    // If a server does not say whether reviews are sufficient and refuses the merge, the review of code owners is
    // assumed to be missing.
    if (verdict === null) return isBlocked && fromCodeOwners ? lacks(BY_CODE_OWNER) : NOTHING;
    if (verdict.decision === 'CHANGES_REQUESTED') return lacks('the approval of the person who requested changes');
    if (verdict.decision !== 'REVIEW_REQUIRED') return { unmet: [], approvedBy: verdict.approvedBy };
    return lacks(fromCodeOwners ? BY_CODE_OWNER : 'the approvals that the branch requires');
  }

  private async unmetConversations({ repository, seen, demands, isBlocked }: Look): Promise<readonly UnmetDemand[]> {
    if (!demands.resolvedConversations) return [];
    const verdict = await readReviewVerdict(this.api, repository, seen.number);
    if (verdict === null) return isBlocked ? [{ words: 'its conversations to be resolved' }] : [];
    const { openConversations: open } = verdict;
    if (open === 0) return [];
    return [{ words: `${open} ${open === 1 ? 'conversation' : 'conversations'} to be resolved` }];
  }

  private async unmetHeadChecks({ repository, seen, demands }: Look): Promise<readonly UnmetDemand[]> {
    const bypassed = await this.bypassedOf(repository, demands.checks);
    const checks = demands.checks.filter((check) => !bypassed.includes(check));
    if (checks.length === 0) return [];
    return unmetChecks(
      checks,
      await this.readReports(repository, seen.head, 'as they are'),
      `its head ${seen.head.slice(0, 7)}`,
    );
  }

  /**
   * Reads the reports on a commit. Check runs that do not count are included as `superseded`. `as they are`: the
   * reasons of failures, each of which costs a request, are not read. Demands do not need them, because a failed check
   * and a lost check are both unmet.
   */
  async readReports(
    repository: HostRepository,
    commit: string,
    failures: 'explained' | 'as they are' = 'explained',
  ): Promise<readonly StatusReport[]> {
    const { api } = this;
    const { id } = repository;
    const place = { ref: commit };
    const all = { ...place, filter: 'all' } as const;
    const statuses = await api.readAll(repository, 'GET /repos/{owner}/{repo}/commits/{ref}/status', place, (body) =>
      listAt(body, 'statuses'),
    );
    const runs = await api.readAll(repository, 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs', all, (body) =>
      listAt(body, 'check_runs'),
    );
    const seen = (runs ?? []).map((run) => seenCheckRunIn(run, id)).filter((run) => run !== null);
    const reports = (statuses ?? []).map((status) => statusIn(status, id, commit)).filter((report) => report !== null);
    const settled = await settleCheckRuns(api, repository, commit, seen, failures);
    return [...reports, ...settled.map(({ report }) => report)];
  }

  /**
   * The demands of rulesets that the app may bypass: GitHub ignores them when the app merges a pull request or pushes.
   */
  async bypassedOf<Demand extends ByRuleset>(
    repository: HostRepository,
    demanded: readonly Demand[],
  ): Promise<readonly Demand[]> {
    const rulesets = [...new Set(demanded.flatMap(({ ruleset }) => (ruleset === null ? [] : [ruleset])))];
    const bypassed: number[] = [];
    for (const id of rulesets) {
      const route = 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}';
      const answer = await this.api.ask(repository, route, { ruleset_id: id });
      const bypass = answer.type === 'answered' ? at(answer.body, 'current_user_can_bypass') : null;
      if (typeof bypass === 'string' && PASSES.includes(bypass)) bypassed.push(id);
    }
    return demanded.filter(({ ruleset }) => ruleset !== null && bypassed.includes(ruleset));
  }
}
