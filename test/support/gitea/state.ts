import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BareRepository } from '../bare-repository';
import { type Account, Accounts } from '../forge/accounts';
import { SIGNED_ONLY, UNVERIFIED } from '../forge/signatures';
import type { MergeMethod } from '../forge/merge-commits';
import { GiteaWebhooks } from './webhooks';

export type Permission = 'admin' | 'write' | 'read' | 'none';
export type StatusState = 'pending' | 'success' | 'error' | 'failure' | 'warning' | 'skipped';

export interface Pull {
  readonly number: number;
  readonly id: number;
  readonly author: Account;
  readonly createdAt: Date;
  title: string;
  body: string;
  state: 'open' | 'closed';
  updatedAt: Date;
  closedAt: Date | null;
  merged: { readonly at: Date; readonly by: Account; readonly commit: string } | null;
  labels: readonly Label[];
  /** `branch` is null for a pull request that was pushed without a branch. */
  head: { readonly repository: Repository; readonly branch: string | null; readonly sha: string };
  base: string;
  /** Number of reads of the present base and head while the host still checks them. */
  readonly reads: Map<string, number>;
  /** So many comments on code come first in its timeline. */
  commentsOnCode: number;
}

export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly status: StatusState;
  readonly description: string;
  readonly targetUrl: string;
  /** Null: a job of the server's own CI, or the token of a job. */
  readonly creator: Account | null;
  readonly at: Date;
}

export interface Comment {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  readonly createdAt: Date;
  body: string;
  updatedAt: Date;
  readonly reactions: { readonly user: Account; readonly content: string; readonly at: Date }[];
}

export interface Label {
  readonly id: number;
  readonly name: string;
}

export interface LabelEvent {
  readonly id: number;
  readonly number: number;
  readonly label: Label;
  readonly isSet: boolean;
  readonly actor: Account;
  readonly at: Date;
}

export interface Review {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  readonly state: 'APPROVED' | 'REQUEST_CHANGES' | 'COMMENT' | 'REQUEST_REVIEW';
  readonly commit: string;
  readonly at: Date;
  official: boolean;
  stale: boolean;
  dismissed: boolean;
}

/** A branch protection. The first matching one applies. */
export interface Rule {
  readonly name: string;
  readonly contexts: readonly string[];
  /** Statuses are required, even if none is named. */
  readonly asksStatuses: boolean;
  readonly approvals: number;
  /** Logins that may push; null: everybody with write access. */
  readonly pushers: readonly string[] | null;
  /** Logins that may use the host's merge operation; null: everybody with write access. */
  readonly mergers: readonly string[] | null;
  readonly blocksOnRejection: boolean;
  readonly blocksOnRequest: boolean;
  readonly dismissesStale: boolean;
  readonly ignoresStale: boolean;
  readonly demandsSignatures: boolean;
}

export const NO_DEMANDS: Omit<Rule, 'name'> = {
  ...{
    contexts: [],
    asksStatuses: false,
    approvals: 0,
    pushers: null,
    mergers: null,
    blocksOnRejection: false,
    blocksOnRequest: false,
  },
  ...{ dismissesStale: false, ignoresStale: false, demandsSignatures: false },
};

export interface Hook {
  readonly id: number;
  readonly url: string;
  readonly secret: string;
  readonly active: boolean;
  readonly events: readonly string[];
}

export type JobState = 'queued' | 'in_progress' | 'success' | 'failure' | 'cancelled' | 'skipped';

export interface WorkflowRunRecord {
  readonly id: number;
  /** Counts from 1 in each repository. */
  readonly index: number;
  readonly sha: string;
  /** The file name without its folder. */
  readonly file: string;
  /** The name in the file; otherwise the file name. */
  readonly name: string;
  readonly event: string;
  readonly branch: string;
  /** The pull request of the run; null: none. */
  readonly pull: Pull | null;
  attempt: number;
  /** The jobs of the newest attempt. */
  jobs: JobRecord[];
}

export interface JobRecord {
  readonly id: number;
  readonly name: string;
  readonly attempt: number;
  state: JobState;
  /** Null: there is no log. */
  log: string | null;
}

/** An organization, or a user created by an administrator. */
export interface MadeAccount {
  readonly account: Account;
  /** The description of an organization, or the full name of a user. */
  readonly words: string;
  /** The password of a user; empty for an organization. */
  readonly password: string;
  /** Logins that own the organization. */
  readonly owners: readonly string[];
}

export interface Repository {
  readonly id: number;
  readonly owner: Account;
  name: string;
  readonly description: string;
  defaultBranch: string;
  readonly world: BareRepository;
  readonly parent: Repository | null;
  readonly createdAt: Date;
  branches: ReadonlyMap<string, string>;
  readonly pulls: Map<number, Pull>;
  readonly statuses: Status[];
  readonly workflowRuns: WorkflowRunRecord[];
  readonly comments: Comment[];
  readonly labels: Label[];
  readonly labelEvents: LabelEvent[];
  readonly reviews: Review[];
  readonly rules: Rule[];
  readonly permissions: Map<string, Permission>;
  readonly hooks: Hook[];
  mergeMethods: readonly MergeMethod[];
  /** Whether a pull request may be marked as merged manually. */
  allowsManualMerge: boolean;
  /** Whether a merge deletes the branch of the pull request. */
  removesMergedBranches: boolean;
  /** Whether the host looks for pull requests that a push merged. */
  detectsManualMerge: boolean;
  /** So many reads after a change still find mergeability unchecked. */
  checkingReads: number;
  highestNumber: number;
}

