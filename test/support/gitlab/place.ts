import type { Account } from '../forge/accounts';
import type { MergeRequest, Note, Pipeline, Project } from './state';

const LEVELS = { write: 30, read: 20 } as const;

/** A project in the form that tests of all code hosts use. */
export class GitLabPlace {
  constructor(private readonly project: Project) {}

  openPullRequest(
    files: Readonly<Record<string, string>>,
    {
      by,
      number,
      from,
      base = 'main',
    }: { readonly by: string; readonly number?: number; readonly from?: string; readonly base?: string },
  ): { readonly number: number } {
    const { project } = this;
    const iid = number ?? Math.max(0, ...project.mergeRequests.keys()) + 1;
    const [sourceBranch, title] = [`change-${iid}`, `Change ${iid}`];
    project.world.commitTo(`refs/heads/${sourceBranch}`, from ?? project.world.tip(base), files, { title });
    project.noticeBranches(this.accountOf(by));
    project.open({ iid, author: this.accountOf(by), sourceBranch, targetBranch: base, title, description: '' });
    return { number: iid };
  }

  headOf(number: number): string {
    return this.mergeRequest(number).sha;
  }

  comment(number: number, body: string, by: string): Note | null {
    return this.project.comment(this.mergeRequest(number), body, this.accountOf(by));
  }

  comments(number: number): readonly Note[] {
    return this.mergeRequest(number).notes;
  }

  changePermission(login: string, permission: 'write' | 'read'): void {
    this.accountOf(login);
    this.project.members.set(login, LEVELS[permission]);
  }

  branches(): readonly string[] {
    return this.project.world.branches();
  }

  tip(branch: string): string {
    return this.project.world.tip(branch);
  }

  setBranch(branch: string, commit: string, by: string): void {
    this.project.world.setBranch(branch, commit);
    this.project.noticeBranches(this.accountOf(by));
  }

  files(commit: string): Readonly<Record<string, string>> {
    return this.project.world.files(commit);
  }

  /** Reports a status as a job of its own, next to the other jobs in the newest pipeline of the commit. */
  setStatus(sha: string, name: string, state: 'pending' | 'success' | 'failure' | 'cancelled'): Pipeline {
    const { pipelines } = this.project;
    const known = pipelines.findLast((pipeline) => pipeline.sha === sha)?.jobs ?? [];
    const status = { pending: 'running', success: 'success', failure: 'failed', cancelled: 'canceled' }[state];
    const jobs = { ...Object.fromEntries(known.map((job) => [job.name, job.status])), [name]: status };
    const worst = ['failed', 'canceled', 'running'].find((one) => Object.values(jobs).includes(one));
    return this.project.addPipeline(sha, worst ?? 'success', jobs);
  }

  private mergeRequest(iid: number): MergeRequest {
    const found = this.project.mergeRequests.get(iid);
    if (found === undefined) throw new Error(`There is no merge request ${iid}`);
    return found;
  }

  private accountOf(login: string): Account {
    return this.project.state.accounts.of(login);
  }
}
