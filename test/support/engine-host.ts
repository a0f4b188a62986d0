import { createHash } from 'node:crypto';
import { isOpenFor } from '../../src/domain/pull-request-facts';
import type { LandRun, StartTestRun } from '../../src/engine/commands';
import type { LandedCommit, LandingRefusal, NotStarted, PullRequestSeen, QueueEvent } from '../../src/engine/events';
import type { QueuedHead, PullRequestFacts, StackPlace, Tip, UnmetDemand, WrongTree } from '../../src/engine/model';
import type { Instant, RequiredStatusesSource, StartFailure } from '../../src/engine/vocabulary';
import type { KnownResult } from '../../src/processing/replay/known-results';

/**
 * A tree, written as the names of its changes: `main` comes first, then pull requests as `number@head`, then pushes by
 * people.
 */
export type Tree = readonly string[];

export interface PullRequestDay {
  head: string;
  state: PullRequestFacts['state'];
  draft: boolean;
  base: string | null;
  mergeability: PullRequestFacts['mergeability'];
  /** Numbers of the pull requests, or names of the pushes, with which the pull request conflicts. */
  conflictsWith: readonly (number | string)[];
  /** Numbers of pull requests, or names of pushes, that include all changes of the pull request; none if absent. */
  sameAs?: readonly (number | string)[];
  /** Whether the author of the last push has no write access. */
  pushedByStranger?: true;
  /** Requirements of the host that are not met; none if absent. */
  unmet?: readonly UnmetDemand[];
  /**
   * The condition that delays the merge. The host names the condition only when it is asked to merge. Absent if nothing
   * delays the merge.
   */
  notYet?: string;
  /** The reason why git cannot build the pull request's commit; absent if git can build it. */
  unbuildable?: string;
  /**
   * The reason why the host refuses a testing branch that has the pull request. The refusal does not name the pull
   * request. Absent if the host accepts the branch.
   */
  unpushable?: string;
  /** The reason why the host refuses to merge the pull request; absent if the host merges it. */
  refusal?: string;
  /** Whether a rule of the branch is the reason for the refusal. */
  refusedBy?: 'rule';
  /**
   * The reason why a host that merges one by one refuses the pull request after it merged the earlier ones of the run.
   */
  refusalMidway?: string;
  /** Files that the host omits when it merges the pull request; none if absent. */
  leavesOut?: readonly string[];
  /** The name of a push that happens just before the host merges the pull request; absent if there is none. */
  pushedBeneath?: string;
  /** The configuration file in the pull request; absent if the pull request does not change the file. */
  file?: ConfigFileDay;
  /** Unmerged pull requests that the description names as dependencies; none if absent. */
  dependsOn?: readonly number[];
  /**
   * The pull request's place in a stack of the host; absent if it is in no stack. A pull request in a stack depends on
   * the pull request below it.
   */
  stack?: StackPlace;
  /** Whether the host made the present head from the head that the queue knows. */
  isRewritten?: true;
  /** Heads of other pull requests that the head contains; none if absent. */
  contains?: readonly string[];
  /**
   * The commit of the target with which the pull request was last brought up to date. If absent, this commit is from
   * before the day.
   */
  upTo?: string;
}

/** The commit of a test run, and the target, pull requests and settings from which it was made. */
export interface Candidate {
  readonly run: number;
  readonly commit: string;
  readonly base: Tree;
  readonly tree: Tree;
  readonly builtOn: readonly QueuedHead[];
  readonly own: readonly QueuedHead[];
  readonly requiredStatuses: readonly string[];
}

/** Facts that the host needs from the queue and from CI's reports. */
export interface HostKnowledge {
  knownResult(tree: string, requiredStatuses: readonly string[], since: Instant): KnownResult | null;
  hasPassed(commit: string, name: string): boolean;
}

/** The required statuses in the configuration file, or the reason why the file cannot be read. */
export type ConfigFileDay = readonly string[] | StartFailure;

type Statuses =
  | { readonly type: 'found'; readonly names: readonly string[]; readonly source: RequiredStatusesSource }
  | Extract<NotStarted, { type: 'refused' | 'config_unreadable' }>;

/**
 * The host of a simulated day: a target that is a list of changes, and pull requests that may conflict. Every command
 * may be carried out twice: like the product's hosts, this host recognises the effect of an earlier try.
 */
