import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Accounts, type Account } from '../forge/accounts';
import type { AppFacts, Permission, PullRequest, RepositoryRecord, StackRecord } from './records';
import { APP_EVENTS } from '../../../src/code-hosts/github/app-permissions';
import { BareRepository } from '../bare-repository';
import type { FileChanges } from '../commit-stream';
import { notFound } from './answers';
import { Webhooks } from './webhooks';

/** The permissions that an installation grants, under GitHub's names. */
export type AppPermissions = Readonly<Record<string, 'read' | 'write'>>;

export interface Installation {
  readonly id: number;
  readonly account: Account;
  readonly createdAt: Date;
  permissions: AppPermissions;
}

export interface RepositoryOptions {
  readonly files?: FileChanges;
  readonly private?: boolean;
  readonly parent?: RepositoryRecord;
  readonly description?: string;
}

/** The app of GitHub Actions, a second app, which reports CI results. */
export const ACTIONS_APP: AppFacts = { id: 15_368, slug: 'github-actions', name: 'GitHub Actions' };

/** The state of the mock, without HTTP. */
export class GitHubState {
  private lastId = 1000;
  readonly accounts = new Accounts(() => this.nextId());
  readonly repositories = new Map<string, RepositoryRecord>();
  private readonly formerNames = new Map<string, RepositoryRecord>();
  /** The keys with which an account may sign, by the account's email address. */
  readonly signingKeys = new Map<string, Buffer>();
  readonly installations = new Map<number, Installation>();
  /** The URL `http://127.0.0.1:<port>`, which is known as soon as the server listens. */
  origin = '';
  readonly webhooks: Webhooks;
  /** The events to which the app subscribes. */
  events: readonly string[] = APP_EVENTS.map(({ name }) => name);
  /** Public apps of other developers, by slug. */
  readonly otherApps = new Map<string, AppFacts & { readonly permissions: AppPermissions }>();
  /** Whether the server merges in the background. An older Enterprise server does not have this operation. */
  mergesInBackground = true;
  /** The permissions in the app's settings. Null if they are the permissions of the first installation. */
  registered: AppPermissions | null = null;

  constructor(
    readonly now: () => Date,
    readonly app: AppFacts,
  ) {
    this.webhooks = new Webhooks(now);
    this.webhooks.appId = app.id;
  }

  nextId(): number {
    return ++this.lastId;
  }

  api(path: string): string {
    return `${this.origin}/api/v3${path}`;
  }

  html(path: string): string {
    return `${this.origin}${path}`;
  }

  get bot(): Account {
    return this.accounts.of(`${this.app.slug}[bot]`, 'Bot');
  }

  addRepository(owner: string, name: string, options: RepositoryOptions = {}): RepositoryRecord {
    const world = BareRepository.create(owner, name, options.files);
    appendFileSync(join(world.bare, 'config'), GIT_SETTINGS);
    const repository: RepositoryRecord = {
      id: this.nextId(),
      owner: this.accounts.of(owner, options.parent === undefined ? 'Organization' : 'User'),
      name,
      world,
      createdAt: this.now(),
      parent: options.parent ?? null,
      private: options.private ?? true,
      description: options.description ?? null,
      defaultBranch: 'main',
      branches: new Map([['main', world.tip('main')]]),
      frozenTips: new Map(),
      activities: [],
      pulls: new Map(),
      statuses: [],
      checkRuns: [],
      workflowRuns: [],
      comments: [],
      labels: [],
      labelEvents: [],
      reviews: [],
      threads: [],
      codeOwners: [],
      permissions: new Map<string, Permission>([[owner.toLowerCase(), 'admin']]),
      rules: [],
      mergeMethods: ['merge', 'squash', 'rebase'],
      backgroundMerges: [],
      holdsMerges: false,
      mergeFailures: [],
      enqueued: new Set(),
      stacks: [],
      leavesOut: [],
      highestNumber: 0,
      unknownReads: 1,
    };
    this.repositories.set(keyOf(owner, name), repository);
    return repository;
  }

  removeRepository(repository: RepositoryRecord): void {
    for (const known of [this.repositories, this.formerNames])
      for (const [key, one] of known) if (one === repository) known.delete(key);
    repository.world.close();
  }

  /** Finds a repository by its name, or by a former name that no other repository has got. */
  findRepository(owner: string, name: string): RepositoryRecord | null {
    const key = keyOf(owner, name);
    return this.repositories.get(key) ?? this.formerNames.get(key) ?? null;
  }

  rename(repository: RepositoryRecord, owner: Account, name: string): void {
    const key = keyOf(repository.owner.login, repository.name);
    this.repositories.delete(key);
    this.formerNames.set(key, repository);
    Object.assign(repository, { owner, name });
    this.repositories.set(keyOf(owner.login, name), repository);
  }

  isToldOf(event: string, { permissions }: Installation): boolean {
    const needs = APP_EVENTS.find(({ name }) => name === event)?.needs;
    return this.events.includes(event) && (needs === undefined || permissions[needs] !== undefined);
  }

  /** The app to which the account belongs; null for people. */
  appOf({ login }: Account): AppFacts | null {
    const apps = [this.app, ACTIONS_APP, ...this.otherApps.values()];
    return apps.find(({ slug }) => `${slug}[bot]` === login) ?? null;
  }

  installationOf(owner: Account): Installation | null {
    return [...this.installations.values()].find((one) => one.account.id === owner.id) ?? null;
  }
}

export function pullOf(repository: RepositoryRecord, number: number): PullRequest {
  const pull = repository.pulls.get(number);
  if (pull === undefined) throw notFound();
  return pull;
}

/** The stack that contains a pull request; null if no stack does. */
export function stackHolding(repository: RepositoryRecord, { number }: PullRequest): StackRecord | undefined {
  return repository.stacks.find(({ layers }) => layers.includes(number));
}

export function fullName({ owner, name }: RepositoryRecord): string {
  return `${owner.login}/${name}`;
}

/**
 * The git settings of a repository. The settings are written as one file, because every `git config` starts a process.
 */
const GIT_SETTINGS = `[http]
	receivepack = true
[receive]
	hideRefs = refs/pull
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[gc]
	auto = 0
`;

function keyOf(owner: string, name: string): string {
  return `${owner}/${name}`.toLowerCase();
}
