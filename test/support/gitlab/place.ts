import type { Account } from '../forge/accounts';
import type { MergeRequest, Note, Pipeline, Project } from './state';

const LEVELS = { write: 30, read: 20 } as const;

/** A project for tests that all forges must pass. */
export class GitLabPlace {
  constructor(private readonly project: Project) {}

  openPullRequest(
    files: Readonly<Record<string, string>>,
    { by, number, from }: { readonly by: string; readonly number?: number; readonly from?: string },
  ): { readonly number: number } {
    const { project } = this;
    const iid = number ?? Math.max(0, ...project.mergeRequests.keys()) + 1;
    const [sourceBranch, title] = [`change-${iid}`, `Change ${iid}`];
    project.world.commitTo(`refs/heads/${sourceBranch}`, from ?? project.world.tip('main'), files, { title });
    project.noticeBranches(this.accountOf(by));
    project.open({ iid, author: this.accountOf(by), sourceBranch, targetBranch: 'main', title, description: '' });
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

  files(commit: string): Readonly<Record<string, string>> {
    return this.project.world.files(commit);
  }

  setStatus(sha: string, name: string, state: 'pending' | 'success' | 'failure'): Pipeline {
    const status = { pending: 'running', success: 'success', failure: 'failed' }[state];
    return this.project.addPipeline(sha, status, { [name]: status });
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