export class EngineHost {
  readonly candidates = new Map<string, Candidate>();
  /** The content of the configuration file as long as no change on the target alters it. */
  statusesInFile: ConfigFileDay = [];
  /** The configuration file after each push to the target, by the name of the push. */
  readonly pushedFiles = new Map<string, ConfigFileDay>();
  protectedStatuses: readonly string[] = [];
  private readonly trees = new Map<string, Tree>();
  /** Every commit of the target so far, the newest last. */
  private readonly history: { readonly tip: Tip; readonly tree: Tree }[] = [];
  private readonly landed = new Map<number, QueueEvent>();
  private readonly startedAs = new Map<number, Candidate>();
  private readonly provenDirect = new Set<number>();
  /** Numbers of the merge commands after which the target had other content than it should have. */
  readonly interfered = new Set<number>();

  /** If `sorted` is set, the order of merging does not change the tree, as it usually does not in git. */
  constructor(
    private readonly treeOrder: 'merged' | 'sorted' = 'merged',
    /** The target branch. */
    readonly branch: string = 'main',
    /** All pull requests of the repository, for any base branch. */
    readonly pullRequests = new Map<number, PullRequestDay>(),
  ) {
    this.target = [branch];
  }

  get target(): Tree {
    return this.history.at(-1)!.tree;
  }

  set target(tree: Tree) {
    this.move(hash(`${this.history.length} ${tree.join(' ')}`), tree);
  }

  tip(): Tip {
    return this.history.at(-1)!.tip;
  }

  /** The trees of the target so far, the newest last. */
  get targets(): readonly Tree[] {
    return this.history.map(({ tree }) => tree);
  }

  treeOf(id: string | null): Tree {
    return this.trees.get(id ?? '') ?? [];
  }

  idOf(tree: Tree): string {
    const id = hash((this.treeOrder === 'sorted' ? [...tree].sort() : tree).join(' '));
    if (!this.trees.has(id)) this.trees.set(id, tree);
    return id;
  }

  facts(number: number, seenAt: Instant): PullRequestFacts {
    const { head, state, draft, base, mergeability, unmet = [], stack, ...others } = this.pullRequest(number);
    const dependsOn = [...(others.dependsOn ?? []), ...(stack?.below.slice(-1) ?? [])];
    const said = { title: `Change ${number}`, author: 'ann', headBranch: null };
    return {
      number,
      head,
      state,
      draft,
      base,
      mergeability,
      unmet,
      dependsOn,
      ...(stack && { stack }),
      ...said,
      seenAt,
    };
  }

  /** The pull request as the queue sees it at the time `seenAt`. */
  seen(number: number, seenAt: Instant): PullRequestSeen {
    const { pushedByStranger, isRewritten, contains: commits } = this.pullRequest(number);
    const pusherMayWrite = pushedByStranger !== true;
    return {
      type: 'pullRequestSeen',
      facts: this.facts(number, seenAt),
      pusherMayWrite,
      commits,
      ...(isRewritten && { isRewritten }),
    };
  }

  pullRequest(number: number): PullRequestDay {
    const found = this.pullRequests.get(number);
    if (!found) throw new Error(`pull request ${number} was never opened`);
    return found;
  }

  /**
   * The tree of a pull request's head, which consists of the target with which the pull request was last brought up to
   * date, and the pull request's own change.
   */
  headTree(number: number): Tree {
    const { head, upTo } = this.pullRequest(number);
    const { tree } = this.history.find(({ tip }) => tip.commit === upTo) ?? this.history[0]!;
    return [...tree, nameOf({ number, head })];
  }

  /** Whether this commit is or was the tip of the branch. */
  hasBeenAt(commit: string): boolean {
    return this.history.some(({ tip }) => tip.commit === commit);
  }

