import { decide } from '../../../src/engine/decide';
import type { Decided } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import { violations } from '../../../src/engine/invariants';
import type { QueueSnapshot, StatusFact, Tip } from '../../../src/engine/model';
import { type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { withoutHistory, withoutLate } from './history';
import { failsInnocent } from './promises';
import { share, type ExhaustiveCase, type State, type Step } from './state';

const START: Instant = Date.UTC(2026, 0, 1);
/** A timeout so long that no test times out. */
const NEVER_MINUTES = 10_000_000;
/** How often the target alone may fail. Without a limit, a target that always fails would be tested for ever. */
const MOST_TARGET_FAILURES = 2;
/** The most decisions that may follow one decision at the same instant. */
const DECISIONS_AT_ONCE = 20;

export function begin({ settings, mode, disturbances, failures = Infinity }: ExhaustiveCase): State {
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
    targetFailures: MOST_TARGET_FAILURES,
    failures,
    passed: [],
    red: [],
  };
}

/** Decides on the event, and then on everything that is due at the same instant. A refused event changes nothing. */
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
    // A stopped test run leaves no branch to remove in this world, so the task is dropped.
    const tasks = [...so.tasks, ...commands.filter(({ type }) => type !== 'stopTestRun')];
    so = { ...so, queue: withoutHistory(after), tasks, wakeAt };
    if (wakeAt === null || wakeAt > now) return withoutLate(so);
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

/** For each entry, the entries and landed changes that share a target with it, in both directions. */
function sharingIn(facts: ExhaustiveCase, queue: QueueSnapshot, event: QueueEvent): QueueSnapshot['sharing'] {
  if (facts.mode !== 'parallel') return new Map();
  const arriving = event.type === 'pullRequestSubmitted' ? [event.facts.number] : [];
  const numbers = new Set([...queue.entries, ...queue.landed].map(({ number }) => number).concat(arriving));
  return new Map(
    [...numbers].map((one) => [idOf(one), new Set([...numbers].filter((other) => share(facts, one, other)).map(idOf))]),
  );
}

export function withReport(state: State, commit: string, report: StatusFact['state']): State {
  const fact = { commit, kind: 'status', name: 'ci', app: null, state: report, reportedAt: state.now } as const;
  const reports = [...state.queue.reports.filter((other) => other.commit !== commit), fact];
  return { ...state, queue: { ...state.queue, reports } };
}

export function idOf(number: number): string {
  return `entry-${number}`;
}

export const SHORT_WAIT: Instant = 120 * MINUTE;
