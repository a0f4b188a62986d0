import { permissionsByName } from '../../../src/code-hosts/github/app-permissions';
import { announceInstallation } from './events';
import { IssuedTokens } from './issued-tokens';
import type { Exchange } from '../forge/exchange';
import { Faults } from '../forge/faults';
import { RateLimits } from './rate-limits';
import { RepositoryDouble } from './repository-double';
import { RequestLog } from '../forge/request-log';
import { GitHubServer } from './server';
import { GitHubState, type AppPermissions, type Installation, type RepositoryOptions } from './state';
import type { Webhooks } from './webhooks';

export interface GitHubDoubleOptions {
  /** The clock for expiring tokens and rate limits; the clock of the machine if absent. */
  readonly now?: () => Date;
  /** Receives every exchange with the API after its answer. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** The host that deliveries name as their source. Absent if they name none, as at github.com. */
  readonly enterpriseHost?: string;
  readonly appSlug?: string;
}

export type DoubleRepositoryOptions = Omit<RepositoryOptions, 'parent'>;

const APP_ID = 4711;

/** The permissions that the manifest requests. Most tests need no other permissions. */
export const USUAL_PERMISSIONS: AppPermissions = permissionsByName();

/** A mock GitHub: real repositories, the part of the API that the service uses, and webhooks. */
export class GitHubDouble {
  readonly faults = new Faults();
  readonly requests = new RequestLog();
  readonly limits: RateLimits;
  private readonly server: GitHubServer;
  private readonly tokens: IssuedTokens;

  private constructor(
    readonly state: GitHubState,
    options: GitHubDoubleOptions,
  ) {
    this.tokens = new IssuedTokens(state);
    this.limits = new RateLimits(state.now);
    this.webhooks.enterpriseHost = options.enterpriseHost ?? null;
    this.server = new GitHubServer({
      state,
      tokens: this.tokens,
      limits: this.limits,
      faults: this.faults,
      log: this.requests,
      onExchange: options.onExchange ?? (() => undefined),
    });
  }

  /** Starts a mock that listens on a free port and has no repositories yet. */
  static async start(options: GitHubDoubleOptions = {}): Promise<GitHubDouble> {
    const slug = options.appSlug ?? 'sluice';
    const state = new GitHubState(options.now ?? (() => new Date()), { id: APP_ID, slug, name: 'Merge queue' });
    const double = new GitHubDouble(state, options);
    state.origin = await double.server.start();
    return double;
  }

  async close(): Promise<void> {
    this.webhooks.deliverTo(null);
    await this.webhooks.settled();
    await this.server.stop();
    for (const { world } of this.state.repositories.values()) world.close();
  }

  /** The base URL of repositories. A repository has the URL `<gitUrl>/<owner>/<name>.git`. */
  get gitUrl(): string {
    return this.state.origin;
  }

  get apiUrl(): string {
    return this.state.api('');
  }

  get appId(): number {
    return this.state.app.id;
  }

  /** The app's private key in PEM format. */
  get privateKey(): string {
    return this.tokens.privateKey;
  }

  /** The login of the app's account. */
  get bot(): string {
    return this.state.bot.login;
  }

  get webhooks(): Webhooks {
    return this.state.webhooks;
  }

  /** Creates a private repository with one commit on `main`, and installs the app for its owner. */
  createRepository(owner: string, name: string, options: DoubleRepositoryOptions = {}): RepositoryDouble {
    const record = this.state.addRepository(owner, name, options);
    if (this.state.installationOf(record.owner) === null) this.install(owner);
    return new RepositoryDouble(this.state, record);
  }

  /** Makes a fork that belongs to another user. The app is not installed for it. */
  fork(repository: RepositoryDouble, owner: string): RepositoryDouble {
    const { record } = repository;
    const fork = this.state.addRepository(owner, record.name, { parent: record, private: record.private });
    const made = new RepositoryDouble(this.state, fork);
    fork.world.inBare(
      'fetch',
      '--quiet',
      '--force',
      '--update-head-ok',
      record.world.bare,
      '+refs/heads/*:refs/heads/*',
    );
    fork.branches = new Map(record.branches);
    return made;
  }

  /** Installs the app for all repositories of an owner. */
  install(owner: string, permissions: AppPermissions = USUAL_PERMISSIONS): Installation {
    const account = this.state.accounts.of(owner, 'Organization');
    const installation = { id: this.state.nextId(), account, createdAt: this.state.now(), permissions };
    this.state.installations.set(installation.id, installation);
    announceInstallation(this.state, installation, 'created');
    return installation;
  }

  uninstall(owner: string): void {
    const installation = this.installationOf(owner);
    this.state.installations.delete(installation.id);
    announceInstallation(this.state, installation, 'deleted');
  }

  /** Changes a permission of the app. The change also affects tokens that the app got earlier. */
  setPermission(owner: string, permission: string, level: 'read' | 'write' | 'none'): void {
    const installation = this.installationOf(owner);
    const others = Object.entries(installation.permissions).filter(([name]) => name !== permission);
    installation.permissions = Object.fromEntries(level === 'none' ? others : [...others, [permission, level]]);
    announceInstallation(this.state, installation, 'new_permissions_accepted');
  }

  /** Sets the permissions in the app's own settings. Owners may not have granted them yet. */
  register(permissions: AppPermissions): void {
    this.state.registered = permissions;
  }

  /** Publishes an app of another developer, such as Renovate, with the permissions that owners grant. */
  publishApp(slug: string, permissions: AppPermissions): void {
    this.state.otherApps.set(slug, { id: this.state.nextId(), slug, name: slug, permissions });
  }

  /** Makes the app receive only these events, and the events about its installations. */
  subscribeTo(events: readonly string[]): void {
    this.state.events = events;
  }

  /** Makes the mock act as an Enterprise server whose only merge operation answers after the merge. */
  mergeAtOnceOnly(): void {
    this.state.mergesInBackground = false;
  }

  get repositoryCount(): number {
    return this.state.repositories.size;
  }

  createOrganization(login: string): void {
    this.state.accounts.of(login, 'Organization');
  }

  /** Creates a personal access token with the permissions of the person. */
  createUserToken(login: string): string {
    return this.tokens.addUser(login);
  }

  /** Revokes every token. The app can request new tokens. */
  revokeTokens(): void {
    this.tokens.revokeAll();
  }

  private installationOf(owner: string): Installation {
    const installation = this.state.installationOf(this.state.accounts.of(owner, 'Organization'));
    if (installation === null) throw new Error(`The app is not installed for ${owner}`);
    return installation;
  }
}
