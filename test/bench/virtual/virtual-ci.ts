import type { Command, LandRun, StartTestRun } from '../../../src/engine/commands';
import type { Change } from '../../../src/engine/changes';
import { decide } from '../../../src/engine/decide';
import type { QueueEvent } from '../../../src/engine/events';
import type { PullRequestFacts, QueueSnapshot } from '../../../src/engine/model';
import { assertNever, type Instant, type RunKind } from '../../../src/engine/vocabulary';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import { Agenda } from '../../../src/processing/replay/agenda';
import { type Breaks, type Tree, Trees } from './trees';

/** Properties of a virtual day's changes, and the machines that build them. */
export interface VirtualWorld {
  readonly breaks: Breaks;
  /** Duration of a test run of the changes `own`, on top of the changes `builtOn`. */
  buildTime(own: readonly number[], builtOn: readonly number[], now: Instant): Instant;
  /** Whether a run fails although its tree is good. */
  flakes(): boolean;
  /** Whether CI is down at any time in this period, so that a test in it fails. If absent, CI is never down. */
  isDown?(from: Instant, until: Instant): boolean;
  /** Time from the command for a test run to its testing branch. */
  readonly startTime: Instant;
  readonly landTime: Instant;
}

export type Conclusion = 'merged' | 'failed';

interface Build {
  readonly commit: string;
  readonly startedAt: Instant;
}

/** The result of a tree, which a later run of the same tree may reuse. */
interface Known {
  readonly verdict: 'passed' | 'failed';
  readonly at: Instant;
}

const STATUS = 'ci';

/**
 * A queue in virtual time. The engine decides, and this class carries out the engine's commands and reports the
 * outcomes. Only decisions cost real time.
 */
export class VirtualCi {
  now: Instant = Date.UTC(2026, 0, 1);
  /**
   * `runs` counts started tests by purpose. `reused` counts tests that were not started because their tree already had
   * a result.
   */
  readonly counts = {
    decisions: 0,
    aborted: 0,
    reused: 0,
    runs: { line: 0, search: 0, verify: 0, direct: 0, target: 0 },
  };
  readonly agenda = new Agenda();
  readonly trees: Trees;
  /** Called for every change of the queue. */
  onChange: (change: Change) => void = () => undefined;
  onConcluded: (number: number, conclusion: Conclusion) => void = () => undefined;
  /** Called with the queue after a decision. */
  onDecided: (queue: QueueSnapshot) => void = () => undefined;
  private readonly builds = new Map<number, Build>();
  /** Test runs that were ordered and have not started yet. */
  private readonly toStart = new Map<number, RunKind>();
  private readonly known = new Map<string, Known>();
  private wakeAt: Instant | null = null;

  constructor(
    private readonly store: EngineStore,
    private readonly world: VirtualWorld,
  ) {
    this.trees = new Trees(world.breaks);
    this.tell({ type: 'targetSeen', tip: this.trees.tip(), seenAt: this.now });
  }

  submit(number: number, targets: ReadonlySet<string> | null = null): void {
    if (targets) this.store.giveTargets(number, headOf(number), targets);
    const via = { via: 'api', actor: null } as const;
    const newEntryId = entryId(number);
    this.tell({ type: 'pullRequestSubmitted', newEntryId, facts: this.facts(number), hasTargets: true, ...via });
  }

  /** Lets time pass until `isDone`. Returns false when nothing more is scheduled. */
  runUntil(isDone: () => boolean): boolean {
    while (!isDone()) {
      const next = this.agenda.firstAt();
      if (this.wakeAt !== null && (next === null || this.wakeAt <= next)) {
        this.now = Math.max(this.now, this.wakeAt);
        this.wakeAt = null;
        this.tell({ type: 'clockTicked' });
      } else if (next !== null) {
        this.now = next;
        this.agenda.takeFirst()?.();
      } else return false;
    }
    return true;
  }

  private tell(event: QueueEvent): void {
    const decision = decide(this.store.load(event, this.now), event, this.now);
    if (decision.type === 'refused') throw new Error(decision.refusal.message);
    this.counts.decisions++;
    this.store.save(decision);
    this.wakeAt = decision.wakeAt;
    for (const change of decision.changes) this.note(change);
    this.onDecided(decision.after);
    for (const command of decision.commands) this.carryOut(command);
  }

