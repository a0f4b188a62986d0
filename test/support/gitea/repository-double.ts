import { WorkflowRunDouble } from './workflow-runs';
import type { FileChanges } from '../commit-stream';
import { resolveCommit } from '../forge/git';
import type { Happenings } from './happenings';
import {
  type Comment,
  fullNameOf,
  NO_DEMANDS,
  type Permission,
  type Pull,
  type Repository,
  type Review,
  type Rule,
  type Status,
  type StatusState,
} from './state';

const SOMEBODY = 'ada';
export interface OpenOptions {
  readonly title?: string;
  readonly body?: string;
  readonly by?: string;
  readonly branch?: string;
  readonly base?: string;
  readonly from?: string;
  readonly number?: number;
  /** The repository that has the branch; this repository if absent. */
  readonly fork?: GiteaRepositoryDouble;
}

/** A repository as people see it, with their actions. Pushes by these actions bypass all rules. */
export class GiteaRepositoryDouble {
  constructor(
    private readonly happenings: Happenings,
    readonly record: Repository,
  ) {}

  get fullName(): string {
    return fullNameOf(this.record);
  }

  openPullRequest(files: FileChanges, options: OpenOptions = {}): Pull {
    const number = options.number ?? this.record.highestNumber + 1;
    const { base = 'main', by = SOMEBODY, branch = `change-${number}`, body = '' } = options;
    const home = options.fork ?? this;
    const title = options.title ?? `Change ${number}`;
    const from = options.from ?? this.tip(base);
    if (resolveCommit(home.record.world.bare, from) === null)
      home.record.world.inBare('fetch', '--quiet', '--no-tags', this.record.world.bare, from);
    home.pushToBranch(branch, files, { title, by, from });
    const head = { repository: home.record, branch };
    return this.happenings.open(this.record, { title, body, author: this.account(by), head, base, number });
  }

  headOf(number: number): string {
    return this.pullRequest(number).head.sha;
  }

  push(number: number, files: FileChanges, by = SOMEBODY): string {
    const { head } = this.pullRequest(number);
    const home = head.repository === this.record ? this : new GiteaRepositoryDouble(this.happenings, head.repository);
    if (head.branch === null || !home.record.branches.has(head.branch)) {
      const commit = this.record.world.commitTo(`refs/heads/again-${number}`, head.sha, files, { title: 'a change' });
      this.happenings.noticeBranches(this.record, this.account(by));
      return commit;
    }
    return home.pushToBranch(head.branch, files, { by });
  }

  pushToBranch(
    branch: string,
    files: FileChanges,
    options: { title?: string; by?: string; from?: string } = {},
  ): string {
    const { by = SOMEBODY, title = 'a change' } = options;
    const { world, branches } = this.record;
    const from = options.from ?? branches.get(branch) ?? this.tip('main');
    const { name, email } = this.account(by);
    const commit = world.commitTo(`refs/heads/${branch}`, from, files, { title, author: name, email });
    this.happenings.noticeBranches(this.record, this.account(by));
    return commit;
  }

  setBranch(branch: string, commit: string, by = SOMEBODY): void {
    this.record.world.setBranch(branch, commit);
    this.happenings.noticeBranches(this.record, this.account(by));
  }

  removeBranch(branch: string, by = SOMEBODY): void {
    this.record.world.removeBranch(branch);
    this.happenings.noticeBranches(this.record, this.account(by));
  }

  /** The commit of a branch. Throws when the branch is missing. */
  tip(branch: string): string {
    const commit = this.record.branches.get(branch);
    if (commit === undefined) throw new Error(`There is no branch ${branch}`);
    return commit;
  }

  branches(): string[] {
    return this.record.world.branches();
  }

  files(commit: string): Record<string, string> {
    return this.record.world.files(commit);
  }

  pullRequest(number: number): Pull {
    const pull = this.record.pulls.get(number);
    if (pull === undefined) throw new Error(`There is no pull request ${number}`);
    return pull;
  }

  isMerged(number: number): boolean {
    return this.pullRequest(number).merged !== null;
  }

