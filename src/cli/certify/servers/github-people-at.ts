import { at, listAt, numberAt, textAt } from '../../../code-hosts/reading';
import { GitHubLikePeople } from './api-people';
import type { ApiRequests } from './api-requests';
import {
  type CertifiedRepository,
  type HostAccount,
  type HostPeopleAt,
  NotOffered,
  type SeenPull,
  type SeenRun,
  StepRefused,
  type WantedRule,
} from './tested-server';

const VERDICTS = { approved: 'APPROVE', rejected: 'REQUEST_CHANGES', comment: 'COMMENT' } as const;
const DRAFT = 'mutation($id: ID!) { convertPullRequestToDraft(input: {pullRequestId: $id}) { clientMutationId } }';

/** People in a repository of GitHub. */
export class GitHubPeopleAt extends GitHubLikePeople implements HostPeopleAt {
  constructor(
    api: ApiRequests,
    private readonly graphqlUrl: string,
    owner: HostAccount,
    repository: CertifiedRepository,
  ) {
    super(api, owner, repository);
  }

  async readPull(number: number): Promise<SeenPull> {
    const body = await this.need('GET', `/pulls/${number}`);
    const isMerged = at(body, 'merged') === true;
    return {
      ...{ state: textAt(body, 'state') === 'open' ? 'open' : 'closed', isMerged },
      isDraft: at(body, 'draft') === true,
      // For an open pull request, this field has the commit of GitHub's own test merge.
      mergeCommit: isMerged ? textAt(body, 'merge_commit_sha') : null,
      head: textAt(body, 'head', 'sha') ?? '',
      base: textAt(body, 'base', 'ref') ?? '',
    };
  }

  async isLookedAt(number: number): Promise<boolean> {
    const answer = await this.api.ask('GET', `${this.path}/pulls/${number}`, { token: this.owner.token });
    // A number that was only used up belongs to an issue, for which GitHub answers 404.
    return answer.status !== 200 || textAt(answer.body, 'state') !== 'open' || at(answer.body, 'mergeable') !== null;
  }

  async editPull(number: number, { isDraft, ...changes }: Parameters<HostPeopleAt['editPull']>[1]): Promise<void> {
    if (isDraft !== true) return void (await this.need('PATCH', `/pulls/${number}`, changes));
    const id = textAt(await this.need('GET', `/pulls/${number}`), 'node_id');
    const { token } = this.owner;
    const answer = await this.api.need('POST', this.graphqlUrl, { token, body: { query: DRAFT, variables: { id } } });
    if (listAt(answer, 'errors').length > 0)
      throw new StepRefused('the server cannot turn a pull request into a draft');
  }

  async addLabel(number: number, name: string, as: HostAccount): Promise<void> {
    await this.need('POST', `/issues/${number}/labels`, { labels: [name] }, as);
  }

  async removeLabel(number: number, name: string, as: HostAccount): Promise<void> {
    await this.need('DELETE', `/issues/${number}/labels/${encodeURIComponent(name)}`, undefined, as);
  }

  async review(number: number, verdict: keyof typeof VERDICTS, as: HostAccount): Promise<void> {
    await this.need('POST', `/pulls/${number}/reviews`, { event: VERDICTS[verdict], body: 'A look.' }, as);
  }

  async setStatus(commit: string, context: string, state: string, as: HostAccount): Promise<void> {
    const { api, path } = this;
    const answer = await api.ask('POST', `${path}/statuses/${commit}`, { token: as.token, body: { context, state } });
    if (answer.status >= 300) throw new NotOffered(`the server refuses a status with the state "${state}"`);
  }

  async statusOf(commit: string, name: string): Promise<string | null> {
    const rows = await this.all(`/commits/${commit}/statuses?`);
    return textAt(
      rows.find((one) => textAt(one, 'context') === name),
      'state',
    );
  }

  addHook(): Promise<void> {
    throw new NotOffered('certify cannot receive webhooks from this kind of code host yet');
  }

  runs(): Promise<readonly SeenRun[]> {
    throw new NotOffered('certify cannot start CI at GitHub yet');
  }

  /** Some plans have no rules for private repositories. */
  async protect(branch: string, { statuses, approvals, pushers, blocksOnRejection }: WantedRule): Promise<void> {
    if (statuses?.length === 0) throw new NotOffered('at GitHub, a rule must name the required statuses');
    if (statuses?.some((name) => name.includes('*')) === true)
      throw new NotOffered('GitHub has no patterns for names of statuses');
    if (blocksOnRejection === true && approvals === undefined)
      throw new NotOffered('at GitHub, a rejection counts only if a rule requires approvals');
    if (pushers?.length === 0) throw new NotOffered('certify cannot restrict pushes at GitHub yet');
    const { api, path, owner } = this;
    const answer = await api.ask('PUT', `${path}/branches/${branch}/protection`, {
      token: owner.token,
      body: {
        required_status_checks: statuses === undefined ? null : { strict: false, contexts: statuses },
        required_pull_request_reviews: approvals === undefined ? null : { required_approving_review_count: approvals },
        ...{ enforce_admins: true, restrictions: null },
      },
    });
    if (answer.status >= 300) throw new NotOffered('this GitHub plan has no branch rules for private repositories');
  }

  set(): Promise<void> {
    throw new NotOffered('GitHub does not have this setting, or applies it itself');
  }

  async renameBranch(from: string, to: string): Promise<void> {
    await this.need('POST', `/branches/${from}/rename`, { new_name: to });
  }

  /** The owner of the repository plays the service. */
  addService(): Promise<void> {
    return Promise.resolve();
  }

  addWriter(account: HostAccount): Promise<void> {
    return this.addWith(account, 'push');
  }

  addReader(account: HostAccount): Promise<void> {
    return this.addWith(account, 'pull');
  }

  async refuseTestingBranches(): Promise<string> {
    const { api, path, owner } = this;
    const answer = await api.ask('POST', `${path}/rulesets`, {
      token: owner.token,
      body: {
        ...{ name: 'sluice-certify', target: 'branch', enforcement: 'active', bypass_actors: [] },
        conditions: { ref_name: { include: ['refs/heads/sluice-merge/**'], exclude: [] } },
        rules: [{ type: 'creation' }],
      },
    });
    if (answer.status >= 300) throw new NotOffered('this GitHub plan has no rulesets for private repositories');
    return 'Cannot create ref due to creations being restricted';
  }

  /** An account that is not a member yet has to accept the invitation. */
  private async addWith({ login, token }: HostAccount, permission: string): Promise<void> {
    if (login === this.owner.login) return;
    const asked = await this.need('PUT', `/collaborators/${login}`, { permission });
    const offer = numberAt(asked, 'id');
    if (offer !== null) await this.api.need('PATCH', `/user/repository_invitations/${offer}`, { token });
    await this.api.ask('PUT', `${this.path}/subscription`, { token, body: { ignored: true } });
  }

  protected override listed(path: string): Promise<readonly unknown[]> {
    return this.all(`${path}?`);
  }
}