  start(command: StartTestRun, now: Instant, knowledge?: HostKnowledge): QueueEvent {
    const earlier = this.startedAs.get(command.run);
    if (earlier) return this.pushed(command, earlier, 'merge_instance', now, []);
    const seen = command.own.map((change) => this.facts(change.number, now));
    const refused = (because: NotStarted): QueueEvent => ({ type: 'runNotStarted', run: command.run, because, seen });
    const objection = this.objectionTo(command, now);
    if (objection) return refused(objection);
    const statuses = this.statusesToPass(command);
    if (statuses.type !== 'found') return refused(statuses);
    const built = this.build(command, statuses.names);
    if ('type' in built) return refused(built);
    const kept = command.own.filter(({ number }) => this.isKept(number));
    if (kept.length > 0) return refused({ type: 'not_mergeable', numbers: kept.map(({ number }) => number) });
    const entryRefused = this.entryRefusedIn(command) ?? this.fileObjection(command, built.tree);
    if (entryRefused) return refused(entryRefused);
    this.candidates.set(built.commit, built);
    const tree = this.idOf(built.tree);
    const known = command.reuseSince === null ? null : knowledge?.knownResult(tree, statuses.names, command.reuseSince);
    if (known) {
      const { names: requiredStatuses, source } = statuses;
      const told = { run: command.run, commit: built.commit, tree, requiredStatuses, source, at: now, seen };
      return { type: 'runResultKnown', ...told, red: known.red };
    }
    this.startedAs.set(command.run, built);
    return this.pushed(command, built, statuses.source, now, seen);
  }

  land(command: LandRun, now: Instant, knowledge?: HostKnowledge): QueueEvent {
    const { landing } = command;
    const earlier = this.landed.get(landing);
    if (earlier) return earlier;
    const refused = (because: LandingRefusal): QueueEvent => ({ type: 'landingRefused', landing, because });
    if (command.notAfter !== undefined && now >= command.notAfter && this.tip().commit === command.expectedTip.commit)
      return refused({ type: 'too_late' });
    const notDirect = this.objectionToDirect(command, knowledge);
    if (notDirect) return refused(notDirect);
    const tip = this.tip();
    if (tip.commit !== command.expectedTip.commit) return refused({ type: 'target_moved', tip, seenAt: now });
    const moved = command.changes.find((change) => this.pullRequest(change.number).head !== change.head);
    if (moved) return refused({ type: 'head_moved', number: moved.number });
    for (const { number } of command.changes) {
      if (this.isTurnedAway(number) || this.demandsOf(number).length > 0)
        return refused({ type: 'pull_request_changed', facts: this.facts(number, now) });
    }
    for (const { number } of command.changes) {
      const { refusal, refusedBy, notYet } = this.pullRequest(number);
      if (notYet !== undefined) return refused({ type: 'not_yet', number, why: notYet });
      const byRule = refusedBy === 'rule' ? ({ byRule: true } as const) : {};
      if (refusal !== undefined) return refused({ type: 'host_refused', number, why: refusal, ...byRule });
    }
    const tree = this.withChanges(this.target, command.changes);
    if (this.conflictIn(this.target, command.changes)) return refused({ type: 'tree_differs' });
    if (command.testedTree !== null && this.idOf(tree) !== command.testedTree) return refused({ type: 'tree_differs' });
    const refusedAt = command.changes.findIndex(({ number }) => this.pullRequest(number).refusalMidway !== undefined);
    if (refusedAt < 0) return this.moveOver(command, now);
    const { number } = command.changes[refusedAt]!;
    const because = { type: 'host_refused', number, why: this.pullRequest(number).refusalMidway! } as const;
    return refusedAt === 0 ? refused(because) : this.moveOverPart(command, refusedAt, because, now);
  }

  hasLanded(landing: number): boolean {
    return this.landed.has(landing);
  }

  private moveOver(command: LandRun, now: Instant): QueueEvent {
    const commits = this.merge(command, command.changes.length);
    const told = { landing: command.landing, tip: this.tip(), commits, at: now, ...this.foundAfter(command, commits) };
    const outcome = { type: 'landed', ...told } as const;
    this.landed.set(command.landing, outcome);
    return outcome;
  }

  /** The service's finding when it checks a merge whose tree is not the expected one. */
  private foundAfter(
    { changes }: LandRun,
    commits: readonly LandedCommit[],
  ): { readonly isMixed?: true; readonly wrongTrees?: readonly WrongTree[] } {
    const wrongTrees = commits.flatMap(({ number, commit, tree }): WrongTree[] => {
      const { leavesOut: files } = this.pullRequest(number);
      if (files === undefined) return [];
      const right = this.treeOf(tree).filter((name) => name !== leftOut(number));
      return [{ number, commit, expected: this.idOf(right), found: tree, files, patch: null }];
    });
    if (wrongTrees.length > 0) return { wrongTrees };
    const isMixed = changes.some(({ number }) => this.pullRequest(number).pushedBeneath !== undefined);
    return isMixed ? { isMixed } : {};
  }

