import { at, listAt, numberAt, textAt } from '../../../code-hosts/reading';
import { ApiPeople } from './api-people';
import type { ApiRequests } from './api-requests';
import {
  type CertifiedRepository,
  type HostAccount,
  type HostPeopleAt,
  type MakeBranch,
  NotOffered,
  type SeenComment,
  type SeenPull,
  type SeenRun,
} from './tested-server';

const LEVELS = { admin: 40, write: 30, read: 20 } as const;
const NOBODY = 0;
const REACTIONS: Readonly<Record<string, string>> = { thumbsup: '+1', thumbsdown: '-1', eyes: 'eyes' };

/**
 * People in a project of GitLab. Rules about statuses and approvals are not offered, because GitLab has them in paid
 * plans only, or not at all.
 */
export class GitLabPeopleAt extends ApiPeople implements HostPeopleAt {
  constructor(api: ApiRequests, owner: HostAccount, repository: CertifiedRepository) {
    super(api, owner, repository, `/projects/${repository.number}`);
  }

  /** Merge requests have their own numbers: only another merge request uses up a number. */
  async useUpNumber(makeBranch: MakeBranch): Promise<void> {
    const { branch, remove } = await makeBranch();
    const number = await this.openPull({ head: branch, base: 'main', title: 'Filler', body: '', as: this.owner });
    await this.editPull(number, { state: 'closed' });
    await remove();
  }

  async openPull({ head, base, title, body, as }: Parameters<HostPeopleAt['openPull']>[0]): Promise<number> {
    const asked = { source_branch: head, target_branch: base, title, description: body };
    return numberAt(await this.need('POST', '/merge_requests', asked, as), 'iid') ?? 0;
  }

  async readPull(number: number): Promise<SeenPull> {
    const body = await this.need('GET', `/merge_requests/${number}`);
    return {
      state: textAt(body, 'state') === 'opened' ? 'open' : 'closed',
      isMerged: textAt(body, 'state') === 'merged',
      isDraft: at(body, 'draft') === true,
      // A merge by a push has no merge commit.
      mergeCommit: null,
      head: textAt(body, 'sha') ?? '',
      base: textAt(body, 'target_branch') ?? '',
    };
  }

  async editPull(number: number, { base, isDraft, state }: Parameters<HostPeopleAt['editPull']>[1]): Promise<void> {
    await this.need('PUT', `/merge_requests/${number}`, {
      ...(base !== undefined && { target_branch: base }),
      ...(isDraft === true && { title: `Draft: Change ${number}` }),
      ...(state !== undefined && { state_event: 'close' }),
    });
  }

  async openPulls(): Promise<readonly number[]> {
    const open = await this.all('/merge_requests?state=opened');
    return open.map((one) => numberAt(one, 'iid') ?? 0).toSorted((a, b) => a - b);
  }

  async comment(number: number, body: string, as: HostAccount): Promise<string> {
    return String(numberAt(await this.need('POST', `/merge_requests/${number}/notes`, { body }, as), 'id'));
  }

  async comments(number: number): Promise<readonly SeenComment[]> {
    const notes = await this.all(`/merge_requests/${number}/notes?sort=asc`);
    return notes
      .filter((note) => at(note, 'system') !== true)
      .map((note) => ({
        id: String(numberAt(note, 'id')),
        author: textAt(note, 'author', 'username') ?? '',
        body: textAt(note, 'body') ?? '',
      }));
  }

  async reactions(commentId: string, number: number): Promise<readonly string[]> {
    const listed = await this.all(`/merge_requests/${number}/notes/${commentId}/award_emoji?`);
    return listed.map((one) => REACTIONS[textAt(one, 'name') ?? ''] ?? '');
  }

  async addLabel(number: number, name: string, as: HostAccount): Promise<void> {
    await this.need('PUT', `/merge_requests/${number}`, { add_labels: [name] }, as);
  }

  async removeLabel(number: number, name: string, as: HostAccount): Promise<void> {
    await this.need('PUT', `/merge_requests/${number}`, { remove_labels: [name] }, as);
  }

  async labels(number: number): Promise<readonly string[]> {
    const body = await this.need('GET', `/merge_requests/${number}`);
    return listAt(body, 'labels').map(String).toSorted();
  }

  review(): Promise<void> {
    throw new NotOffered('not every GitLab plan has review rules');
  }

  setStatus(): Promise<void> {
    throw new NotOffered('at GitLab, pipelines report statuses, and certify cannot start pipelines yet');
  }

  statusOf(): Promise<string | null> {
    throw new NotOffered('at GitLab, the service shows no statuses');
  }

  addHook(): Promise<void> {
    throw new NotOffered('certify cannot receive webhooks from this kind of code host yet');
  }

  runs(): Promise<readonly SeenRun[]> {
    throw new NotOffered('certify cannot start pipelines yet');
  }

  protect(): Promise<void> {
    throw new NotOffered('branch rules of GitLab cannot require statuses or reviews');
  }

  set(): Promise<void> {
    throw new NotOffered('GitLab does not have this setting');
  }

  async setDefaultBranch(branch: string): Promise<void> {
    await this.need('PUT', '', { default_branch: branch });
  }

  renameBranch(): Promise<void> {
    throw new NotOffered('GitLab has no call that renames a branch');
  }

  /** GitLab protects the default branch after the first push, so the people of a row could not push to it. */
  async addService(account: HostAccount): Promise<void> {
    await this.api.ask('DELETE', `${this.path}/protected_branches/main`, { token: this.owner.token });
    await this.addWith(account, LEVELS.admin);
  }

  addWriter(account: HostAccount): Promise<void> {
    return this.addWith(account, LEVELS.write);
  }

  addReader(account: HostAccount): Promise<void> {
    return this.addWith(account, LEVELS.read);
  }

  async refuseTestingBranches(): Promise<string> {
    const nobody = { push_access_level: NOBODY, merge_access_level: NOBODY };
    await this.need('POST', '/protected_branches', { name: 'sluice-merge/*', ...nobody });
    return 'You are not allowed to';
  }

  private async addWith({ login, token }: HostAccount, level: number): Promise<void> {
    if (login === this.owner.login) return;
    const id = numberAt(await this.api.need('GET', '/user', { token }), 'id');
    const known = await this.api.ask('PUT', `${this.path}/members/${id}`, {
      ...{ token: this.owner.token, body: { access_level: level } },
    });
    if (known.status >= 300) await this.need('POST', '/members', { user_id: id, access_level: level });
    await this.api.ask('PUT', `${this.path}/notification_settings`, { token, body: { level: 'disabled' } });
  }
}
