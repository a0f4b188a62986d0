import type { Change } from '../changes';
import type { Entry, FlowRole, FlowRun, QueuedHead, QueueSnapshot, TestRun } from '../model';
import { baseNow, newRun, startOrder } from '../policy/new-run';
import { NOTHING, type StepResult } from '../policy/step-result';
import { searchSlotsOf, slotsOf } from '../policy/slots';
import type { Instant, RunKind } from '../vocabulary';
import { contentOf, headNow, holds, isExact, isUndone, openEntries } from './heads';
import { flowOf, standingOf } from '../flow-facts/scheduling';

/** A test run of a flow queue. */
export type FlowTestRun = TestRun & { readonly flow: FlowRun };

export function flowRuns(queue: QueueSnapshot): readonly FlowTestRun[] {
  return queue.runs.filter((run): run is FlowTestRun => run.flow !== undefined);
}

/** Runs that hold a slot: built or tested. */
export function runsUnderTest(queue: QueueSnapshot): readonly FlowTestRun[] {
  return flowRuns(queue).filter(({ phase }) => phase === 'building' || phase === 'testing');
}

/**
 * The number of slots, which new entries and suspects share: `concurrency` plus `bisectionConcurrency`, up to the limit
 * of the service.
 */
export function poolOf(queue: QueueSnapshot): number {
  return Math.min(slotsOf(queue) + searchSlotsOf(queue), queue.limits.runsInFlight);
}

export function freeSlots(queue: QueueSnapshot): number {
  return poolOf(queue) - runsUnderTest(queue).length;
}

export function isOwnOf(run: TestRun, entry: Entry): boolean {
  return holds(run.own, headNow(entry));
}

/** Whether a run under test has this entry as one of its own, so that its result decides about the entry. */
export function isUnderTest(queue: QueueSnapshot, entry: Entry): boolean {
  return runsUnderTest(queue).some((run) => isOwnOf(run, entry));
}

/** Whether a run under test contains this change and could land it. */
export function isOnItsWay(queue: QueueSnapshot, head: QueuedHead): boolean {
  return runsUnderTest(queue).some(
    (run) => holds(contentOf(run), head) && !isOfDryRun(queue, run) && isExact(queue, run),
  );
}

/** Whether the run tests a dry run: then the run lands nothing, and no other run is built on it. */
export function isOfDryRun(queue: QueueSnapshot, run: TestRun): boolean {
  return openEntries(queue, run.own).some(({ dryRun }) => dryRun);
}

/** The runs of urgent entries that have not failed yet: no landing may change the base of these runs. */
export function urgentUnderTest(queue: QueueSnapshot): readonly FlowTestRun[] {
  return runsUnderTest(queue).filter(
    (run) => run.flow.isUrgent && !isOfDryRun(queue, run) && run.own.some((head) => isSpeculative(queue, head)),
  );
}

function isSpeculative(queue: QueueSnapshot, head: QueuedHead): boolean {
  const entry = queue.entries.find(({ id }) => id === head.entryId);
  return isUndone(queue, head) && entry !== undefined && standingOf(entry).reds === 0;
}

interface NewFlowRun {
  readonly role: FlowRole;
  readonly own: readonly Entry[];
  readonly builtOn: readonly QueuedHead[];
  readonly assumed?: readonly QueuedHead[];
  readonly set?: number;
  readonly isUrgent?: boolean;
}

/** In the API, tests of suspects are part of a bisection. */
const KIND_OF: Record<FlowRole, RunKind> = {
  group: 'line',
  half: 'search',
  alone: 'verify',
  check: 'line',
  target: 'target',
};

export function begun(queue: QueueSnapshot, wanted: NewFlowRun, now: Instant): StepResult {
  const base = baseNow(queue);
  if (base === null) return NOTHING;
  const { role, own, builtOn, assumed = [], set = 0, isUrgent = false } = wanted;
  const kind = isUrgent ? 'line' : KIND_OF[role];
  const particulars = { kind, place: 0, search: null, base, builtOn, own: own.map(headNow) } as const;
  const run: TestRun = {
    ...newRun(queue, particulars, now),
    flow: { role, assumed, set, isUrgent, streak: flowOf(queue).streak },
  };
  const started: Change = { type: 'runStarted', run };
  return { changes: [started], commands: [{ ...startOrder(queue, run, now), reuseSince: null }] };
}
