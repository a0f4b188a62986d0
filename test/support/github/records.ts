import type { Account } from '../forge/accounts';
import type { MergeMethod } from '../forge/merge-commits';
import type { BareRepository } from '../bare-repository';

export type Permission = 'admin' | 'write' | 'read' | 'none';

export interface RepositoryRecord {
  readonly id: number;
  owner: Account;
  name: string;
  readonly world: BareRepository;
  readonly createdAt: Date;
  readonly parent: RepositoryRecord | null;
  readonly private: boolean;
  readonly description: string | null;
  defaultBranch: string;
  /** The branches with their commits at the time of the last event about them. */
  branches: ReadonlyMap<string, string>;
  /** Tips of branches that the API always shows, even if git has other commits. */
  readonly frozenTips: Map<string, string>;
  /** Pushes, creations and deletions of branches, the oldest first. */
  readonly activities: ActivityRecord[];
  readonly pulls: Map<number, PullRequest>;
  readonly statuses: StatusRecord[];
  readonly checkRuns: CheckRunRecord[];
  /** Runs of GitHub Actions, the oldest first. */
  readonly workflowRuns: WorkflowRunRecord[];
  readonly comments: CommentRecord[];
  readonly labels: LabelRecord[];
  /** Labels that were added or removed, the oldest first. */
  readonly labelEvents: LabelEventRecord[];
  readonly reviews: ReviewRecord[];
  /** Conversations about lines of code. */
  readonly threads: ThreadRecord[];
  /** Logins of the code owners. Each code owner owns all files of the repository. */
  codeOwners: readonly string[];
  readonly permissions: Map<string, Permission>;
  readonly rules: BranchRule[];
  mergeMethods: readonly MergeMethod[];
  /** Background merges that were requested, the oldest first. */
  readonly backgroundMerges: BackgroundMergeRecord[];
  /** Whether background merges stay pending until a test completes them. */
  holdsMerges: boolean;
  /** Texts with which the next background merges fail, one for each merge. */
  readonly mergeFailures: string[];
  /** Numbers of the pull requests that are in GitHub's own merge queue. */
  readonly enqueued: Set<number>;
  /** GitHub's own stacks of pull requests. */
  readonly stacks: StackRecord[];
  /** Files that merges by this repository omit, as happened at GitHub on 23 April 2026. */
  leavesOut: readonly string[];
  highestNumber: number;
  /** After each change of a pull request, this many reads find its mergeability unknown. */
  unknownReads: number;
}

/** A merge that was requested to run in the background. */
export interface BackgroundMergeRecord {
  readonly uuid: string;
  readonly number: number;
  readonly by: Account;
  /** The requested merge method; absent if GitHub is to choose. */
  readonly method?: MergeMethod;
  readonly action: 'default' | 'direct_merge' | 'merge_queue';
  readonly title?: string;
  readonly message?: string;
  readonly expectedHead: string;
  result: { readonly sha: string } | { readonly failure: string } | null;
  changedAt: Date;
}

export interface StackRecord {
  readonly id: number;
  readonly number: number;
  readonly base: string;
  /** The commit of the base when the stack was created. GitHub does not update it. */
  readonly baseSha: string;
  /** The numbers of the pull requests in the stack, the lowest first. Merged pull requests stay in this list. */
  layers: readonly number[];
  readonly at: Date;
}

/** A push to a branch, or its creation or deletion. */
export interface ActivityRecord {
  readonly id: number;
  readonly branch: string;
  /** The commit before the push; null if the branch did not exist. */
  readonly before: string | null;
  /** The commit after the push; null if the branch was deleted. */
  readonly after: string | null;
  readonly type: 'push' | 'force_push' | 'branch_creation' | 'branch_deletion';
  readonly actor: Account;
  readonly at: Date;
}

