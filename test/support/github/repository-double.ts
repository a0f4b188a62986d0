import type { FileChanges } from '../commit-stream';
import { askToMerge, runMerges } from './background-merges';
import { noticeBranches } from './branches';
import { announceReview, announceThread } from './events';
import { resolveCommit } from '../forge/git';
import { addLabel, removeLabel } from './labels';
import { mergePull } from './landing';
import type { MergeMethod } from '../forge/merge-commits';
import { closePull, editPull, openPull, reopenPull, setDraft } from './pulls';
import { installPushHook } from './push-hook';
import { makeStack } from './stacks';
import type {
  AppFacts,
  BranchRule,
  CheckConclusion,
  CheckRunRecord,
  CommentRecord,
  Permission,
  PullRequest,
  RepositoryRecord,
  ReviewRecord,
  StatusRecord,
  StatusState,
  WorkflowRunRecord,
} from './records';
import { addCheckRun, addComment, addStatus, changeCheckRun, editComment } from './reports';
import { ACTIONS_APP, fullName, stackHolding, type GitHubState } from './state';
import { startWorkflow, WorkflowRunDouble } from './workflow-runs';

/** The workflow file to which the check runs of `setCheckRun` belong. */
const USUAL_WORKFLOW = '.github/workflows/tests.yml';

export interface OpenOptions {
  readonly title?: string;
  readonly body?: string;
  /** The login of the author of the pull request or push. */
  readonly by?: string;
  /** The login that makes the commit and pushes the branch; the author's login if absent. */
  readonly pushedBy?: string;
  /** The name of the branch; `change-<number>` if absent. */
  readonly branch?: string;
  readonly base?: string;
  /** The parent commit; the tip of the base if absent. */
  readonly from?: string;
  readonly draft?: boolean;
  /** The number of the pull request; the next free number if absent. */
  readonly number?: number;
  /** The repository that has the branch; this repository if absent. */
  readonly fork?: RepositoryDouble;
}

export interface PushOptions {
  readonly title?: string;
  readonly body?: string;
  readonly by?: string;
  readonly from?: string;
  readonly isForced?: boolean;
}

const SOMEBODY = 'ada';
const NO_DEMANDS = {
  ...{ requiredContexts: [], pins: {}, requiredApprovals: 0, codeOwners: false, lastPush: false, conversations: false },
  ...{ strict: false, restrictsCreation: false, signatures: false, bypass: [], bypassMode: 'always' as const },
};

function ownFile(number: number): FileChanges {
  return { [`${number}.txt`]: 'new\n' };
}

/** A repository as people see it, with their actions. The app receives a delivery about every action. */
export class RepositoryDouble {
  constructor(
    private readonly state: GitHubState,
    readonly record: RepositoryRecord,
  ) {
    installPushHook(record.world.bare);
  }

  /** `owner/name`. */
  get fullName(): string {
    return fullName(this.record);
  }

  /** Opens a pull request with a commit of these files and returns the mock's record. */
  openPullRequest(files: FileChanges, options: OpenOptions = {}): PullRequest {
    const number = options.number ?? this.record.highestNumber + 1;
    const { base = 'main', by = SOMEBODY, branch = `change-${number}`, draft = false } = options;
    const home = options.fork ?? this;
    const title = options.title ?? `Change ${number}`;
    const from = options.from ?? this.tip(base);
    home.bring(this, from);
    home.pushToBranch(branch, files, { title, body: options.body, by: options.pushedBy ?? by, from });
    return openPull(this.state, this.record, {
      title,
      body: options.body ?? null,
      author: this.account(by),
      head: { repository: home.record, ref: branch },
      base,
      draft,
      number,
    });
  }

  headOf(number: number): string {
    return this.pullRequest(number).head.sha;
  }

  /** Adds a commit to the pull request's branch. Returns the new head. */
  push(number: number, files: FileChanges, options: PushOptions = {}): string {
    const { head } = this.pullRequest(number);
    return this.homeOf(head.repository).pushToBranch(head.ref, files, options);
  }

