import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BareRepository } from '../bare-repository';
import { type Account, Accounts } from '../forge/accounts';
import { readBranches } from '../bare-repository';
import { isAncestor, NO_COMMIT } from '../forge/git';
import { SIGNED_ONLY, UNVERIFIED } from '../forge/signatures';
import { GitLabWebhooks } from './webhooks';

export interface Note {
  readonly id: number;
  readonly author: Account;
  readonly at: Date;
  body: string;
  updatedAt: Date;
  readonly emoji: { readonly user: Account; readonly name: string }[];
}

export interface MergeRequest {
  readonly iid: number;
  readonly author: Account;
  readonly sourceBranch: string;
  title: string;
  description: string;
  sha: string;
  targetBranch: string;
  state: 'opened' | 'closed' | 'merged';
  updatedAt: Date;
  /** The status that the host reports in place of the real one; null if the host reports the real one. */
  word: string | null;
  approvalsLeft: number;
  approvedBy: readonly string[];
  labels: readonly string[];
  readonly labelEvents: { id: number; user: Account; name: string; action: 'add' | 'remove'; at: Date }[];
  readonly notes: Note[];
}

export interface Job {
  readonly id: number;
  readonly name: string;
  status: string;
  readonly allowFailure: boolean;
  /** The reason why the job failed. */
  failureReason?: string;
}

export interface Pipeline {
  readonly id: number;
  readonly sha: string;
  readonly source: string;
  /** The name of a branch, or the ref of a merge request. */
  readonly ref: string;
  status: string;
  readonly jobs: Job[];
}

/**
 * The fields of a webhook that the host shows, and two that it hides: the answer to the last delivery, and the secret.
 */
export interface HookFacts {
  readonly url: string;
  readonly lastAnswer?: string;
  readonly token?: string;
  readonly [field: string]: unknown;
}

/** A project, and everything that happens in it. */
export class Project {
  readonly world: BareRepository;
  readonly mergeRequests = new Map<number, MergeRequest>();
  readonly pipelines: Pipeline[] = [];
  /** The access levels of the members, by login. */
  readonly members = new Map<string, number>();
  /** The lowest access level that may merge into a protected branch, by the name of the branch. */
  readonly protectedBranches = new Map<string, number>();
  /**
   * The lowest access level that may push to a protected branch, by the name of the branch. If the branch is absent,
   * the level for merges holds; with null, no role may push.
   */
  readonly pushLevels = new Map<string, number | null>();
  /** The ids of single users who may push to a protected branch, too, by the name of the branch. */
  readonly pushUsers = new Map<string, readonly number[]>();
  /**
   * Whether the plan of the project allows rules for single users. If not, the host ignores the fields of such rules.
   */
  namesUsers = false;
  labels: readonly string[] = [];
  /** Additional fields in the answer about the project. */
  settings: Readonly<Record<string, unknown>> = {};
  hooks: readonly HookFacts[] = [];
  /** The push rules; null if the plan is free and has none. */
  pushRule: Readonly<Record<string, unknown>> | null = null;
  demandsPipeline = false;
  defaultBranch = 'main';
  /** After a push has merged a merge request, this many reads still find it open. */
  readsUntilMerged = 0;
  /** The text with which the host refuses new testing branches; null if it accepts new ones. */
  refusal: string | null = null;
  branches: ReadonlyMap<string, string>;
  private readonly merging = new Map<number, number>();

  constructor(
    readonly state: GitLabState,
    readonly id: number,
    readonly owner: string,
    public name: string,
    readonly description = '',
  ) {
    this.world = BareRepository.create(owner, name);
    appendFileSync(join(this.world.bare, 'config'), GIT_SETTINGS);
    mkdirSync(join(this.world.bare, 'hooks'), { recursive: true });
    writeFileSync(join(this.world.bare, 'hooks', 'pre-receive'), HOOK);
    chmodSync(join(this.world.bare, 'hooks', 'pre-receive'), 0o755);
    this.branches = readBranches(this.world.bare);
  }

  get path(): string {
    return `${this.owner}/${this.name}`;
  }

  /** Does the server's work after a push. */
  noticeBranches(by: Account = this.state.accounts.of('ada')): void {
    const before = this.branches;
    this.branches = readBranches(this.world.bare);
    for (const branch of new Set([...before.keys(), ...this.branches.keys()])) {
      const [from, to] = [before.get(branch) ?? NO_COMMIT, this.branches.get(branch) ?? NO_COMMIT];
      const push = { ref: `refs/heads/${branch}`, before: from, after: to, user_username: by.login };
      if (from !== to) this.tell('push', null, push, by);
    }
    for (const one of this.mergeRequests.values()) {
      if (one.state !== 'opened') continue;
      const tip = this.branches.get(one.sourceBranch);
      const target = this.branches.get(one.targetBranch);
      const old = before.get(one.targetBranch);
      // The server notices the head of a merge request only if the head is among the pushed commits.
      const isAmong = target !== undefined && target !== old && this.contains(target, one.sha);
      if (isAmong && (old === undefined || !this.contains(old, one.sha)))
        this.merging.set(one.iid, this.readsUntilMerged);
      else if (tip === undefined) this.change(one, { state: 'closed' }, by);
      else if (tip !== one.sha) this.setHead(one, tip, by);
      this.settle(one);
    }
  }