  private moveOverPart(command: LandRun, count: number, because: LandingRefusal, now: Instant): QueueEvent {
    const commits = this.merge(command, count);
    const told = { landing: command.landing, tip: this.tip(), commits, because, at: now };
    const outcome = { type: 'landedPartly', ...told } as const;
    this.landed.set(command.landing, outcome);
    return outcome;
  }

  /** Merges the first `count` changes one after another. */
  private merge(command: LandRun, count: number): readonly LandedCommit[] {
    const commits: LandedCommit[] = [];
    for (const change of command.changes.slice(0, count)) {
      const { pushedBeneath, leavesOut } = this.pullRequest(change.number);
      if (pushedBeneath !== undefined || leavesOut !== undefined) this.interfered.add(command.landing);
      if (pushedBeneath !== undefined) this.target = [...this.target, pushedBeneath];
      const merged = this.withChanges(this.target, [change]);
      const tree = leavesOut === undefined ? merged : [...merged, leftOut(change.number)];
      if (tree === this.target) {
        const { commit, tree: there } = this.tip();
        commits.push({ number: change.number, commit, tree: there, isNothing: true });
        continue;
      }
      const isTested = command.testedTree !== null && this.idOf(tree) === command.testedTree;
      const commit = isTested
        ? command.testedCommit
        : hash(`${this.tip().commit} ${nameOf(change)} ${command.orderedAt}`);
      commits.push({ number: change.number, commit, tree: this.idOf(tree) });
      this.move(commit, tree);
      // A pull request that is closed stays closed, so that the check of merges notices this merge.
      const pullRequest = this.pullRequest(change.number);
      if (pullRequest.state === 'open') pullRequest.state = 'merged';
    }
    return commits;
  }

  private objectionTo(command: StartTestRun, now: Instant): NotStarted | null {
    const tip = this.tip();
    const isExpected = command.keepsBase || tip.commit === command.target.commit || tip.tree === command.landingTree;
    if (!isExpected) return { type: 'target_moved', tip, seenAt: now };
    if (command.own.some((change) => this.isChanged(change))) return { type: 'pull_request_changed' };
    const unknown = command.own.filter(({ number }) => isUnknown(this.pullRequest(number)));
    if (unknown.length === 0) return null;
    return { type: 'mergeability_unknown', numbers: unknown.map((change) => change.number) };
  }

  private entryRefusedIn({ own }: StartTestRun): NotStarted | null {
    const facts = own.map(({ number }) => ({ number, ...this.pullRequest(number) }));
    const poison = facts.find(({ unbuildable }) => unbuildable !== undefined);
    if (poison) return { type: 'entry_refused', number: poison.number, details: poison.unbuildable! };
    const details = facts.find(({ unpushable }) => unpushable !== undefined)?.unpushable;
    return details === undefined ? null : { type: 'entry_refused', number: null, details };
  }

  private objectionToDirect(
    { landing, direct, ...command }: LandRun,
    knowledge?: HostKnowledge,
  ): LandingRefusal | null {
    if (direct === null || this.provenDirect.has(landing)) return null;
    const refused = (why: string): LandingRefusal => ({ type: 'not_direct', why });
    const { upTo } = this.pullRequest(command.changes[0]!.number);
    if (upTo !== command.expectedTip.commit) return refused('It does not contain the tip of the target.');
    const statuses = this.statusesFor(direct.requiredStatuses, this.target);
    if (statuses.type !== 'found') return refused('as the host says');
    const { file } = this.pullRequest(command.changes[0]!.number);
    if (direct.requiredStatuses.length === 0 && isBroken(file)) return refused('It breaks the configuration file.');
    const open = statuses.names.filter((name) => !knowledge?.hasPassed(command.testedCommit, name));
    if (open.length > 0) return refused(`Not passed: ${open.join(', ')}.`);
    this.provenDirect.add(landing);
    return null;
  }

  /**
   * The statuses that a pull request needs to merge on its own tests. If this list is empty, the pull request may not
   * merge on them.
   */
  requiredOfHead(ordered: readonly string[], target: Tree): readonly string[] {
    const statuses = this.statusesFor(ordered, target);
    return statuses.type === 'found' ? statuses.names : [];
  }