  /** Adds a commit on `from` or on the tip of the branch, bypassing every rule. Returns the commit. */
  pushToBranch(branch: string, files: FileChanges, options: PushOptions = {}): string {
    const { by = SOMEBODY, title = 'a change', body, isForced } = options;
    const { world, branches } = this.record;
    const from = options.from ?? branches.get(branch) ?? this.tip('main');
    const { name, email } = this.account(by);
    const commit = world.commitTo(`refs/heads/${branch}`, from, files, { title, body, author: name, email, isForced });
    noticeBranches(this.state, this.record, this.account(by));
    return commit;
  }

  /** Sets a branch to any commit by force. Creates the branch if it is missing. */
  setBranch(branch: string, commit: string, by = SOMEBODY): void {
    this.record.world.setBranch(branch, commit);
    noticeBranches(this.state, this.record, this.account(by));
  }

  removeBranch(branch: string, by = SOMEBODY): void {
    this.record.world.removeBranch(branch);
    noticeBranches(this.state, this.record, this.account(by));
  }

  /** The commit of a branch. Throws when the branch is missing. */
  tip(branch: string): string {
    const commit = this.record.branches.get(branch);
    if (commit === undefined) throw new Error(`There is no branch ${branch}`);
    return commit;
  }

  /** Makes the API show the branch at its present commit from now on, even if the branch moves in git. */
  freezeShownTip(branch: string): void {
    this.record.frozenTips.set(branch, this.tip(branch));
  }

  /** Renames the repository. The old name redirects until another repository gets it. */
  renameTo(name: string): void {
    this.state.rename(this.record, this.record.owner, name);
  }

  transferTo(owner: string): void {
    this.state.rename(this.record, this.state.accounts.of(owner, 'Organization'), this.record.name);
  }

  /** Names of all branches, sorted. */
  branches(): string[] {
    return this.record.world.branches();
  }

  /** Paths and contents of all files of a commit. */
  files(commit: string): Record<string, string> {
    return this.record.world.files(commit);
  }

  pullRequest(number: number): PullRequest {
    const pull = this.record.pulls.get(number);
    if (pull === undefined) throw new Error(`There is no pull request ${number}`);
    return pull;
  }

  comment(number: number, body: string, by = SOMEBODY): CommentRecord {
    return addComment(this.state, this.record, number, body, this.account(by));
  }

  editComment(comment: CommentRecord, body: string, by = SOMEBODY): void {
    editComment(this.state, this.record, comment, body, this.account(by));
  }

  addLabel(number: number, name: string, by = SOMEBODY): void {
    addLabel(this.state, this.record, this.pullRequest(number), name, this.account(by));
  }

  removeLabel(number: number, name: string, by = SOMEBODY): void {
    removeLabel(this.state, this.record, this.pullRequest(number), name, this.account(by));
  }

  /** Names of the labels of the pull request. */
  labels(number: number): readonly string[] {
    return this.pullRequest(number).labels.map(({ name }) => name);
  }

  /** The comments on the pull request, the oldest first. */
  comments(number: number): readonly CommentRecord[] {
    return this.record.comments.filter((comment) => comment.number === number);
  }

  /** The newest status with this context. */
  status(sha: string, context: string): StatusRecord | undefined {
    return this.record.statuses.findLast((status) => status.sha === sha && status.context === context);
  }

  setStatus(sha: string, context: string, state: StatusState, options: StatusOptions = {}): StatusRecord {
    const { by = SOMEBODY, description = null, targetUrl = null } = options;
    return addStatus(this.state, this.record, { sha, context, state, description, targetUrl }, this.account(by));
  }