  /** With `later`, merge requests that a push merged are shown as open until `now`. */
  noticeMerges(when: 'later' | 'now'): void {
    this.readsUntilMerged = when === 'now' ? 0 : Infinity;
    if (when === 'later') return;
    for (const iid of this.merging.keys()) this.merging.set(iid, 0);
    for (const one of this.mergeRequests.values()) this.settle(one);
  }

  /** The merge request as a read returns it at this time; null if there is none. */
  read(iid: number): MergeRequest | null {
    const found = this.mergeRequests.get(iid) ?? null;
    if (found !== null) this.settle(found, true);
    return found;
  }

  open(
    facts: Pick<MergeRequest, 'iid' | 'author' | 'sourceBranch' | 'targetBranch' | 'title' | 'description'>,
  ): MergeRequest {
    const sha = this.branches.get(facts.sourceBranch) ?? '';
    const opened: MergeRequest = {
      ...facts,
      ...{ sha, state: 'opened', updatedAt: this.state.now(), word: null, approvalsLeft: 0, approvedBy: [] },
      ...{ labels: [], labelEvents: [], notes: [] },
    };
    this.mergeRequests.set(facts.iid, opened);
    this.world.setRef(`refs/merge-requests/${opened.iid}/head`, sha);
    this.tellMergeRequest(opened, 'open', {}, facts.author);
    return opened;
  }

  change(one: MergeRequest, facts: Partial<MergeRequest>, by: Account = one.author): void {
    const before = { ...one };
    Object.assign(one, facts, { updatedAt: this.state.now() });
    if (before.state !== one.state) this.tellMergeRequest(one, ACTIONS[one.state], {}, by);
    else if (before.approvalsLeft !== one.approvalsLeft)
      this.tellMergeRequest(one, before.approvalsLeft > one.approvalsLeft ? 'approved' : 'unapproved', {}, by);
    else if (before.targetBranch !== one.targetBranch || before.title !== one.title) {
      const target = { previous: before.targetBranch, current: one.targetBranch };
      const changes = before.targetBranch === one.targetBranch ? {} : { target_branch: target };
      this.tellMergeRequest(one, 'update', { changes }, by);
    } else if (before.labels !== one.labels) {
      const titled = (labels: readonly string[]): object[] => labels.map((title) => ({ title }));
      const changes = { labels: { previous: titled(before.labels), current: titled(one.labels) } };
      this.tellMergeRequest(one, 'update', { changes }, by);
    }
  }

  addLabel(one: MergeRequest, name: string, user: Account): void {
    one.labelEvents.push({ id: this.state.nextId(), user, name, action: 'add', at: this.state.now() });
    this.change(one, { labels: [...one.labels, name] }, user);
  }

  /** Adds a comment. Lines that begin with a slash are commands, and are left out of the comment's text. */
  comment(one: MergeRequest, text: string, author: Account): Note | null {
    const body = text
      .split('\n')
      .filter((line) => !QUICK_ACTION.test(line))
      .join('\n');
    if (/^\/close\s*$/m.test(text)) this.change(one, { state: 'closed' });
    if (body.trim() === '') return null;
    const now = this.state.now();
    const note: Note = { id: this.state.nextId(), author, at: now, body, updatedAt: now, emoji: [] };
    one.notes.push(note);
    this.change(one, {}, author);
    const told = { id: note.id, note: body, noteable_type: 'MergeRequest', author_id: author.id, system: false };
    const at = { created_at: timeOf(now), updated_at: timeOf(now), action: 'create' };
    this.tell('note', 'create', { object_attributes: { ...told, ...at }, merge_request: { iid: one.iid } }, author);
    return note;
  }

  /** Adds a pipeline with these jobs, either one of the host itself or one with another source. */
  addPipeline(
    sha: string,
    status: string,
    jobs: Readonly<Record<string, string>> = {},
    source = 'push',
    optional: readonly string[] = [],
    ref = this.refFor(sha, source),
  ): Pipeline {
    const made = Object.entries(jobs).map(([name, state]) => {
      return { id: this.state.nextId(), name, status: state, allowFailure: optional.includes(name) };
    });
    const pipeline = { id: this.state.nextId(), sha, source, ref, status, jobs: made };
    this.pipelines.push(pipeline);
    this.tell('pipeline', null, { object_attributes: { id: pipeline.id, sha, source, status } });
    return pipeline;
  }

