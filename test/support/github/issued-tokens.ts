import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { Account } from '../forge/accounts';
import { GitHubRefusal } from './answers';
import { checkJsonWebToken } from './json-web-token';
import type { Permission, RepositoryRecord } from './records';
import type { AppPermissions, GitHubState, Installation } from './state';

/** The caller of the API or of git: anonymous, the app, an installation with its token, or a person. */
export type ApiCaller =
  | { readonly type: 'anonymous' }
  | { readonly type: 'app' }
  | { readonly type: 'installation'; readonly token: InstallationToken; readonly account: Account }
  | { readonly type: 'user'; readonly account: Account };

export interface InstallationToken {
  readonly token: string;
  readonly installation: Installation;
  /** The permissions that the client requested, which never exceed the installation's permissions. */
  readonly permissions: AppPermissions;
  /**
   * Ids of the repositories for which the token is valid; null if it is valid for every repository of the installation.
   */
  readonly repositories: readonly number[] | null;
  readonly expiresAt: Date;
}

export const TOKEN_LIFE_MS = 60 * 60 * 1000;

/** All mocks of the process share one key pair, because making a pair takes a tenth of a second. */
let keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | null = null;

export class IssuedTokens {
  private readonly installationTokens = new Map<string, InstallationToken>();
  private readonly users = new Map<string, Account>();

  constructor(private readonly state: GitHubState) {}

  /** The private key in PEM format, as the app's page offers it for download. */
  get privateKey(): string {
    return pair().privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  }

  addUser(login: string): string {
    const token = `ghp_${secret()}`;
    this.users.set(token, this.state.accounts.of(login));
    return token;
  }

  issue(
    installation: Installation,
    permissions: AppPermissions = installation.permissions,
    repositories: readonly number[] | null = null,
  ): InstallationToken {
    const expiresAt = new Date(this.state.now().getTime() + TOKEN_LIFE_MS);
    const token = { token: `ghs_${secret()}`, installation, permissions, repositories, expiresAt };
    this.installationTokens.set(token.token, token);
    return token;
  }

  /** Revokes every issued token. */
  revokeAll(): void {
    this.installationTokens.clear();
    this.users.clear();
  }

  /**
   * The caller that sent this header `Authorization`. Throws a 401 when the header's token is unknown or has expired.
   */
  callerOf(authorization: string | undefined): ApiCaller {
    if (authorization === undefined) return { type: 'anonymous' };
    const [scheme = '', value = ''] = authorization.split(' ');
    if (scheme.toLowerCase() === 'basic') {
      return this.callerByToken(Buffer.from(value, 'base64').toString('utf8').split(':').slice(1).join(':'));
    }
    if (value.split('.').length === 3) {
      const { app, now } = this.state;
      checkJsonWebToken(value, { publicKey: pair().publicKey, appId: app.id, now: now() });
      return { type: 'app' };
    }
    return this.callerByToken(value);
  }

  private callerByToken(value: string): ApiCaller {
    const account = this.users.get(value);
    if (account !== undefined) return { type: 'user', account };
    const token = this.installationTokens.get(value);
    const isGone = token === undefined || !this.state.installations.has(token.installation.id);
    if (isGone || token.expiresAt <= this.state.now()) throw new GitHubRefusal(401, 'Bad credentials');
    return { type: 'installation', token, account: this.state.bot };
  }
}

/** The caller's level of a permission in a repository. */
export function levelOf(
  caller: ApiCaller,
  repository: RepositoryRecord,
  permission: string,
): 'none' | 'read' | 'write' {
  const open = repository.private ? 'none' : 'read';
  switch (caller.type) {
    case 'anonymous':
    case 'app':
      return open;
    case 'installation':
      return isInstalledFor(caller.token, repository) ? granted(caller.token, permission) : open;
    case 'user':
      return USER_LEVELS[permissionOf(repository, caller.account)] ?? open;
  }
}

/** Whether the caller may know that the repository exists. If not, the answer is a 404. */
export function mayKnow(caller: ApiCaller, repository: RepositoryRecord): boolean {
  if (!repository.private) return true;
  if (caller.type === 'installation') return isInstalledFor(caller.token, repository);
  return caller.type === 'user' && permissionOf(repository, caller.account) !== 'none';
}

export function permissionOf(repository: RepositoryRecord, { login }: Account): Permission {
  return repository.permissions.get(login.toLowerCase()) ?? (repository.private ? 'none' : 'read');
}

const USER_LEVELS: Readonly<Record<Permission, 'none' | 'read' | 'write'>> = {
  admin: 'write',
  write: 'write',
  read: 'read',
  none: 'none',
};

function isInstalledFor({ installation, repositories }: InstallationToken, { id, owner }: RepositoryRecord): boolean {
  return installation.account.id === owner.id && (repositories === null || repositories.includes(id));
}

/**
 * The level of a permission that both token and installation grant. The installation may have changed since the token
 * was issued.
 */
function granted({ permissions, installation }: InstallationToken, permission: string): 'none' | 'read' | 'write' {
  const levels = [permissions[permission] ?? 'none', installation.permissions[permission] ?? 'none'];
  if (levels.includes('none')) return 'none';
  return levels.includes('read') ? 'read' : 'write';
}

function pair(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
  return keys;
}

function secret(): string {
  return randomBytes(18).toString('hex');
}