  /** Creates a check run of an app other than the service's, or updates the check run with the same name. */
  setCheckRun(
    sha: string,
    name: string,
    to: CheckConclusion | 'queued' | 'in_progress',
    app: AppFacts = ACTIONS_APP,
  ): CheckRunRecord {
    const isOpen = to === 'queued' || to === 'in_progress';
    const change = isOpen ? { status: to } : { status: 'completed' as const, conclusion: to };
    const known = this.record.checkRuns.findLast(
      (run) => run.sha === sha && run.name === name && run.app.id === app.id,
    );
    if (known === undefined || known.status === 'completed') {
      const by = app === ACTIONS_APP ? this.usualWorkflow(sha, known !== undefined) : app;
      return addCheckRun(this.state, this.record, { sha, name, by }, change);
    }
    changeCheckRun(this.state, this.record, known, change);
    return known;
  }

  /** Starts a run of a workflow file, as a push or a pull request does. */
  startWorkflow(sha: string, path: string, event = 'push'): WorkflowRunDouble {
    return new WorkflowRunDouble(this.state, this.record, startWorkflow(this.state, this.record, { sha, path, event }));
  }

  private usualWorkflow(sha: string, isRestarted: boolean): WorkflowRunRecord {
    const known = this.record.workflowRuns.find((run) => run.sha === sha && run.path === USUAL_WORKFLOW);
    if (known === undefined) return this.startWorkflow(sha, USUAL_WORKFLOW).record;
    if (isRestarted) known.attempt++;
    return known;
  }

  closePullRequest(number: number, by = SOMEBODY): void {
    closePull(this.state, this.record, this.pullRequest(number), this.account(by));
  }

  reopenPullRequest(number: number, by = SOMEBODY): void {
    reopenPull(this.state, this.record, this.pullRequest(number), this.account(by));
  }

  convertToDraft(number: number, by = SOMEBODY): void {
    setDraft(this.state, this.record, this.pullRequest(number), this.account(by), 'converted_to_draft');
  }

  markReady(number: number, by = SOMEBODY): void {
    setDraft(this.state, this.record, this.pullRequest(number), this.account(by), 'ready_for_review');
  }

  changeBase(number: number, base: string, by = SOMEBODY): void {
    editPull(this.state, this.record, this.pullRequest(number), { base }, this.account(by));
  }

  rename(number: number, title: string, by = SOMEBODY): void {
    editPull(this.state, this.record, this.pullRequest(number), { title }, this.account(by));
  }

  describe(number: number, body: string, by = SOMEBODY): void {
    editPull(this.state, this.record, this.pullRequest(number), { body }, this.account(by));
  }

  /** Presses the merge button. Returns the new commit of the base. */
  merge(number: number, method: MergeMethod = 'merge', by = SOMEBODY): string {
    return mergePull(this.state, this.record, this.pullRequest(number), { method, by: this.account(by) });
  }

  /**
   * Makes a stack of these pull requests, the lowest first. The base of the lowest pull request is the base of the
   * stack.
   */
  stack(...numbers: readonly number[]): void {
    const layers = numbers.map((number) => this.pullRequest(number));
    makeStack(this.state, this.record, layers);
  }

  /**
   * Opens `size` pull requests, each on top of the previous one, and makes a stack of them. Returns their numbers, the
   * lowest first.
   */
  openStack(size: number, files: (number: number) => FileChanges = ownFile): readonly number[] {
    const numbers: number[] = [];
    while (numbers.length < size) {
      const number = this.record.highestNumber + 1;
      const base = numbers.length === 0 ? 'main' : `change-${numbers.at(-1)}`;
      this.openPullRequest(files(number), { number, base });
      numbers.push(number);
    }
    this.stack(...numbers);
    return numbers;
  }

  /** Replaces the layers in the stack that contains this pull request. */
  restack(number: number, ...layers: readonly number[]): void {
    const stack = stackHolding(this.record, this.pullRequest(number));
    if (stack !== undefined) stack.layers = layers;
  }

  /** Dissolves all stacks. */
  unstack(): void {
    this.record.stacks.length = 0;
  }

  /** Presses the merge button of a GitHub that merges in the background. Returns the id of the request. */
  askToMerge(number: number, method: MergeMethod = 'merge', by = SOMEBODY): string {
    const pull = this.pullRequest(number);
    const asked = { by: this.account(by), method, action: 'default', expectedHead: pull.head.sha } as const;
    askToMerge(this.state, this.record, pull, asked);
    return this.record.backgroundMerges.at(-1)?.uuid ?? '';
  }

