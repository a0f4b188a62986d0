import { randomBytes } from 'node:crypto';
import type { Exchange } from '../forge/exchange';
import { Faults } from '../forge/faults';
import { RequestLog } from '../forge/request-log';
import { Happenings } from './happenings';
import { runPushedWorkflows } from './pushed-workflows';
import { GiteaRepositoryDouble } from './repository-double';
import { GiteaServer } from './server';
import { GiteaState } from './state';
import type { GiteaWebhooks } from './webhooks';

export interface GiteaDoubleOptions {
  /** The clock; the clock of the machine if absent. */
  readonly now?: () => Date;
  /** Receives every exchange with the API after its answer. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Whether the mock behaves like Forgejo. */
  readonly isForgejo?: boolean;
}

/** A mock Gitea: real repositories, the part of the API that the service uses, and webhooks. */
export class GiteaDouble {
  readonly faults = new Faults();
  readonly requests = new RequestLog();
  /** The login of the service's user, with write access to every new repository. */
  readonly bot = 'sluice-bot';
  private readonly happenings: Happenings;
  private readonly server: GiteaServer;

  private constructor(
    readonly state: GiteaState,
    onExchange: (exchange: Exchange) => void,
  ) {
    this.happenings = new Happenings(state);
    const { happenings, faults, requests: log } = this;
    this.server = new GiteaServer({ state, happenings, faults, log, onExchange });
  }

  /** Starts a mock that listens on a free port and has no repositories yet. */
  static async start(options: GiteaDoubleOptions = {}): Promise<GiteaDouble> {
    const state = new GiteaState(options.now ?? (() => new Date()), options.isForgejo ?? false);
    const double = new GiteaDouble(state, options.onExchange ?? (() => undefined));
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
    return `${this.state.origin}/api/v1`;
  }

  get webhooks(): GiteaWebhooks {
    return this.state.webhooks;
  }

  /** Creates a private repository with one commit on `main`. */
  createRepository(owner: string, name: string): GiteaRepositoryDouble {
    const repository = new GiteaRepositoryDouble(this.happenings, this.state.addRepository(owner, name));
    repository.changePermission(this.bot, 'write');
    return repository;
  }

  /** Makes later pushes run the workflow files that they contain. */
  startRunner(): void {
    const { happenings } = this;
    this.state.onPush = (repository, branch, commit) =>
      runPushedWorkflows(new GiteaRepositoryDouble(happenings, repository), branch, commit);
  }

  /** Makes a fork that belongs to another user. */
  fork({ record }: GiteaRepositoryDouble, owner: string): GiteaRepositoryDouble {
    return new GiteaRepositoryDouble(this.happenings, this.state.addRepository(owner, record.name, record));
  }

  /** Creates a server administrator. Returns a token of the administrator. */
  createAdministrator(login: string): string {
    this.state.administrators.add(login.toLowerCase());
    return this.createToken(login);
  }

  createOrganization(name: string, owners: readonly string[]): void {
    const account = this.state.accounts.of(name, 'Organization');
    this.state.madeAccounts.set(name.toLowerCase(), { account, words: '', password: '', owners });
  }

  createToken(login = this.bot): string {
    const token = randomBytes(20).toString('hex');
    this.state.tokens.set(token, this.state.accounts.of(login));
    return token;
  }

  /** Revokes all tokens. Returns a function that restores them. */
  revokeTokens(): () => void {
    const revoked = [...this.state.tokens];
    this.state.tokens.clear();
    return () => revoked.forEach(([token, account]) => this.state.tokens.set(token, account));
  }
}
