import { HostUnavailable } from '../../../domain/code-host.port';
import { classifyGitHubAnswer } from './github-answer';
import type { RateGate } from './rate-gate';
import { textAt } from '../../reading';
import type { RepositoryPath } from './routes';
import type { Transport } from './transport';

/** A token that authenticates requests. */
export interface AccessToken {
  readonly token: string;
  /** The identity to which GitHub's rate limit belongs. It is not secret. */
  readonly identity: string;
}

export interface Credentials {
  /**
   * The token for a repository; null if the service has no access to the repository. Throws HostUnavailable if GitHub
   * does not answer.
   */
  tokenFor(repository: RepositoryPath): Promise<AccessToken | null>;
  /** Notes that GitHub refused this token. The next `tokenFor` returns another token, if there is one. */
  refused(repository: RepositoryPath, token: AccessToken): void;
  /** The token for requests about the app itself; null if the service does not use an app. */
  appToken(): AccessToken | null;
  /** The login under which the service writes; null if GitHub does not say. */
  ownLogin(): Promise<string | null>;
  /** Forgets the installations of the app, which may have changed, so that they are read again when needed. */
  forgetInstallations(): void;
}

/** One token for all requests, such as a personal access token. */
export class TokenCredentials implements Credentials {
  private readonly access: AccessToken;
  private login: string | null | undefined;

  constructor(
    token: string,
    private readonly parts: { readonly transport: Transport; readonly gate: RateGate },
  ) {
    this.access = { token, identity: 'token' };
  }

  tokenFor(): Promise<AccessToken> {
    return Promise.resolve(this.access);
  }

  refused(): void {
    return undefined;
  }

  appToken(): null {
    return null;
  }

  async ownLogin(): Promise<string | null> {
    if (this.login === undefined) this.login = await this.askWhoItIs();
    return this.login;
  }

  forgetInstallations(): void {
    return undefined;
  }

  /**
   * The login of the token's owner. Null if the token belongs to no person, but for example to an app: then GitHub
   * always refuses this request.
   */
  private async askWhoItIs(): Promise<string | null> {
    const { transport, gate } = this.parts;
    const { token, identity } = this.access;
    gate.enter(identity);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await transport.send({ route: 'GET /user', parameters: {}, headers });
    gate.learn(identity, answer);
    const said = classifyGitHubAnswer(transport.host, 'GET /user', answer);
    if (said.type === 'answered') return textAt(said.body, 'login');
    if (said.status !== 401) return null;
    throw new HostUnavailable(
      transport.host,
      'no_access',
      `${transport.host} does not take the token: ${said.message}`,
    );
  }
}
