import { textAt } from '../../../code-hosts/reading';
import { type ApiAnswer, ApiRequests, type ApiRequestParts, apiRefusal, idIn } from './api-requests';
import type { CertifiedRepository, HostAccount } from './tested-server';

/** A server that certify prepares with the token of one account, which owns the repositories. */
export abstract class ApiServer {
  readonly apiUrl: string;
  protected readonly api: ApiRequests;
  /** The field of `/user`. */
  protected readonly loginField: string = 'login';

  constructor(
    readonly gitUrl: string,
    protected readonly owner: HostAccount,
    requests: ApiRequestParts,
  ) {
    this.apiUrl = requests.apiUrl;
    this.api = new ApiRequests(requests);
  }

  async loginOf(token: string): Promise<string> {
    return textAt(await this.api.need('GET', '/user', { token }), this.loginField) ?? '';
  }

  /** Null: nothing has that path. A redirect means that the thing has another name now. */
  protected async findAt(path: string): Promise<unknown> {
    const answer = await this.ask('GET', path);
    if (answer.status === 404 || (answer.status >= 300 && answer.status < 400)) return null;
    if (answer.status >= 300) throw apiRefusal('GET', path, answer);
    return answer.body;
  }

  protected async removeAt(path: string): Promise<void> {
    const answer = await this.ask('DELETE', path);
    if (answer.status >= 300 && answer.status !== 404) throw apiRefusal('DELETE', path, answer);
  }

  protected ask(method: string, path: string, body?: object): Promise<ApiAnswer> {
    return this.api.ask(method, path, { token: this.owner.token, body });
  }

  protected need(method: string, path: string, body?: object): Promise<unknown> {
    return this.api.need(method, path, { token: this.owner.token, body });
  }
}

/** A server with the paths of GitHub's API. */
export abstract class GitHubLikeServer extends ApiServer {
  headRefOf(number: number): string {
    return `refs/pull/${number}/head`;
  }

  showsMergesBy(): 'merged' | 'closed' {
    return 'merged';
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
}
