import { setTimeout as passed } from 'node:timers/promises';
import { at, listAt, numberAt, textAt } from '../../../code-hosts/reading';
import { GitHubLikePeople } from './api-people';
import { itemsOfPages } from './api-requests';
import {
  type HostAccount,
  type HostPeopleAt,
  NotOffered,
  type SeenPull,
  type SeenRun,
  StepRefused,
  type WantedRule,
} from './tested-server';

const TRIES = 40;
const BETWEEN_TRIES_MS = 250;
const NOT_FOUND = 404;
/** No row needs more items than this. */
const PAGE = 50;

const HOOK_EVENTS = [
  'push',
  'create',
  'delete',
  'issue_comment',
  'pull_request',
  'pull_request_comment',
  'pull_request_label',
];
const VERDICTS = { approved: 'APPROVED', rejected: 'REQUEST_CHANGES', comment: 'COMMENT' } as const;

/** People in a repository of Gitea or Forgejo. */
export class GiteaPeopleAt extends GitHubLikePeople implements HostPeopleAt {
  /** Retries, because directly after the first push to a repository the server does not know the branch yet. */
  override async openPull(pull: Parameters<HostPeopleAt['openPull']>[0]): Promise<number> {
    for (let tries = 1; ; tries++) {
      try {
        return await super.openPull(pull);
      } catch (error) {
        const isEarly = error instanceof StepRefused && error.status === NOT_FOUND && tries < TRIES;
        if (!isEarly) throw error;
        await passed(BETWEEN_TRIES_MS);
      }
    }
  }

  async readPull(number: number): Promise<SeenPull> {
    const body = await this.need('GET', `/pulls/${number}`);
    return {
      state: textAt(body, 'state') === 'open' ? 'open' : 'closed',
      isMerged: at(body, 'merged') === true,
      isDraft: at(body, 'draft') === true,
      mergeCommit: textAt(body, 'merge_commit_sha'),
      head: textAt(body, 'head', 'sha') ?? '',
      base: textAt(body, 'base', 'ref') ?? '',
    };
  }

  async editPull(number: number, { isDraft, ...changes }: Parameters<HostPeopleAt['editPull']>[1]): Promise<void> {
    const title = isDraft === true ? { title: `WIP: Change ${number}` } : {};
    await this.need('PATCH', `/pulls/${number}`, { ...changes, ...title });
  }

  async addLabel(number: number, name: string, as: HostAccount): Promise<void> {
    const known = (await this.all('/labels?')).find((one) => textAt(one, 'name') === name);
    const label = known ?? (await this.need('POST', '/labels', { name, color: '#00aabb' }));
    await this.need('POST', `/issues/${number}/labels`, { labels: [numberAt(label, 'id')] }, as);
  }

  async removeLabel(number: number, name: string, as: HostAccount): Promise<void> {
    const label = (await this.all('/labels?')).find((one) => textAt(one, 'name') === name);
    const isName = /^\d+$/.test(name);
    const which = isName ? name : numberAt(label, 'id');
    await this.need('DELETE', `/issues/${number}/labels/${which}`, undefined, as);
  }

  async review(number: number, verdict: keyof typeof VERDICTS, as: HostAccount): Promise<void> {
    const body = { event: VERDICTS[verdict], body: verdict === 'approved' ? '' : 'A look.' };
    await this.need('POST', `/pulls/${number}/reviews`, body, as);
  }

  async setStatus(commit: string, context: string, state: string, as: HostAccount): Promise<void> {
    const { api, path } = this;
    const body = { context, state, description: '' };
    const answer = await api.ask('POST', `${path}/statuses/${commit}`, { token: as.token, body });
    if (answer.status >= 300) throw new NotOffered(`the server refuses a status with the state "${state}"`);
  }

  async statusOf(commit: string, name: string): Promise<string | null> {
    const rows = (await this.all(`/commits/${commit}/statuses?`)).filter((one) => textAt(one, 'context') === name);
    const newest = rows.toSorted((a, b) => (numberAt(b, 'id') ?? 0) - (numberAt(a, 'id') ?? 0))[0];
    return textAt(newest, 'status');
  }

  async addHook(url: string, secret: string): Promise<void> {
    await this.need('POST', '/hooks', {
      ...{ type: 'gitea', active: true, events: HOOK_EVENTS },
      config: { url, secret, content_type: 'json' },
    });
  }

  async runs(commit: string): Promise<readonly SeenRun[]> {
    const answer = await this.need('GET', `/actions/runs?head_sha=${commit}`);
    return listAt(answer, 'workflow_runs').map((run) => ({
      branch: textAt(run, 'head_branch') ?? textAt(run, 'prettyref'),
      isOver: !['queued', 'waiting', 'in_progress', 'running', 'blocked'].includes(textAt(run, 'status') ?? ''),
    }));
  }

  async protect(branch: string, { statuses, approvals, blocksOnRejection, pushers }: WantedRule): Promise<void> {
    await this.need('POST', '/branch_protections', {
      ...{ rule_name: branch, enable_push: true },
      ...(statuses && { enable_status_check: true, status_check_contexts: statuses }),
      ...(approvals && { required_approvals: approvals }),
      ...(blocksOnRejection && { block_on_rejected_reviews: true }),
      ...(pushers && { enable_push_whitelist: true, push_whitelist_usernames: pushers }),
    });
  }

  async set(setting: 'marks' | 'removes_head_branches', value: boolean): Promise<void> {
    const field = { marks: 'allow_manual_merge', removes_head_branches: 'default_delete_branch_after_merge' }[setting];
    await this.need('PATCH', '', { [field]: value });
  }

  async renameBranch(from: string, to: string): Promise<void> {
    const { api, path, owner } = this;
    const answer = await api.ask('PATCH', `${path}/branches/${from}`, { token: owner.token, body: { name: to } });
    if (answer.status >= 300) throw new NotOffered('the server has no call that renames a branch');
  }

  /**
   * Gives the permissions of docs/gitea.md: the account administers the repository, and may mark pull requests as
   * merged.
   */
  async addService(account: HostAccount): Promise<void> {
    await this.addWith(account, 'admin');
    await this.set('marks', true);
  }

  addWriter(account: HostAccount): Promise<void> {
    return this.addWith(account, 'write');
  }

  addReader(account: HostAccount): Promise<void> {
    return this.addWith(account, 'read');
  }

  async refuseTestingBranches(): Promise<string> {
    await this.protect('sluice-merge/**', { pushers: [] });
    return 'Not allowed to push to protected branch sluice-merge/';
  }

  /**
   * Adds the account, and ends its watching of the repository, which the server begins. The owner already has access.
   */
  private async addWith({ login, token }: HostAccount, permission: string): Promise<void> {
    if (login === this.owner.login) return;
    await this.need('PUT', `/collaborators/${login}`, { permission });
    await this.api.ask('DELETE', `${this.path}/subscription`, { token });
  }

  protected override async listed(path: string): Promise<readonly unknown[]> {
    return listAt(await this.need('GET', path));
  }

  protected override all(path: string): Promise<readonly unknown[]> {
    // A server may send fewer items per page than requested.
    return itemsOfPages(1, (page) => this.need('GET', `${path}&limit=${PAGE}&page=${page}`));
  }
}
