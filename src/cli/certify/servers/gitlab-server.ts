import { at, numberAt, textAt } from '../../../code-hosts/reading';
import type { MadeKind } from '../run-file';
import { idIn } from './api-requests';
import { ApiServer } from './api-server';
import { GitLabPeopleAt } from './gitlab-people-at';
import {
  type CertifiedRepository,
  type FoundThing,
  type HostAccount,
  type HostPeopleAt,
  NotOffered,
  type ServerFacts,
  StepRefused,
  type TestedServer,
} from './tested-server';

/** GitLab: the organization is an existing group. */
export class GitLabTestedServer extends ApiServer implements TestedServer {
  readonly kind = 'gitlab';
  readonly workflowPath = '.gitlab-ci.yml';
  protected override readonly loginField = 'username';

  constructor(gitUrl: string, owner: HostAccount) {
    super(gitUrl, owner, { apiUrl: `${gitUrl}/api/v4`, headersOf: (token) => ({ 'private-token': token }) });
  }

  /** Never creates groups and users, because few servers allow it. */
  async about(): Promise<ServerFacts> {
    const version = await this.need('GET', '/version');
    const login = await this.loginOf(this.owner.token);
    return { version: textAt(version, 'version') ?? 'an unknown version', login, isAdministrator: false };
  }

  headRefOf(number: number): string {
    return `refs/merge-requests/${number}/head`;
  }

  /** The server marks a merge request as merged only if the target contains its head. */
  showsMergesBy(mergeMethod: string): 'merged' | 'closed' {
    return mergeMethod === 'merge_commit' ? 'merged' : 'closed';
  }

  async hasBranches({ number }: CertifiedRepository): Promise<boolean> {
    return at(await this.need('GET', `/projects/${number}`), 'empty_repo') === false;
  }

  async find(kind: MadeKind, name: string): Promise<FoundThing | null> {
    if (kind !== 'repository') return null;
    const body = await this.findAt(`/projects/${encodeURIComponent(name)}`);
    if (body === null) return null;
    const isBeingDeleted = ['marked_for_deletion_on', 'marked_for_deletion_at'].some(
      (name_) => textAt(body, name_) !== null,
    );
    if (isBeingDeleted) return null;
    return {
      number: numberAt(body, 'id') ?? 0,
      name: textAt(body, 'path_with_namespace') ?? '',
      description: textAt(body, 'description') ?? '',
    };
  }

  makeOrganization(): Promise<number> {
    throw new StepRefused('certify cannot create groups at GitLab: name one with --organization');
  }

  makeUser(): Promise<never> {
    throw new StepRefused('certify cannot create users at GitLab');
  }

  tokenOf(): Promise<never> {
    throw new StepRefused('certify cannot create tokens at GitLab');
  }

  async makeRepository(owner: string, name: string, marker: string): Promise<CertifiedRepository> {
    const group = numberAt(await this.need('GET', `/groups/${encodeURIComponent(owner)}`), 'id');
    const made = await this.need('POST', '/projects', {
      ...{ name, path: name, namespace_id: group, description: marker, visibility: 'private' },
      ...{ default_branch: 'main', initialize_with_readme: false },
    });
    const number = idIn(made);
    await this.ask('PUT', `/projects/${number}/notification_settings`, { level: 'disabled' });
    return { owner, name, number };
  }

  fork(): Promise<number> {
    throw new NotOffered('certify cannot create forks at GitLab yet');
  }

  async renameRepository({ owner, number }: CertifiedRepository, to: string): Promise<CertifiedRepository> {
    await this.need('PUT', `/projects/${number}`, { path: to, name: to });
    return { owner, name: to, number };
  }

  /** Removes a project by its number. Some servers keep a removed project for days, but hide it. */
  remove(_kind: MadeKind, { number }: FoundThing): Promise<void> {
    return this.removeAt(`/projects/${number}`);
  }

  people(repository: CertifiedRepository): HostPeopleAt {
    return new GitLabPeopleAt(this.api, this.owner, repository);
  }
}