  comment(number: number, body: string, by = SOMEBODY): Comment {
    return this.happenings.addComment(this.record, number, body, this.account(by));
  }

  editComment(comment: Comment, body: string, by = SOMEBODY): void {
    this.happenings.editComment(this.record, comment, body, this.account(by));
  }

  comments(number: number): readonly Comment[] {
    return this.record.comments.filter((comment) => comment.number === number);
  }

  addLabel(number: number, name: string, by = SOMEBODY): void {
    this.happenings.setLabel(this.record, this.pullRequest(number), name, true, this.account(by));
  }

  removeLabel(number: number, name: string, by = SOMEBODY): void {
    this.happenings.setLabel(this.record, this.pullRequest(number), name, false, this.account(by));
  }

  labels(number: number): readonly string[] {
    return this.pullRequest(number).labels.map(({ name }) => name);
  }

  status(sha: string, context: string): Status | undefined {
    return this.happenings.newest(this.record, sha, context);
  }

  setStatus(sha: string, context: string, status: StatusState, targetUrl = '', by = SOMEBODY): Status {
    const facts = { sha, context, status, targetUrl, description: '', creator: this.account(by) };
    return this.happenings.addStatus(this.record, facts);
  }

  /** Sets a status in the way in which a job can set it with the job's token. */
  forgeStatus(sha: string, context: string, status: StatusState, targetUrl: string): Status {
    return this.happenings.addStatus(this.record, { sha, context, status, targetUrl, description: '', creator: null });
  }

  startWorkflow(
    sha: string,
    file: string,
    { event = 'pull_request', name = file, branch: said = '' } = {},
  ): WorkflowRunDouble {
    const { workflowRuns } = this.record;
    const id = this.happenings.state.nextId();
    const branch = said || ([...this.record.branches].findLast(([, tip]) => tip === sha)?.[0] ?? 'main');
    const pulls = event === 'push' ? [] : [...this.record.pulls.values()];
    const pull = pulls.findLast(({ head }) => head.sha === sha) ?? null;
    const run = { id, index: workflowRuns.length + 1, sha, file, name, event, branch, pull, attempt: 1, jobs: [] };
    workflowRuns.push(run);
    return new WorkflowRunDouble(this.happenings, this.record, run);
  }

  review(number: number, state: Review['state'], by = 'grace'): Review {
    return this.happenings.review(this.record, this.pullRequest(number), state, this.account(by));
  }

  closePullRequest(number: number, by = SOMEBODY): void {
    this.happenings.close(this.record, this.pullRequest(number), this.account(by));
  }

  reopenPullRequest(number: number, by = SOMEBODY): void {
    this.happenings.reopen(this.record, this.pullRequest(number), this.account(by));
  }

  convertToDraft(number: number, by = SOMEBODY): void {
    const pull = this.pullRequest(number);
    this.happenings.edit(this.record, pull, { title: `WIP: ${pull.title}` }, this.account(by));
  }

  changeBase(number: number, base: string, by = SOMEBODY): void {
    this.happenings.edit(this.record, this.pullRequest(number), { base }, this.account(by));
  }

  merge(number: number, style: 'merge' | 'squash' | 'rebase', by = SOMEBODY): void {
    this.happenings.merge(this.record, this.pullRequest(number), { Do: style }, this.account(by));
  }

  changePermission(login: string, permission: Permission): void {
    this.account(login);
    this.record.permissions.set(login.toLowerCase(), permission);
  }

  /** Protects the branches with this name or pattern. The protection replaces any rule of the same name. */
  protect(name: string, demands: Partial<Omit<Rule, 'name'>> = {}): void {
    this.unprotect(name);
    this.record.rules.push({ ...NO_DEMANDS, ...demands, name });
  }

  unprotect(name: string): void {
    const at = this.record.rules.findIndex((rule) => rule.name === name);
    if (at >= 0) this.record.rules.splice(at, 1);
  }

  renameTo(name: string): void {
    this.happenings.state.rename(this.record, name);
  }

  private account(login: string) {
    return this.happenings.state.accounts.of(login);
  }
}
