import { randomBytes } from 'node:crypto';
import { at, numberAt, textAt } from '../../../code-hosts/reading';
import type { MadeKind } from '../run-file';
import { type ApiAnswer, ApiRequests, apiRefusal, idIn } from './api-requests';
import { GiteaPeopleAt } from './gitea-people-at';
import {
  type CertifiedRepository,
  type FoundThing,
  type HostAccount,
  type HostPeopleAt,
  type ServerFacts,
  StepRefused,
  type TestedServer,
} from './tested-server';

const PASSWORD_BYTES = 24;
/** The scopes of docs/gitea.md, and a scope for people who review and fork. */
const SCOPES = ['write:repository', 'write:issue', 'read:user', 'read:organization'];

/** Gitea and Forgejo. */
export class GiteaTestedServer implements TestedServer {
  readonly kind = 'gitea';
  readonly apiUrl: string;
  /** Forgejo also reads workflows in this folder. */
  readonly workflowPath = '.gitea/workflows/certify.yml';
  private readonly api: ApiRequests;

  constructor(
    readonly gitUrl: string,
    private readonly owner: HostAccount,
  ) {
    this.apiUrl = `${gitUrl}/api/v1`;
    this.api = new ApiRequests({
      apiUrl: this.apiUrl,
      headersOf: (token): Record<string, string> => (token === '' ? {} : { authorization: `token ${token}` }),
    });
  }

  async about(): Promise<ServerFacts> {
    const version = await this.need('GET', '/version');
    const user = await this.need('GET', '/user');
    return {
      version: textAt(version, 'version') ?? 'a version that it does not say',
      login: textAt(user, 'login') ?? '',
      isAdministrator: at(user, 'is_admin') === true,
    };
  }

  headRefOf(number: number): string {
    return `refs/pull/${number}/head`;
  }

  showsMergesBy(): 'merged' | 'closed' {
    return 'merged';
  }

  async hasBranches({ owner, name }: CertifiedRepository): Promise<boolean> {
    return at(await this.need('GET', `/repos/${owner}/${name}`), 'empty') === false;
  }

  async find(kind: MadeKind, name: string): Promise<FoundThing | null> {
    const path = { organization: `/orgs/${name}`, user: `/users/${name}`, repository: `/repos/${name}` }[kind];
    const answer = await this.ask('GET', path);
    // A redirect means that the thing has another name now.
    if (answer.status === 404 || (answer.status >= 300 && answer.status < 400)) return null;
    if (answer.status >= 300) throw apiRefusal('GET', path, answer);
    const { body } = answer;
    const said = { organization: 'description', user: 'full_name', repository: 'description' }[kind];
    const named = { organization: 'username', user: 'login', repository: 'full_name' }[kind];
    return {
      number: numberAt(body, 'id') ?? 0,
      name: textAt(body, named) ?? textAt(body, 'name') ?? '',
      description: textAt(body, said) ?? '',
    };
  }

  async makeOrganization(name: string, marker: string): Promise<number> {
    const body = { username: name, description: marker, visibility: 'private' };
    return idIn(await this.need('POST', '/orgs', body));
  }

  async makeUser(login: string, marker: string): Promise<{ number: number; password: string }> {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    const body = {
      ...{ username: login, full_name: marker, email: `${login}@example.invalid`, password },
      ...{ must_change_password: false, send_notify: false, visibility: 'private' },
    };
    return { number: idIn(await this.need('POST', '/admin/users', body)), password };
  }

  async tokenOf(login: string, password: string): Promise<string> {
    const basic = Buffer.from(`${login}:${password}`).toString('base64');
    const answer = await this.api.need('POST', `/users/${login}/tokens`, {
      token: '',
      headers: { authorization: `Basic ${basic}` },
      body: { name: 'sluice-certify', scopes: SCOPES },
    });
    const token = textAt(answer, 'sha1');
    if (token === null) throw new StepRefused(`the server made no token for ${login}`);
    return token;
  }

  async makeRepository(owner: string, name: string, marker: string): Promise<CertifiedRepository> {
    const body = { name, description: marker, private: true, default_branch: 'main', auto_init: false };
    const number = idIn(await this.need('POST', `/orgs/${owner}/repos`, body));
    // The server makes the creator of a repository watch it.
    await this.ask('DELETE', `/repos/${owner}/${name}/subscription`);
    return { owner, name, number };
  }

  /** The fork has the description of its parent, which contains the marker. */
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

  async remove(kind: MadeKind, { name }: FoundThing): Promise<void> {
    const path = { organization: `/orgs/${name}`, user: `/admin/users/${name}`, repository: `/repos/${name}` }[kind];
    const answer = await this.ask('DELETE', path);
    if (answer.status >= 300 && answer.status !== 404) throw apiRefusal('DELETE', path, answer);
  }

  async loginOf(token: string): Promise<string> {
    return textAt(await this.api.need('GET', '/user', { token }), 'login') ?? '';
  }

  people(repository: CertifiedRepository): HostPeopleAt {
    return new GiteaPeopleAt(this.api, this.owner, repository);
  }

  private ask(method: string, path: string, body?: object): Promise<ApiAnswer> {
    return this.api.ask(method, path, { token: this.owner.token, body });
  }

  private need(method: string, path: string, body?: object): Promise<unknown> {
    return this.api.need(method, path, { token: this.owner.token, body });
  }
}
