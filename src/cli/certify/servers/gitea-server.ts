import { randomBytes } from 'node:crypto';
import { at, numberAt, textAt } from '../../../code-hosts/reading';
import type { MadeKind } from '../run-file';
import { idIn } from './api-requests';
import { GitHubLikeServer } from './api-server';
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
export class GiteaTestedServer extends GitHubLikeServer implements TestedServer {
  readonly kind = 'gitea';
  /** Forgejo also reads workflows in this folder. */
  readonly workflowPath = '.gitea/workflows/certify.yml';

  constructor(gitUrl: string, owner: HostAccount) {
    const headersOf = (token: string): Record<string, string> =>
      token === '' ? {} : { authorization: `token ${token}` };
    super(gitUrl, owner, { apiUrl: `${gitUrl}/api/v1`, headersOf });
  }

  async about(): Promise<ServerFacts> {
    const version = await this.need('GET', '/version');
    const user = await this.need('GET', '/user');
    return {
      version: textAt(version, 'version') ?? 'an unknown version',
      login: textAt(user, 'login') ?? '',
      isAdministrator: at(user, 'is_admin') === true,
    };
  }

  async hasBranches({ owner, name }: CertifiedRepository): Promise<boolean> {
    return at(await this.need('GET', `/repos/${owner}/${name}`), 'empty') === false;
  }

  async find(kind: MadeKind, name: string): Promise<FoundThing | null> {
    const path = { organization: `/orgs/${name}`, user: `/users/${name}`, repository: `/repos/${name}` }[kind];
    const body = await this.findAt(path);
    if (body === null) return null;
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

  async remove(kind: MadeKind, { name }: FoundThing): Promise<void> {
    const path = { organization: `/orgs/${name}`, user: `/admin/users/${name}`, repository: `/repos/${name}` }[kind];
    await this.removeAt(path);
  }

  people(repository: CertifiedRepository): HostPeopleAt {
    return new GiteaPeopleAt(this.api, this.owner, repository);
  }
}