  private note(change: Change): void {
    this.onChange(change);
    if (change.type === 'runStarted') this.toStart.set(change.run.number, change.run.kind);
    if (change.type === 'entryMoved' && (change.to === 'merged' || change.to === 'failed'))
      this.onConcluded(numberOf(change.entryId), change.to);
  }

  private carryOut(command: Command): void {
    switch (command.type) {
      case 'startTestRun':
        return this.agenda.add(this.now + this.world.startTime, () => this.start(command));
      case 'stopTestRun':
        return this.stop(command.run);
      case 'landRun':
        return this.agenda.add(this.now + this.world.landTime, () => this.land(command));
      default:
        return assertNever(command);
    }
  }

  private start(command: StartTestRun): void {
    const kind = this.toStart.get(command.run);
    if (!kind) return;
    this.toStart.delete(command.run);
    const chain = [...command.builtOn, ...command.own].map(numberIn);
    const tree = this.trees.grow(this.trees.at(command.onto.commit), chain);
    const commit = `run-${command.run}`;
    this.trees.keep(commit, tree);
    const made = { run: command.run, commit, tree: tree.id, requiredStatuses: [STATUS], seen: this.seen(command) };
    const told = { ...made, source: 'merge_instance', at: this.now } as const;
    const known = this.known.get(tree.id);
    if (known && command.reuseSince !== null && known.at >= command.reuseSince) {
      this.counts.reused++;
      return this.tell({ type: 'runResultKnown', ...told, red: known.verdict === 'failed' ? [STATUS] : [] });
    }
    this.counts.runs[kind]++;
    this.build(command, tree, commit);
    this.tell({ type: 'runPushed', ...told, branch: `testing/${command.run}` });
  }

  private build(command: StartTestRun, tree: Tree, commit: string): void {
    this.builds.set(command.run, { commit, startedAt: this.now });
    const isRed = tree.isRed || this.world.flakes();
    const builtOn = [...command.onto.contains, ...command.builtOn];
    const length = this.world.buildTime(command.own.map(numberIn), builtOn.map(numberIn), this.now);
    const isDown = this.world.isDown?.(this.now, this.now + length) ?? false;
    this.agenda.add(this.now + length, () => this.end(command.run, tree, isRed || isDown ? 'failed' : 'passed'));
  }

  /** All results of one instant are reported before the queue decides on any of them. */
  private end(run: number, tree: Tree, state: Known['verdict']): void {
    const build = this.builds.get(run);
    if (!build) return;
    this.builds.delete(run);
    this.known.set(tree.id, { verdict: state, at: this.now });
    const { commit } = build;
    this.store.report({ commit, kind: 'status', name: STATUS, app: null, state, reportedAt: this.now });
    this.agenda.add(this.now, () => this.tell({ type: 'statusReported', commit }));
  }

  private stop(run: number): void {
    if (this.builds.delete(run)) this.counts.aborted++;
    this.toStart.delete(run);
  }

  private land(command: LandRun): void {
    const { landing } = command;
    const tip = this.trees.tip();
    if (command.expectedTip.commit !== tip.commit) throw new Error(`landing ${landing} expects another tip`);
    for (const change of command.changes) this.trees.land(change.number);
    const made = this.trees.tip();
    const commits = command.changes.map((change) => ({ number: change.number, ...made }));
    this.tell({ type: 'landed', landing, tip: made, commits, at: this.now });
  }

  private seen(command: StartTestRun): readonly PullRequestFacts[] {
    return command.own.map((change) => this.facts(change.number));
  }

  private facts(number: number): PullRequestFacts {
    const names = { title: `Change ${number}`, author: 'ann', head: headOf(number), headBranch: null, base: 'main' };
    return { number, ...names, state: 'open', draft: false, mergeability: 'mergeable', seenAt: this.now };
  }
}

function numberIn(change: { readonly number: number }): number {
  return change.number;
}

function entryId(number: number): string {
  return `entry-${number}`;
}

export function numberOf(id: string): number {
  return Number(id.slice('entry-'.length));
}

export function headOf(number: number): string {
  return `head-${number}`;
}