  /** Makes background merges stay pending from now on. */
  holdMerges(): void {
    this.record.holdsMerges = true;
  }

  /** Completes the pending background merges, and lets later ones complete at once. */
  letMerges(): void {
    this.record.holdsMerges = false;
    runMerges(this.state, this.record);
  }

  /** Makes the next background merge fail with this text. */
  failNextMerge(words: string): void {
    this.record.mergeFailures.push(words);
  }

  /** Adds the pull request to GitHub's own merge queue. */
  enqueue(number: number): void {
    this.record.enqueued.add(number);
  }

  /** Starts a conversation about a line of code as a person. The conversation is also a review. */
  discuss(number: number, by?: string): void {
    this.record.threads.push({ number, isResolved: false });
    this.review(number, 'COMMENTED', by);
  }

  resolveConversations(number: number, by = SOMEBODY): void {
    this.turnConversations(number, true, by);
  }

  reopenConversations(number: number, by = SOMEBODY): void {
    this.turnConversations(number, false, by);
  }

  private turnConversations(number: number, isResolved: boolean, by: string): void {
    for (const thread of this.record.threads) {
      if (thread.number !== number || thread.isResolved === isResolved) continue;
      thread.isResolved = isResolved;
      announceThread(this.state, this.record, thread, this.account(by));
    }
  }

  setCodeOwners(...logins: readonly string[]): void {
    this.record.codeOwners = logins;
  }

  review(number: number, state: ReviewRecord['state'], by = 'grace'): void {
    const commit = this.pullRequest(number).head.sha;
    const author = this.account(by);
    const id = this.state.nextId();
    const review = { id, number, author, state, commit, body: '', submittedAt: this.state.now() };
    this.record.reviews.push(review);
    announceReview(this.state, this.record, review);
  }

  changePermission(login: string, permission: Permission): void {
    this.account(login);
    this.record.permissions.set(login.toLowerCase(), permission);
  }

  /**
   * Protects a branch, or the branches of a pattern. The protection replaces an earlier protection of the same kind.
   */
  protect(branch: string, demands: ProtectionDemands = {}): void {
    const kind = demands.kind ?? 'classic';
    this.unprotect(branch, kind);
    this.record.rules.push({ ...NO_DEMANDS, ...demands, kind, branch, id: this.state.nextId() });
  }

  unprotect(branch: string, kind: BranchRule['kind'] = 'classic'): void {
    const at = this.record.rules.findIndex((rule) => rule.branch === branch && rule.kind === kind);
    if (at >= 0) this.record.rules.splice(at, 1);
  }

  allowMergeMethods(...methods: readonly MergeMethod[]): void {
    this.record.mergeMethods = methods;
  }

  /** Makes GitHub omit these files in its merges from now on. */
  leaveOut(...files: readonly string[]): void {
    this.record.leavesOut = files;
  }

  /**
   * Makes the first `reads` reads after each change of base or head find the mergeability unknown; the default is 1.
   */
  answerUnknown(reads: number): void {
    this.record.unknownReads = reads;
  }

  private bring(from: RepositoryDouble, commit: string): void {
    if (resolveCommit(this.record.world.bare, commit) !== null) return;
    this.record.world.inBare('fetch', '--quiet', '--no-tags', from.record.world.bare, commit);
  }

  private homeOf(record: RepositoryRecord): RepositoryDouble {
    return record === this.record ? this : new RepositoryDouble(this.state, record);
  }

  private account(login: string) {
    return this.state.accounts.of(login, login.endsWith('[bot]') ? 'Bot' : 'User');
  }
}

export interface StatusOptions {
  readonly by?: string;
  readonly description?: string;
  readonly targetUrl?: string;
}

export type ProtectionDemands = Partial<Omit<BranchRule, 'id' | 'branch'>>;