  /** The configuration file in a tree that consists of these changes. */
  fileIn(tree: Tree): ConfigFileDay {
    for (const name of tree.toReversed()) {
      const [number] = name.split('@');
      const file = name.includes('@') ? this.pullRequests.get(Number(number))?.file : this.pushedFiles.get(name);
      if (file !== undefined) return file;
    }
    return this.statusesInFile;
  }

  /**
   * The statuses that a run must pass. While the file on the target cannot be read, pull requests that change the file
   * use its last readable version, and all others wait.
   */
  private statusesToPass({ own, target, requiredStatuses }: StartTestRun): Statuses {
    const before = this.history.slice(0, 1 + this.history.findLastIndex(({ tip }) => tip.commit === target.commit));
    const found = this.statusesFor(requiredStatuses, before.at(-1)?.tree ?? this.target);
    if (found.type !== 'config_unreadable') return found;
    const others = own.filter(({ number }) => this.pullRequest(number).file === undefined);
    if (others.length > 0) return unreadable(others);
    const last = before.findLast(({ tree }) => !isBroken(this.fileIn(tree)));
    const statuses = last ? this.statusesFor([], last.tree) : null;
    return statuses?.type === 'found' ? statuses : unreadable(own);
  }

  /**
   * The objection to a candidate whose configuration file cannot be read because of its own pull requests; null if
   * there is none.
   */
  private fileObjection({ own, target, requiredStatuses }: StartTestRun, candidate: Tree): NotStarted | null {
    const reason = this.fileIn(candidate);
    if (requiredStatuses.length > 0 || !isBroken(reason)) return null;
    const changing = own.filter(({ number }) => this.pullRequest(number).file !== undefined);
    const isBaseBroken = isBroken(this.fileIn(this.treeAt(target.commit)));
    const guilty = isBaseBroken ? changing.filter(({ number }) => isBroken(this.pullRequest(number).file)) : changing;
    if (guilty.length === 0) return changing.length === 0 ? null : unreadable(changing);
    const number = guilty.length === 1 ? guilty[0]!.number : null;
    return { type: 'entry_refused', number, reason, details: 'as the file says' };
  }

  private treeAt(commit: string): Tree {
    return this.history.findLast(({ tip }) => tip.commit === commit)?.tree ?? this.target;
  }

  private statusesFor(ordered: readonly string[], base: Tree): Statuses {
    const refused = (reason: StartFailure): Statuses => ({ type: 'refused', reason, details: 'as the host says' });
    if (ordered.length > 0) return { type: 'found', names: ordered, source: 'merge_instance' };
    const file = this.fileIn(base);
    if (isBroken(file)) return unreadable([]);
    if (file.length > 0) return { type: 'found', names: file, source: 'trunk_config' };
    const names = this.protectedStatuses;
    if (names.length > 0) return { type: 'found', names, source: 'repo_provider_branch_protection' };
    return refused('start_test_run_no_required_statuses');
  }

  private build(command: StartTestRun, requiredStatuses: readonly string[]): Candidate | NotStarted {
    const base = this.treeOf(command.target.tree);
    const onto = command.onto.contains.length === 0 ? base : this.candidates.get(command.onto.commit)?.tree;
    if (onto === undefined) return { type: 'base_gone' };
    const { builtOn, own, run } = command;
    const conflict = this.conflictIn(onto, [...builtOn, ...own], base);
    if (conflict) return { type: 'conflict', ...conflict, files: ['a.txt'] };
    const tree = this.withChanges(onto, [...builtOn, ...own]);
    const isBare = command.onto.contains.length === 0 && builtOn.length === 0 && !command.keepsBase;
    const numbers = isBare ? this.nothingLeftOf(onto, own) : [];
    if (numbers.length > 0) return { type: 'nothing_to_merge', numbers };
    const made = { base, tree, own, builtOn: [...command.onto.contains, ...builtOn], requiredStatuses };
    return { run, commit: hash(`run ${run} ${tree.join(' ')}`), ...made };
  }

  /** The tree after these changes were added to it. If the tree has all of them already, returns the same tree. */
  private withChanges(tree: Tree, changes: readonly QueuedHead[]): Tree {
    return changes.reduce((now, change) => (this.isNothingOn(now, change) ? now : [...now, nameOf(change)]), tree);
  }

