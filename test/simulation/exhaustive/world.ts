import type { Command } from '../../../src/engine/commands';
import { decide } from '../../../src/engine/decide';
import type { Decided } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import { FLOW_AT_START } from '../../../src/engine/flow/state';
import { violations } from '../../../src/engine/invariants';
import type { QueuedHead, QueueSettings, QueueSnapshot, StatusFact, Tip } from '../../../src/engine/model';
import { type Instant, MINUTE, type QueueMode } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';

/** What happens beside submissions, passes and failures: each so often as a case allows. */
export const DISTURBANCES = ['cancel', 'push', 'inconclusive', 'target moved', 'wrong tree', 'restart'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** Which queue, which pull requests, and what may happen. */
export interface ExhaustiveCase {
  readonly name: string;
  readonly entries: number;
  readonly mode: QueueMode;
  readonly settings: Partial<QueueSettings>;
  readonly disturbances: readonly Disturbance[];
  /** How many tests of pull requests may fail. `any`: however many. */
  readonly failures: number | 'any';
  /** In parallel mode: the impacted targets of each pull request. */
  readonly targets: readonly (readonly string[])[];
}

export interface Pull {
  readonly number: number;
  readonly head: string;
  readonly state: 'open' | 'merged';
}

/** All that decides what may happen next. Nothing in it ever changes: a move makes a new one. */
export interface State {
  /** With everything in it, however much waits. */
  readonly queue: QueueSnapshot;
  readonly now: Instant;
  /** When the queue wants to decide by itself; null: never. */
  readonly wakeAt: Instant | null;
  readonly pulls: readonly Pull[];
  /** Ordered, and not carried out. Those of one subject in order. */
  readonly tasks: readonly Command[];
  /** What became of tasks, as long as the queue has not heard it. */
  readonly outcomes: readonly QueueEvent[];
  /** At the host, as the queue may not know it yet. */
  readonly tip: Tip;
  readonly left: readonly Disturbance[];
  /** How many tests of pull requests, and of the target alone, may still fail. */
  readonly failures: number | 'any';
  readonly targetFailures: number;
  /** The host writes the wrong content the next time it merges. */
  readonly isHostWrong: boolean;
  /** Trees that passed, and `entry@head in tree` of what failed. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

export type Step = { readonly state: State } | { readonly problem: string };

const START: Instant = Date.UTC(2026, 0, 1);
/** No test takes that long: nothing times out. */
const NEVER_MINUTES = 10_000_000;
/** A target that fails for ever is tested for ever. */
const MOST_TARGET_FAILURES = 2;
/** A decision that is due at once may be followed by so many others. */
const DECISIONS_AT_ONCE = 20;

export function begin({ settings, mode, disturbances, failures }: ExhaustiveCase): State {
  const tip: Tip = { commit: 'start', tree: 'main' };
  const queue = emptyQueue({ ...DEFAULT_SETTINGS, testingTimeoutMinutes: NEVER_MINUTES, ...settings }, tip);
  return {
    queue: { ...queue, mode },
    now: START,
    wakeAt: null,
    pulls: [],
    tasks: [],
    outcomes: [],
    tip,
    left: disturbances,
    failures,
    targetFailures: MOST_TARGET_FAILURES,
    isHostWrong: false,
    passed: [],
    failed: [],
  };
}

/** What the event decides, and what is due at once after it. A refusal changes nothing. */
export function happen(facts: ExhaustiveCase, state: State, event: QueueEvent): Step {
  let so = state;
  let next: QueueEvent = event;
  for (let times = 0; times < DECISIONS_AT_ONCE; times++) {
    const { queue, now } = so;
    const before = { ...queue, sharing: sharingIn(facts, queue, next) };
    const decision = attempt(before, next, now);
    if (typeof decision === 'string') return { problem: decision };
    if (decision.type === 'refused') return { state: so };
    const wrong = [...violations(before, decision), ...failsInnocent(so, decision)];
    if (wrong.length > 0) return { problem: wrong.join('; ') };
    const { after, commands, wakeAt, changes } = decision;
    // Here a test run that is stopped has no branch to remove.
    const tasks = [...so.tasks, ...commands.filter(({ type }) => type !== 'stopTestRun')];
    so = { ...so, queue: withoutHistory(after), tasks, wakeAt };
    if (wakeAt === null || wakeAt > now) return { state: so };
    if (changes.length === 0 && next.type === 'clockTicked')
      return { problem: 'it wants to decide again at once, although nothing changed' };
    next = { type: 'clockTicked' };
  }
  return { problem: `it is due at once again and again after ${event.type}` };
}

function attempt(queue: QueueSnapshot, event: QueueEvent, now: Instant): Decided | { type: 'refused' } | string {
  try {
    return decide(queue, event, now);
  } catch (error) {
    return (error as Error).message;
  }
}

/** A pull request fails for a test only if a test of it at its head failed. */
function failsInnocent({ failed }: State, { changes, after }: Decided): readonly string[] {
  return changes.flatMap((change) => {
    if (change.type !== 'entryMoved' || change.to !== 'failed') return [];
    if (change.because !== 'test_run_required_status_failed') return [];
    const entry = after.entries.find(({ id }) => id === change.entryId);
    if (entry === undefined || failed.some((one) => one.startsWith(`${entry.number}@${entry.head} `))) return [];
    return [`#${entry.number} fails, and no test of it did`];
  });
}

/**
 * Reports on commits that no run tests any more say nothing, nor does what landed before the oldest base. What a queue learns over months makes groups larger or smaller; here it
 * learns nothing, so that its states have an end.
 */
function withoutHistory(queue: QueueSnapshot): QueueSnapshot {
  const commits = new Set(queue.runs.map(({ commit }) => commit));
  const reports = queue.reports.filter(({ commit }) => commits.has(commit));
  const flow = queue.flow && { ...queue.flow, learned: FLOW_AT_START.learned, areas: [], tested: 0 };
  const bases = [...queue.runs, ...queue.searches].map(({ base }) => base).filter(({ epoch }) => epoch === queue.epoch);
  const oldest = Math.min(...bases.map(({ landedSeq }) => landedSeq));
  const landed = queue.landed.filter(({ seq, epoch }) => epoch === queue.epoch && seq > oldest);
  return { ...queue, reports, landed, ...(flow && { flow }) };
}

/** Both directions, with what landed. */
function sharingIn(facts: ExhaustiveCase, queue: QueueSnapshot, event: QueueEvent): QueueSnapshot['sharing'] {
  if (facts.mode !== 'parallel') return new Map();
  const arriving = event.type === 'pullRequestSubmitted' ? [event.facts.number] : [];
  const numbers = new Set([...queue.entries, ...queue.landed].map(({ number }) => number).concat(arriving));
  return new Map(
    [...numbers].map((one) => [idOf(one), new Set([...numbers].filter((other) => share(facts, one, other)).map(idOf))]),
  );
}

/** Whether two pull requests have an impacted target in common. */
export function share({ targets }: ExhaustiveCase, one: number, other: number): boolean {
  return one !== other && (targets[one - 1] ?? []).some((name) => targets[other - 1]?.includes(name));
}

export function withReport(state: State, commit: string, report: StatusFact['state']): State {
  const fact = { commit, kind: 'status', name: 'ci', app: null, state: report, reportedAt: state.now } as const;
  const reports = [...state.queue.reports.filter((other) => other.commit !== commit), fact];
  return { ...state, queue: { ...state.queue, reports } };
}

export function idOf(number: number): string {
  return `entry-${number}`;
}

/** As it stands in trees. */
export function nameOf({ number, head }: Pick<QueuedHead, 'number' | 'head'>): string {
  return `${number}@${head}`;
}

export const SHORT_WAIT: Instant = 120 * MINUTE;
