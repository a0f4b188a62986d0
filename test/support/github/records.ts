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
  /** Branches as the last event about them said. */
  branches: ReadonlyMap<string, string>;
  /** Where the API shows a branch for ever, whatever git has. */
  readonly frozenTips: Map<string, string>;
  /** What happened to branches, oldest first. */
  readonly activities: ActivityRecord[];
  readonly pulls: Map<number, PullRequest>;
  readonly statuses: StatusRecord[];
  readonly checkRuns: CheckRunRecord[];
  /** Of GitHub Actions, oldest first. */
  readonly workflowRuns: WorkflowRunRecord[];
  readonly comments: CommentRecord[];
  readonly labels: LabelRecord[];
  /** Oldest first. */
  readonly labelEvents: LabelEventRecord[];
  readonly reviews: ReviewRecord[];
  /** Conversations about lines of pull requests. */
  readonly threads: ThreadRecord[];
  /** Logins of the owners of all code. */
  codeOwners: readonly string[];
  readonly permissions: Map<string, Permission>;
  readonly rules: BranchRule[];
  mergeMethods: readonly MergeMethod[];
  /** Merges that it was asked for, and does in the background, oldest first. */
  readonly backgroundMerges: BackgroundMergeRecord[];
  /** They end only when a test lets them. */
  holdsMerges: boolean;
  /** Why the next ones fail, one each. */
  readonly mergeFailures: string[];
  /** Pull requests that its own merge queue has. */
  readonly enqueued: Set<number>;
  /** GitHub's own stacks of pull requests. */
  readonly stacks: StackRecord[];
  /** Files that its merges leave out, as on 23 April 2026. */
  leavesOut: readonly string[];
  highestNumber: number;
  /** How many reads of a changed pull request answer that its mergeability is not known yet. */
  unknownReads: number;
}

/** A merge that was asked for and runs in the background. */
export interface BackgroundMergeRecord {
  readonly uuid: string;
  readonly number: number;
  readonly by: Account;
  /** As it was asked for; absent: GitHub's choice. */
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
  /** Where the base was when the stack was made: GitHub does not keep it up to date. */
  readonly baseSha: string;
  /** Numbers of the pull requests, the lowest first, also of those that have merged. */
  layers: readonly number[];
  readonly at: Date;
}

/** A branch was pushed to, made or removed. */
export interface ActivityRecord {
  readonly id: number;
  readonly branch: string;
  /** Null: the branch was not there. */
  readonly before: string | null;
  /** Null: the branch is gone. */
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
  /** `sha` is the commit that the branch had when the head last moved. It may have another by now. */
  base: { readonly ref: string; readonly sha: string };
  /** How often each pair of base and head was read while its mergeability was unknown. */
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
  /** Of the app that reported it; null: a person did. */
  readonly appId: number | null;
  readonly createdAt: Date;
}

export type CheckStatus = 'queued' | 'in_progress' | 'completed';

export type CheckConclusion =
  'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required';

export interface WorkflowRunRecord {
  readonly id: number;
  /** Each run has a check suite of its own; its attempts share it. */
  readonly suiteId: number;
  readonly sha: string;
  readonly path: string;
  readonly event: string;
  readonly branch: string | null;
  /** The newest. */
  attempt: number;
  readonly createdAt: Date;
}

export interface CheckRunRecord {
  readonly id: number;
  readonly suiteId: number;
  /** Of the run of its workflow; 1 for other apps. */
  readonly attempt: number;
  readonly sha: string;
  /** Our own app, or the one that stands for GitHub Actions. */
  readonly app: AppFacts;
  name: string;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  detailsUrl: string | null;
  externalId: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
  output: { readonly title: string | null; readonly summary: string | null; readonly text: string | null };
  /** Their messages. */
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

/** A label was set at a pull request, or taken off. */
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

/** A rule for a branch, by classic protection or by a ruleset. */
export interface BranchRule {
  readonly kind: 'classic' | 'ruleset';
  readonly id: number;
  /** A name, or a pattern: `*` stands for anything but a slash, `**` for anything. */
  readonly branch: string;
  readonly requiredContexts: readonly string[];
  /** By context: the id of the only app that it counts from. */
  readonly pins: Readonly<Record<string, number>>;
  /** The head must contain the base before it may be merged. */
  readonly strict: boolean;
  readonly requiredApprovals: number;
  /** One of the approvals is of a code owner. */
  readonly codeOwners: boolean;
  /** Somebody else than the last pusher approves the last push. */
  readonly lastPush: boolean;
  /** All conversations are resolved. */
  readonly conversations: boolean;
  /** Nobody may make such a branch, by rulesets only. */
  readonly restrictsCreation: boolean;
  /** All commits have verified signatures, by rulesets only. */
  readonly signatures: boolean;
  /** Logins; an app is `<slug>[bot]`. */
  readonly bypass: readonly string[];
  /** How they pass the rule. Merges in the background take only `exempt`. */
  readonly bypassMode: 'always' | 'exempt';
}