export interface PullRequest {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  readonly createdAt: Date;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  labels: readonly LabelRecord[];
  updatedAt: Date;
  closedAt: Date | null;
  merged: { readonly at: Date; readonly by: Account; readonly commit: string } | null;
  head: { readonly repository: RepositoryRecord; readonly ref: string; readonly sha: string };
  lastPusher: Account;
  /** `sha` is the commit of the base branch when the head last moved. The base branch may have moved since then. */
  base: { readonly ref: string; readonly sha: string };
  /** For each pair of base and head, the number of reads while the mergeability was unknown. */
  readonly reads: Map<string, number>;
  /** The mergeability of the present base and head; null until it is computed. */
  tried: { readonly pair: string; readonly mergeCommit: string | null; readonly isRebaseable: boolean } | null;
}

export type StatusState = 'pending' | 'success' | 'failure' | 'error';

export interface StatusRecord {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: StatusState;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: Account;
  /** The id of the app that reported the status; null if a person reported it. */
  readonly appId: number | null;
  readonly createdAt: Date;
}

export type CheckStatus = 'queued' | 'in_progress' | 'completed';

export type CheckConclusion =
  'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required';

export interface WorkflowRunRecord {
  readonly id: number;
  /** The id of the run's check suite. Each run has its own suite, which all attempts of the run share. */
  readonly suiteId: number;
  readonly sha: string;
  readonly path: string;
  readonly event: string;
  readonly branch: string | null;
  /** The number of the newest attempt. */
  attempt: number;
  readonly createdAt: Date;
}

export interface CheckRunRecord {
  readonly id: number;
  readonly suiteId: number;
  /** The attempt of the workflow run that has this check run; 1 for other apps. */
  readonly attempt: number;
  readonly sha: string;
  /** The app that made the check run: the service's app, or the stand-in for GitHub Actions. */
  readonly app: AppFacts;
  name: string;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  detailsUrl: string | null;
  externalId: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
  output: { readonly title: string | null; readonly summary: string | null; readonly text: string | null };
  /** The messages of the annotations of the check run. */
  annotations: readonly string[];
}

export interface AppFacts {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

export interface CommentRecord {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  readonly createdAt: Date;
  body: string;
  updatedAt: Date;
  readonly reactions: ReactionRecord[];
}

export interface LabelRecord {
  readonly id: number;
  readonly name: string;
}

/** The addition of a label to a pull request, or its removal. */
export interface LabelEventRecord {
  readonly id: number;
  readonly number: number;
  readonly event: 'labeled' | 'unlabeled';
  readonly label: LabelRecord;
  readonly actor: Account;
  readonly createdAt: Date;
}

export interface ReactionRecord {
  readonly id: number;
  readonly user: Account;
  readonly content: string;
  readonly createdAt: Date;
}

export interface ReviewRecord {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  readonly commit: string;
  readonly body: string;
  readonly submittedAt: Date;
}

export interface ThreadRecord {
  readonly number: number;
  isResolved: boolean;
}

/** A rule for branches, either from classic protection or from a ruleset. */
export interface BranchRule {
  readonly kind: 'classic' | 'ruleset';
  readonly id: number;
  /** The name of a branch, or a pattern: `*` stands for any text without a slash, `**` for any text. */
  readonly branch: string;
  readonly requiredContexts: readonly string[];
  /** The id of the only app whose result counts, by the context of a status. */
  readonly pins: Readonly<Record<string, number>>;
  /** Whether the head must contain the base before the pull request may be merged. */
  readonly strict: boolean;
  readonly requiredApprovals: number;
  /** Whether one approval must come from a code owner. */
  readonly codeOwners: boolean;
  /** Whether somebody other than the last pusher must approve the last push. */
  readonly lastPush: boolean;
  /** Whether all conversations must be resolved. */
  readonly conversations: boolean;
  /** Whether nobody may create a branch with this name. Only rulesets have this rule. */
  readonly restrictsCreation: boolean;
  /** Whether all commits must have verified signatures. Only rulesets have this rule. */
  readonly signatures: boolean;
  /** Logins that may bypass the rule. The login of an app is `<slug>[bot]`. */
  readonly bypass: readonly string[];
  /** How the accounts in `bypass` bypass the rule. For a background merge, only `exempt` counts. */
  readonly bypassMode: 'always' | 'exempt';
}
