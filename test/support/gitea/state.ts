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
  /** `branch` is null if the pull request was pushed without a branch. */
  head: { readonly repository: Repository; readonly branch: string | null; readonly sha: string };
  base: string;
  /** For each pair of base and head, the number of reads while the host still checked the pair. */
  readonly reads: Map<string, number>;
  /** The number of comments on code that come first in the timeline of the pull request. */
  commentsOnCode: number;
}

export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly status: StatusState;
  readonly description: string;
  readonly targetUrl: string;
  /** The account that set the status; null for a job of the server's own CI, or for the token of a job. */
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

/** The protection of one or several branches. For a branch, the first matching rule applies. */
export interface Rule {
  readonly name: string;
  readonly contexts: readonly string[];
  /** Whether statuses are required, even if no status is named. */
  readonly asksStatuses: boolean;
  readonly approvals: number;
  /** Logins that may push; null if everybody with write access may. */
  readonly pushers: readonly string[] | null;
  /** Logins that may use the host's merge operation; null if everybody with write access may. */
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
  /** The number of the run. Each repository counts its runs from 1. */
  readonly index: number;
  readonly sha: string;
  /** The name of the workflow file without its folder. */
  readonly file: string;
  /** The name that the workflow file gives; without one, the name of the file. */
  readonly name: string;
  readonly event: string;
  readonly branch: string;
  /** The pull request of the run; null if there is none. */
  readonly pull: Pull | null;
  attempt: number;
  /** The jobs of the run's newest attempt. */
  jobs: JobRecord[];
}

export interface JobRecord {
  readonly id: number;
  readonly name: string;
  readonly attempt: number;
  state: JobState;
  /** The log of the job; null if there is none. */
  log: string | null;
}

/** An organization, or a user created by an administrator. */
export interface MadeAccount {
  readonly account: Account;
  /** The description of an organization, or the full name of a user. */
  readonly words: string;
  /** The password of a user; empty for an organization. */
  readonly password: string;
  /** Logins of the accounts that own the organization. */
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
  /** The number of reads after each change that find the mergeability not checked yet. */
  checkingReads: number;
  highestNumber: number;
}

/** The state of the mock, without HTTP. */
export class GiteaState {
  private lastId = 1000;
  readonly accounts = new Accounts(() => this.nextId());
  readonly repositories = new Map<string, Repository>();
  /** The repositories by their former names, which redirect to the present names. */
  readonly formerNames = new Map<string, Repository>();
  readonly tokens = new Map<string, Account>();
  /** Created accounts by login, in lower case. */
  readonly madeAccounts = new Map<string, MadeAccount>();
  /** Logins of server administrators, in lower case. */
  readonly administrators = new Set<string>();
  /**
   * Whether the server sends deliveries to the webhooks that clients create in it. If so, a new webhook receives every
   * later delivery.
   */
  deliversToHooks = false;
  /** Called for each branch that a push moved. */
  onPush: (repository: Repository, branch: string, commit: string) => void = () => undefined;
  /** The keys that the owners of an account have verified, by the account's email address. */
  readonly signingKeys = new Map<string, Buffer>();
  readonly webhooks: GiteaWebhooks;
  origin = '';
  /** Whether the server lists workflow runs. Gitea does so since version 1.25. */
  listsWorkflowRuns = true;

  constructor(
    readonly now: () => Date,
    /**
     * Whether the mock behaves like Forgejo, which reports no statuses of jobs and sends its own headers next to
     * Gitea's.
     */
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

/** Grants all permissions in a repository to server administrators and to owners of its organization. */
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

/**
 * The rule that applies to a branch; null if there is none. `*` stands for any text without a slash, and `**` for any
 * text.
 */
export function ruleFor(repository: Repository, branch: string): Rule | null {
  return repository.rules.find(({ name }) => patternOf(name).test(branch)) ?? null;
}

function patternOf(name: string): RegExp {
  const source = name
    .replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&')
    .replaceAll(/\*\*|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${source}$`);
}

/**
 * A variable for a hook with lines of `ref<tab>text`. If a push contains the ref, the hook refuses the whole push with
 * the text.
 */
export const REFUSALS = 'SLUICE_DOUBLE_REFUSALS';
/** A variable for a hook that lists the refs that may only move forward, one per line. */
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
