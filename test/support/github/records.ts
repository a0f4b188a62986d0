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
  /** Branches as of the last event about them. */
  branches: ReadonlyMap<string, string>;
  /** Tips that the API shows for ever, whatever git has. */
  readonly frozenTips: Map<string, string>;
  /** Pushes, creations and deletions of branches, oldest first. */
  readonly activities: ActivityRecord[];
  readonly pulls: Map<number, PullRequest>;
  readonly statuses: StatusRecord[];
  readonly checkRuns: CheckRunRecord[];
  /** Runs of GitHub Actions, oldest first. */
  readonly workflowRuns: WorkflowRunRecord[];
  readonly comments: CommentRecord[];
  readonly labels: LabelRecord[];
  /** Oldest first. */
  readonly labelEvents: LabelEventRecord[];
  readonly reviews: ReviewRecord[];
  /** Conversations about lines of code. */
  readonly threads: ThreadRecord[];
  /** Logins of code owners of the whole repository. */
  codeOwners: readonly string[];
  readonly permissions: Map<string, Permission>;
  readonly rules: BranchRule[];
  mergeMethods: readonly MergeMethod[];
  /** Requested background merges, oldest first. */
  readonly backgroundMerges: BackgroundMergeRecord[];
  /** Background merges end only when a test lets them. */
  holdsMerges: boolean;
  /** The reasons for which the next merges fail, one each. */
  readonly mergeFailures: string[];
  /** Pull requests in GitHub's own merge queue. */
  readonly enqueued: Set<number>;
  /** GitHub's own stacks of pull requests. */
  readonly stacks: StackRecord[];
  /** Files that its merges omit, as on 23 April 2026. */
  leavesOut: readonly string[];
  highestNumber: number;
  /** So many reads of a changed pull request find its mergeability unknown. */
  unknownReads: number;
}

/** A requested merge that runs in the background. */
export interface BackgroundMergeRecord {
  readonly uuid: string;
  readonly number: number;
  readonly by: Account;
  /** The requested method; absent: GitHub's choice. */
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
  /** The base at the creation of the stack: GitHub does not update it. */
  readonly baseSha: string;
  /** Numbers of the pull requests, the lowest first, merged ones included. */
  layers: readonly number[];
  readonly at: Date;
}

/** A push to a branch, or its creation or deletion. */
export interface ActivityRecord {
  readonly id: number;
  readonly branch: string;
  /** Null: the branch did not exist. */
  readonly before: string | null;
  /** Null: the branch was deleted. */
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
  /** `sha` is the commit of the branch when the head last moved. The branch may have moved since. */
  base: { readonly ref: string; readonly sha: string };
  /** Number of reads of each pair of base and head while its mergeability was unknown. */
  readonly reads: Map<string, number>;
  /** The mergeability of the present base and head. */
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
  /** The app that reported it; null: a person. */
  readonly appId: number | null;
  readonly createdAt: Date;
}

export type CheckStatus = 'queued' | 'in_progress' | 'completed';

export type CheckConclusion =
  'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required';

export interface WorkflowRunRecord {
  readonly id: number;
  /** Each run has its own check suite; its attempts share it. */
  readonly suiteId: number;
  readonly sha: string;
  readonly path: string;
  readonly event: string;
  readonly branch: string | null;
  /** The newest attempt. */
  attempt: number;
  readonly createdAt: Date;
}

export interface CheckRunRecord {
  readonly id: number;
  readonly suiteId: number;
  /** The attempt of its workflow run; 1 for other apps. */
  readonly attempt: number;
  readonly sha: string;
  /** The service's app, or the stand-in for GitHub Actions. */
  readonly app: AppFacts;
  name: string;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  detailsUrl: string | null;
  externalId: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
  output: { readonly title: string | null; readonly summary: string | null; readonly text: string | null };
  /** The messages of its annotations. */
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

/** A label was added to a pull request, or removed. */
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

/** A branch rule from classic protection or from a ruleset. */
export interface BranchRule {
  readonly kind: 'classic' | 'ruleset';
  readonly id: number;
  /** A name or a pattern: `*` stands for any text without a slash, `**` for any text. */
  readonly branch: string;
  readonly requiredContexts: readonly string[];
  /** By context: the id of the only app from which it counts. */
  readonly pins: Readonly<Record<string, number>>;
  /** The head must contain the base before it may be merged. */
  readonly strict: boolean;
  readonly requiredApprovals: number;
  /** One approval must come from a code owner. */
  readonly codeOwners: boolean;
  /** Somebody other than the last pusher must approve the last push. */
  readonly lastPush: boolean;
  /** All conversations must be resolved. */
  readonly conversations: boolean;
  /** Nobody may create such a branch; rulesets only. */
  readonly restrictsCreation: boolean;
  /** All commits must have verified signatures; rulesets only. */
  readonly signatures: boolean;
  /** Logins; an app is `<slug>[bot]`. */
  readonly bypass: readonly string[];
  /** How these accounts bypass the rule. Background merges accept only `exempt`. */
  readonly bypassMode: 'always' | 'exempt';
}