/** The state of the mock, without HTTP. */
export class GiteaState {
  private lastId = 1000;
  readonly accounts = new Accounts(() => this.nextId());
  readonly repositories = new Map<string, Repository>();
  /** Former names, which redirect. */
  readonly formerNames = new Map<string, Repository>();
  readonly tokens = new Map<string, Account>();
  /** By login in lower case. */
  readonly madeAccounts = new Map<string, MadeAccount>();
  /** Logins of server administrators, in lower case. */
  readonly administrators = new Set<string>();
  /** A new webhook receives every delivery from then on. */
  deliversToHooks = false;
  /** Called for every branch that a push moved. */
  onPush: (repository: Repository, branch: string, commit: string) => void = () => undefined;
  /** By email address: keys that their accounts have verified. */
  readonly signingKeys = new Map<string, Buffer>();
  readonly webhooks: GiteaWebhooks;
  origin = '';
  /** Gitea before 1.25 does not. */
  listsWorkflowRuns = true;

  constructor(
    readonly now: () => Date,
    /** Forgejo reports no statuses, and has its own headers next to Gitea's. */
    readonly isForgejo: boolean,
  ) {
    this.webhooks = new GiteaWebhooks(now, isForgejo);
  }

  nextId(): number {
    return ++this.lastId;
  }

  addRepository(owner: string, name: string, parent: Repository | null = null, description = ''): Repository {
    const world = BareRepository.create(owner, name);
    appendFileSync(join(world.bare, 'config'), GIT_SETTINGS);
    installHook(world.bare);
    const repository: Repository = {
      ...{ id: this.nextId(), owner: this.accounts.of(owner), name, world, parent, createdAt: this.now() },
      ...{ description, defaultBranch: 'main', branches: new Map([['main', world.tip('main')]]) },
      ...{
        pulls: new Map(),
        statuses: [],
        workflowRuns: [],
        comments: [],
        labels: [],
        labelEvents: [],
        reviews: [],
        rules: [],
      },
      permissions: new Map<string, Permission>([[owner.toLowerCase(), 'admin']]),
      hooks: [],
      mergeMethods: ['merge', 'squash', 'rebase'],
      allowsManualMerge: true,
      removesMergedBranches: false,
      detectsManualMerge: false,
      checkingReads: 1,
      highestNumber: 0,
    };
    this.repositories.set(keyOf(owner, name), repository);
    return repository;
  }

  removeRepository(repository: Repository): void {
    for (const known of [this.repositories, this.formerNames])
      for (const [key, one] of known) if (one === repository) known.delete(key);
    repository.world.close();
  }

  find(owner: string, name: string): Repository | null {
    return this.repositories.get(keyOf(owner, name)) ?? null;
  }

  rename(repository: Repository, name: string): void {
    const key = keyOf(repository.owner.login, repository.name);
    this.repositories.delete(key);
    this.formerNames.set(key, repository);
    repository.name = name;
    this.repositories.set(keyOf(repository.owner.login, name), repository);
  }
}

export function keyOf(owner: string, name: string): string {
  return `${owner}/${name}`.toLowerCase();
}

export function fullNameOf({ owner, name }: Repository): string {
  return `${owner.login}/${name}`;
}

export function permissionOf(repository: Repository, { login }: Account): Permission {
  return repository.permissions.get(login.toLowerCase()) ?? 'none';
}

/** Server administrators and owners of the organization may do everything in it. */
export function grantEverything({ administrators, madeAccounts }: GiteaState, repository: Repository): void {
  const owners = madeAccounts.get(repository.owner.login.toLowerCase())?.owners ?? [];
  for (const login of [...administrators, ...owners]) repository.permissions.set(login.toLowerCase(), 'admin');
}

export function mayWrite(repository: Repository, account: Account): boolean {
  return ['write', 'admin'].includes(permissionOf(repository, account));
}

export function isDraft({ title }: Pull): boolean {
  return /^(wip:|\[wip\])/i.test(title);
}

/** The rule for a branch. `*` is any text without a slash, `**` any text. */
export function ruleFor(repository: Repository, branch: string): Rule | null {
  return repository.rules.find(({ name }) => patternOf(name).test(branch)) ?? null;
}

function patternOf(name: string): RegExp {
  const source = name
    .replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&')
    .replaceAll(/\*\*|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${source}$`);
}

/** Lines of `ref<tab>text`: a push of the ref is refused completely, with the text. */
export const REFUSALS = 'SLUICE_DOUBLE_REFUSALS';
/** Refs that only move forward, one per line. */
export const FORWARD_ONLY = 'SLUICE_DOUBLE_FORWARD_ONLY';

const HOOK = `#!/bin/sh
${UNVERIFIED}
refused=0
tab="$(printf '\\t')"
while read -r before after changed; do
  while IFS="$tab" read -r ref text; do
    if [ "$ref" = "$changed" ]; then echo "$text" >&2; refused=1; fi
  done <<END
$${REFUSALS}
END
  for ref in $${FORWARD_ONLY}; do
    case "$before$after" in *0000000000000000000000000000000000000000*) continue ;; esac
    if [ "$ref" = "$changed" ] && ! git merge-base --is-ancestor "$before" "$after"; then
      echo "Gitea: branch \${ref#refs/heads/} is protected from force push" >&2
      refused=1
    fi
  done
  if printf '%s\\n' "$${SIGNED_ONLY}" | grep -qxF "$changed"; then
    found="$(unverified "$before" "$after")"
    case "$found" in
      '') ;;
      *yes) echo 'Gitea: Internal Server Error' >&2; refused=1 ;;
      *) echo "Gitea: branch \${changed#refs/heads/} is protected from unverified commit $found" >&2; refused=1 ;;
    esac
  fi
done
exit $refused
`;

function installHook(bare: string): void {
  const hooks = join(bare, 'hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'pre-receive'), HOOK);
  chmodSync(join(hooks, 'pre-receive'), 0o755);
}

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
