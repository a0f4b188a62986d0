import { numberAt, textAt } from '../../../code-hosts/reading';
import type { MadeKind } from '../run-file';
import { type ApiAnswer, ApiRequests, apiRefusal, idIn } from './api-requests';
import { GitHubPeopleAt } from './github-people-at';
import {
  type CertifiedRepository,
  type FoundThing,
  type HostAccount,
  type HostPeopleAt,
  type ServerFacts,
  StepRefused,
  type TestedServer,
} from './tested-server';

/** github.com accepts about 80 creating requests a minute. */
const PACE_MS = 1_000;

/** GitHub: the organization must exist. */
export class GitHubTestedServer implements TestedServer {
  readonly kind = 'github';
  readonly apiUrl: string;
  readonly workflowPath = '.github/workflows/certify.yml';
  private readonly graphqlUrl: string;
  private readonly api: ApiRequests;

  constructor(
    readonly gitUrl: string,
    private readonly owner: HostAccount,
  ) {
    const isPublic = new URL(gitUrl).hostname === 'github.com';
    this.apiUrl = isPublic ? 'https://api.github.com' : `${gitUrl}/api/v3`;
    this.graphqlUrl = isPublic ? `${this.apiUrl}/graphql` : `${gitUrl}/api/graphql`;
    this.api = new ApiRequests({
      apiUrl: this.apiUrl,
      headersOf: (token) => ({ authorization: `token ${token}` }),
      paceMs: isPublic ? PACE_MS : 0,
    });
  }

  async about(): Promise<ServerFacts> {
    const login = await this.loginOf(this.owner.token);
    return { version: '(its version is not asked)', login, isAdministrator: false };
  }

  headRefOf(number: number): string {
    return `refs/pull/${number}/head`;
  }

  showsMergesBy(): 'merged' | 'closed' {
    return 'merged';
  }

  async hasBranches({ owner, name }: CertifiedRepository): Promise<boolean> {
    const answer = await this.ask('GET', `/repos/${owner}/${name}/branches/main`);
    return answer.status === 200;
  }

  /** GitHub redirects a former name to the current name. Then the names differ, and the thing counts as not found. */
  async find(kind: MadeKind, name: string): Promise<FoundThing | null> {
    if (kind !== 'repository') return null;
    const path = `/repos/${name}`;
    const answer = await this.ask('GET', path);
    if (answer.status === 404 || (answer.status >= 300 && answer.status < 400)) return null;
    if (answer.status >= 300) throw apiRefusal('GET', path, answer);
    const fullName = textAt(answer.body, 'full_name') ?? '';
    if (fullName.toLowerCase() !== name.toLowerCase()) return null;
    return {
      ...{ number: numberAt(answer.body, 'id') ?? 0, name: fullName },
      description: textAt(answer.body, 'description') ?? '',
    };
  }

  makeOrganization(): Promise<number> {
    throw new StepRefused('certify makes no organizations at GitHub: name one with --organization');
  }

  makeUser(): Promise<never> {
    throw new StepRefused('certify makes no users at GitHub');
  }

  tokenOf(): Promise<never> {
    throw new StepRefused('certify makes no tokens at GitHub');
  }

  async makeRepository(owner: string, name: string, marker: string): Promise<CertifiedRepository> {
    const body = { name, description: marker, private: true, auto_init: false };
    const number = idIn(await this.need('POST', `/orgs/${owner}/repos`, body));
    await this.ask('PUT', `/repos/${owner}/${name}/subscription`, { ignored: true });
    return { owner, name, number };
  }

  /**
   * A fork has the description of its parent, which contains the marker. GitHub creates the fork some time after its
   * answer.
   */
  async fork(
    { owner, name }: CertifiedRepository,
    into: { readonly owner: string; readonly name: string },
    { token }: HostAccount,
  ): Promise<number> {
    return idIn(await this.api.need('POST', `/repos/${owner}/${name}/forks`, { token, body: { name: into.name } }));
  }

  async renameRepository({ owner, name, number }: CertifiedRepository, to: string): Promise<CertifiedRepository> {
    await this.need('PATCH', `/repos/${owner}/${name}`, { name: to });
    return { owner, name: to, number };
  }

  async remove(_kind: MadeKind, { name }: FoundThing): Promise<void> {
    const path = `/repos/${name}`;
    const answer = await this.ask('DELETE', path);
    if (answer.status >= 300 && answer.status !== 404) throw apiRefusal('DELETE', path, answer);
  }

  async loginOf(token: string): Promise<string> {
    return textAt(await this.api.need('GET', '/user', { token }), 'login') ?? '';
  }

  people(repository: CertifiedRepository): HostPeopleAt {
    return new GitHubPeopleAt(this.api, this.graphqlUrl, this.owner, repository);
  }

  private ask(method: string, path: string, body?: object): Promise<ApiAnswer> {
    return this.api.ask(method, path, { token: this.owner.token, body });
  }

  private need(method: string, path: string, body?: object): Promise<unknown> {
    return this.api.need(method, path, { token: this.owner.token, body });
  }
}
