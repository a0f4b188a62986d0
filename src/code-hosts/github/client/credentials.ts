import type { RepositoryName } from './routes';

/** What requests are sent with. */
export interface AccessToken {
  readonly token: string;
  /** Whose rate limit it counts against; no secret. */
  readonly identity: string;
}

export interface Credentials {
  /** Null: the service has no access to the repository. Throws HostUnavailable when that cannot be found out. */
  tokenFor(repository: RepositoryName): Promise<AccessToken | null>;
  /** GitHub did not take this token: the next one asked for is another, when there can be another. */
  refused(repository: RepositoryName, token: AccessToken): void;
  /** For requests about the app itself; null without an app. */
  appToken(): AccessToken | null;
  /** The login that what the service writes is by; null where that is not known, as with a token. */
  ownLogin(): Promise<string | null>;
  /** What is known of installations may be wrong from now on. */
  forgetInstallations(): void;
}

/** One token for everything, such as a personal access token. */
export class TokenCredentials implements Credentials {
  private readonly access: AccessToken;

  constructor(token: string) {
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

  ownLogin(): Promise<null> {
    return Promise.resolve(null);
  }

  forgetInstallations(): void {
    return undefined;
  }
}
