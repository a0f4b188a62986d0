import { sign, type KeyObject } from 'node:crypto';
import { HostUnavailable } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import type { AccessToken, Credentials } from './credentials';
import { type GitHubAnswer, type GitHubRefusal, classifyGitHubAnswer } from './github-answer';
import type { RateGate } from './rate-gate';
import { numberAt, textAt, timeAt } from '../../reading';
import { repositoryKey, type ParametersOf, type RepositoryPath, type Route } from './routes';
import type { Transport } from './transport';

/**
 * A token is renewed this long before it expires, so that a long fetch or push ends in time. GitHub's tokens are valid
 * for an hour.
 */
const RENEW_BEFORE_MS = 10 * 60_000;
const IDENTITY = 'app';
/** The lifetime of the app's token. GitHub allows at most ten minutes, by its own clock. */
const APP_TOKEN_SECONDS = 9 * 60;
const CLOCK_DIFFERENCE_SECONDS = 30;

interface InstallationToken extends AccessToken {
  readonly expiresAt: Date;
}

export interface AppCredentialParts {
  readonly transport: Transport;
  readonly gate: RateGate;
  readonly clock: Clock;
}

/**
 * A GitHub App. Every repository gets a token of the installation that covers it. The token is renewed before it
 * expires, by the service's own clock. Renewals obey the same rate limits as other requests.
 */
export class AppCredentials implements Credentials {
  private readonly installations = new Map<string, number>();
  private readonly tokens = new Map<number, InstallationToken>();
  private login: string | null = null;
  private readonly renewals = new Map<number, Promise<InstallationToken | null>>();

  constructor(
    private readonly appId: number | string,
    private readonly privateKey: KeyObject,
    private readonly parts: AppCredentialParts,
  ) {}

  appToken(): AccessToken {
    return { token: signAppToken(this.appId, this.privateKey, this.parts.clock.now()), identity: IDENTITY };
  }

  async tokenFor(repository: RepositoryPath): Promise<AccessToken | null> {
    const installation = await this.installationOf(repository);
    if (installation === null) return null;
    const token = await this.tokenOf(installation);
    if (token !== null) return token;
    // The app may have been installed again, with another installation id.
    this.installations.delete(repositoryKey(repository));
    const another = await this.installationOf(repository);
    return another === null ? null : this.tokenOf(another);
  }

  refused(repository: RepositoryPath, { token }: AccessToken): void {
    this.installations.delete(repositoryKey(repository));
    for (const [installation, known] of this.tokens) {
      if (known.token === token) this.tokens.delete(installation);
    }
  }

  async ownLogin(): Promise<string | null> {
    if (this.login !== null) return this.login;
    const answer = await this.askAsApp('GET /app', {});
    const slug = answer.type === 'answered' ? textAt(answer.body, 'slug') : null;
    this.login = slug === null ? null : `${slug}[bot]`;
    return this.login;
  }

  forgetInstallations(): void {
    this.installations.clear();
    this.tokens.clear();
  }

  private async installationOf(repository: RepositoryPath): Promise<number | null> {
    const known = this.installations.get(repositoryKey(repository));
    if (known !== undefined) return known;
    const place = { owner: repository.owner, repo: repository.name };
    const answer = await this.askAsApp('GET /repos/{owner}/{repo}/installation', place);
    if (answer.type === 'refused') return this.noneOr(answer);
    const id = numberAt(answer.body, 'id');
    if (id === null) throw this.unreadable('an installation without its id');
    this.installations.set(repositoryKey(repository), id);
    return id;
  }

  private tokenOf(installation: number): Promise<InstallationToken | null> {
    const known = this.tokens.get(installation);
    const renewAt = (known?.expiresAt.getTime() ?? 0) - RENEW_BEFORE_MS;
    if (known !== undefined && this.parts.clock.now().getTime() < renewAt) return Promise.resolve(known);
    const underway = this.renewals.get(installation);
    if (underway !== undefined) return underway;
    const renewal = this.renew(installation).finally(() => this.renewals.delete(installation));
    this.renewals.set(installation, renewal);
    return renewal;
  }

  private async renew(installation: number): Promise<InstallationToken | null> {
    const route = 'POST /app/installations/{installation_id}/access_tokens';
    const answer = await this.askAsApp(route, { installation_id: installation });
    if (answer.type === 'refused') return this.noneOr(answer);
    const token = textAt(answer.body, 'token');
    const expiresAt = timeAt(answer.body, 'expires_at');
    if (token === null || expiresAt === null) throw this.unreadable('a token without an expiry time');
    const renewed = { token, expiresAt, identity: `installation ${installation}` };
    this.tokens.set(installation, renewed);
    return renewed;
  }

  private async askAsApp<R extends Route>(route: R, parameters: ParametersOf<R>): Promise<GitHubAnswer> {
    const { transport, gate } = this.parts;
    gate.enter(IDENTITY);
    const headers = { authorization: `Bearer ${this.appToken().token}` };
    const answer = await transport.send({ route, parameters, headers });
    gate.learn(IDENTITY, answer);
    return classifyGitHubAnswer(transport.host, route, answer);
  }

  /**
   * Null if GitHub says that there is no such installation. Other refusals concern the app's credentials, and throw.
   */
  private noneOr({ status, message }: GitHubRefusal): null {
    if (status === 404) return null;
    const { host } = this.parts.transport;
    throw new HostUnavailable(host, 'no_access', `${host} does not take the app's credentials: ${message}`);
  }

  private unreadable(what: string): HostUnavailable {
    const { host } = this.parts.transport;
    return new HostUnavailable(host, 'server_error', `${host} answered with ${what}`);
  }
}

/** The token that proves the app's identity. It is valid for a few minutes. */
function signAppToken(appId: number | string, privateKey: KeyObject, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = { iat: seconds - CLOCK_DIFFERENCE_SECONDS, exp: seconds + APP_TOKEN_SECONDS, iss: String(appId) };
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url');
  return `${signed}.${signature}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
