import { numberAt, textAt } from '../../../code-hosts/reading';
import type { MadeKind } from '../run-file';
import { idIn } from './api-requests';
import { GitHubLikeServer } from './api-server';
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
export class GitHubTestedServer extends GitHubLikeServer implements TestedServer {
  readonly kind = 'github';
  readonly workflowPath = '.github/workflows/certify.yml';
  private readonly graphqlUrl: string;

  constructor(gitUrl: string, owner: HostAccount) {
    const isPublic = new URL(gitUrl).hostname === 'github.com';
    super(gitUrl, owner, {
      apiUrl: isPublic ? 'https://api.github.com' : `${gitUrl}/api/v3`,
      headersOf: (token) => ({ authorization: `token ${token}` }),
      paceMs: isPublic ? PACE_MS : 0,
    });
    this.graphqlUrl = isPublic ? `${this.apiUrl}/graphql` : `${gitUrl}/api/graphql`;
  }

  async about(): Promise<ServerFacts> {
    const login = await this.loginOf(this.owner.token);
    return { version: '(version not requested)', login, isAdministrator: false };
  }

  async hasBranches({ owner, name }: CertifiedRepository): Promise<boolean> {
    const answer = await this.ask('GET', `/repos/${owner}/${name}/branches/main`);
    return answer.status === 200;
  }

  /** GitHub redirects a former name to the current name. Then the names differ, and the thing counts as not found. */
  async find(kind: MadeKind, name: string): Promise<FoundThing | null> {
    if (kind !== 'repository') return null;
    const body = await this.findAt(`/repos/${name}`);
    const fullName = textAt(body, 'full_name') ?? '';
    if (fullName.toLowerCase() !== name.toLowerCase()) return null;
    return {
      ...{ number: numberAt(body, 'id') ?? 0, name: fullName },
      description: textAt(body, 'description') ?? '',
    };
  }

  makeOrganization(): Promise<number> {
    throw new StepRefused('certify cannot create organizations at GitHub: name one with --organization');
  }

  makeUser(): Promise<never> {
    throw new StepRefused('certify cannot create users at GitHub');
  }

  tokenOf(): Promise<never> {
    throw new StepRefused('certify cannot create tokens at GitHub');
  }

  async makeRepository(owner: string, name: string, marker: string): Promise<CertifiedRepository> {
    const body = { name, description: marker, private: true, auto_init: false };
    const number = idIn(await this.need('POST', `/orgs/${owner}/repos`, body));
    await this.ask('PUT', `/repos/${owner}/${name}/subscription`, { ignored: true });
    return { owner, name, number };
  }

  remove(_kind: MadeKind, { name }: FoundThing): Promise<void> {
    return this.removeAt(`/repos/${name}`);
  }

  people(repository: CertifiedRepository): HostPeopleAt {
    return new GitHubPeopleAt(this.api, this.graphqlUrl, this.owner, repository);
  }
}