  /** Whether another change in the tree includes all changes of `name`. */
  hasChangesOf(tree: Tree, name: string): boolean {
    return name.includes('@') && this.isNothingOn(tree, { number: Number(name.split('@')[0]) });
  }

  isNothingOn(tree: Tree, { number }: Pick<QueuedHead, 'number'>): boolean {
    const { sameAs = [] } = this.pullRequest(number);
    return tree.some((name) => sameAs.some((other) => isCalled(name, other)));
  }

  /** The numbers of the first changes, up to the first one that changes something in the tree. */
  private nothingLeftOf(tree: Tree, changes: readonly QueuedHead[]): readonly number[] {
    const firstNew = changes.findIndex((change) => !this.isNothingOn(tree, change));
    return changes.slice(0, firstNew < 0 ? changes.length : firstNew).map(({ number }) => number);
  }

  private pushed(
    { run, about }: StartTestRun,
    { commit, tree, requiredStatuses }: Candidate,
    source: RequiredStatusesSource,
    at: Instant,
    seen: readonly PullRequestFacts[],
  ): QueueEvent {
    const branch = `sluice-merge/${about === null ? 'target' : `pr-${about}`}/${run}`;
    const told = { requiredStatuses, source, ...this.droppedBy(tree, requiredStatuses, source), at, seen };
    return { type: 'runPushed', run, branch, commit, tree: this.idOf(tree), ...told };
  }

  /** Statuses that the run requires, but that the configuration file of the candidate no longer has. */
  private droppedBy(tree: Tree, names: readonly string[], source: RequiredStatusesSource) {
    const file = this.fileIn(tree);
    if (source !== 'trunk_config' || isBroken(file)) return {};
    const dropped = names.filter((name) => !file.includes(name)).map((name) => ({ name, usualDelayMs: null }));
    return dropped.length === 0 ? {} : { dropped };
  }

  /**
   * The first change that conflicts with the tree built so far. `with` is `target` if the change conflicts with the
   * target alone.
   */
  private conflictIn(
    onto: Tree,
    chain: readonly QueuedHead[],
    target: Tree = onto,
  ): { number: number; with: 'target' | number } | null {
    let tree = onto;
    for (const change of chain) {
      const { conflictsWith } = this.pullRequest(change.number);
      const conflicting = (name: string): boolean => conflictsWith.some((other) => isCalled(name, other));
      if (target.some(conflicting)) return { number: change.number, with: 'target' };
      const ahead = tree.find(conflicting);
      if (ahead !== undefined) return { number: change.number, with: Number(ahead.split('@')[0]) };
      tree = [...tree, nameOf(change)];
    }
    return null;
  }

  private isChanged(change: QueuedHead): boolean {
    return this.pullRequest(change.number).head !== change.head || this.isTurnedAway(change.number);
  }

  private demandsOf(number: number): readonly UnmetDemand[] {
    return this.pullRequest(number).unmet ?? [];
  }

  private isKept(number: number): boolean {
    return this.pullRequest(number).mergeability === 'not_mergeable' || this.demandsOf(number).length > 0;
  }

  private isTurnedAway(number: number): boolean {
    return !isOpenFor(this.pullRequest(number), this.branch);
  }

  private move(commit: string, tree: Tree): void {
    this.history.push({ tip: { commit, tree: this.idOf(tree) }, tree });
  }
}

function leftOut(number: number): string {
  return `left-out-of-${number}`;
}

export function nameOf(change: Pick<QueuedHead, 'number' | 'head'>): string {
  return `${change.number}@${change.head}`;
}

function isCalled(name: string, other: number | string): boolean {
  return typeof other === 'string' ? name === other : name.startsWith(`${other}@`);
}

function isBroken(file: ConfigFileDay | undefined): file is StartFailure {
  return typeof file === 'string';
}

function unreadable(changes: readonly QueuedHead[]): Extract<NotStarted, { type: 'config_unreadable' }> {
  const numbers = changes.map(({ number }) => number);
  return { type: 'config_unreadable', numbers, problem: 'The file is broken (line 1).' };
}

function isUnknown({ mergeability }: PullRequestDay): boolean {
  return mergeability === 'unspecified' || mergeability === 'in_progress';
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