  private refFor(sha: string, source: string): string {
    const request = [...this.mergeRequests.values()].find((one) => one.sha === sha);
    if (source === 'merge_request_event') return `refs/merge-requests/${request?.iid ?? 0}/head`;
    return [...this.branches].findLast(([, tip]) => tip === sha)?.[0] ?? 'main';
  }

  private setHead(one: MergeRequest, sha: string, by: Account): void {
    const oldrev = one.sha;
    this.change(one, { sha });
    this.world.setRef(`refs/merge-requests/${one.iid}/head`, sha);
    this.tellMergeRequest(one, 'update', {}, by, { oldrev });
  }

  private tellMergeRequest(one: MergeRequest, action: string, more: object, by: Account, facts: object = {}): void {
    const { iid, sha, state, sourceBranch, targetBranch, title, updatedAt, labels } = one;
    const told = {
      ...{ iid, state, title, action, last_commit: { id: sha }, source_branch: sourceBranch },
      ...{ target_branch: targetBranch, source_project_id: this.id, target_project_id: this.id },
      ...{ created_at: timeOf(updatedAt), updated_at: timeOf(updatedAt) },
    };
    const all = {
      object_attributes: { ...told, ...facts },
      labels: labels.map((label) => ({ title: label })),
      ...more,
    };
    this.tell('merge_request', action, all, by);
  }

  private tell(event: string, action: string | null, facts: object, by?: Account): void {
    const project = { id: this.id, path_with_namespace: this.path };
    const user = by === undefined ? {} : { user: { id: by.id, username: by.login } };
    const payload = { object_kind: event, project, ...user, ...facts };
    this.state.webhooks.send({ event, action, repositoryId: this.id, installationId: null, payload: () => payload });
  }

  private settle(one: MergeRequest, isRead = false): void {
    const left = this.merging.get(one.iid);
    if (left === undefined) return;
    if (left > 0) return void (isRead && this.merging.set(one.iid, left - 1));
    this.merging.delete(one.iid);
    this.change(one, { state: 'merged' });
  }

  private contains(commit: string, ancestor: string): boolean {
    return isAncestor(this.world.bare, ancestor, commit);
  }
}

const ACTIONS = { opened: 'reopen', closed: 'close', merged: 'merge' } as const;

/** The time as deliveries have it, in whole seconds. */
function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const QUICK_ACTION = /^\/(close|merge|approve|assign|label)\b/;

/** The state of the mock, without HTTP. */
export class GitLabState {
  private lastId = 1000;
  readonly accounts = new Accounts(() => this.nextId());
  projects: readonly Project[] = [];
  /** The logins that may create projects in a group, by the name of the group. */
  readonly groups = new Map<string, { readonly id: number; readonly owners: readonly string[] }>();
  readonly tokens = new Map<string, Account>();
  /** The keys with which an account may sign, by the account's email address. */
  readonly signingKeys = new Map<string, Buffer>();
  readonly webhooks: GitLabWebhooks;
  /** The server's answer about the caller's token. */
  tokenFacts: Readonly<Record<string, unknown>> = { scopes: ['api'], expires_at: '2027-11-01' };
  origin = '';

  constructor(readonly now: () => Date) {
    this.webhooks = new GitLabWebhooks(now);
  }

  nextId(): number {
    return ++this.lastId;
  }

  addProject(owner: string, name: string, description = ''): Project {
    const project = new Project(this, this.nextId(), owner, name, description);
    this.projects = [...this.projects, project];
    return project;
  }

  removeProject(project: Project): void {
    this.projects = this.projects.filter((one) => one !== project);
    project.world.close();
  }

  find(path: string): Project | null {
    return this.projects.find((one) => one.path.toLowerCase() === path.toLowerCase()) ?? null;
  }
}

/** A variable for a hook, with the text by which the hook refuses a push; empty if the hook accepts pushes. */
export const REFUSAL = 'SLUICE_DOUBLE_REFUSAL';

const HOOK = `#!/bin/sh
${UNVERIFIED}
while read -r before after changed; do
  case "$${REFUSAL}$changed" in
    refs/*) ;;
    *refs/heads/sluice-merge/*) echo "$${REFUSAL}" >&2; exit 1 ;;
  esac
  [ -z "$${SIGNED_ONLY}" ] && continue
  case "$(unverified "$before" "$after")" in
    '') ;;
    *) echo 'GitLab: Commit must be signed with a GPG key' >&2; exit 1 ;;
  esac
done
`;

const GIT_SETTINGS = `[http]
	receivepack = true
[receive]
	hideRefs = refs/merge-requests
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[gc]
	auto = 0
`;
