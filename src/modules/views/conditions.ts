import { poolOf, runsUnderTest } from '../../engine/flow/runs';
import { flowOf, isFlow, requestedScheduling, schedulingOf } from '../../engine/flow-facts/scheduling';
import { longMerge } from '../../engine/explain/landing-at-host';
import { whatKeepsTests } from '../../engine/explain/starting';
import type { Freeze, PartialLanding, QueueSnapshot } from '../../engine/model';
import { searchSlotsInUse, searchSlotsOf, slotsInUse, slotsOf } from '../../engine/policy/slots';
import type { Instant } from '../../engine/vocabulary';
import { numbersOfHeads, timeOrNull } from './answers';
import type { QueueConditions, QueueSlots } from './queue-conditions.dto';

/** Columns of the queue that the engine does not read. */
interface StateColumns {
  readonly stateChangedAt: Date | null;
  readonly stateActor: string | null;
  readonly failures: number;
}

export function conditionsOf(queue: QueueSnapshot, row: StateColumns, now: Instant): QueueConditions {
  const { state, settings, mode, partialLanding: part } = queue;
  const isHeld = state === 'paused' || state === 'draining';
  const freeze = queue.freezes.find(({ from, until }) => from <= now && now < until);
  return {
    state,
    since: timeOrNull(row.stateChangedAt),
    by: row.stateActor,
    reason: isHeld ? settings.pauseReason : null,
    waitingFor: whatKeepsTests(queue, now),
    mode,
    scheduling: schedulingOf(queue),
    switchingTo: switchOf(queue),
    landing: landingOf(queue, now),
    freeze: freeze ? freezeNow(freeze) : null,
    mergeLimit: limitOf(queue),
    redTarget: redTargetOf(queue),
    partlyLanded: part && leftBehind(part),
    outage: outageOf(queue),
    failedDecisions: row.failures,
  };
}

export function slotUseOf(queue: QueueSnapshot): QueueSlots {
  if (isFlow(queue)) return { line: { inUse: runsUnderTest(queue).length, all: poolOf(queue) }, searches: null };
  return {
    line: { inUse: slotsInUse(queue), all: slotsOf(queue) },
    searches: { inUse: searchSlotsInUse(queue), all: searchSlotsOf(queue) },
  };
}

function switchOf(queue: QueueSnapshot): QueueConditions['switchingTo'] {
  const scheduling = requestedScheduling(queue);
  if (queue.state !== 'switching_modes') return null;
  return { mode: queue.requestedMode, scheduling, then: queue.stateAfterSwitch ?? 'running' };
}

function landingOf(queue: QueueSnapshot, now: Instant): QueueConditions['landing'] {
  const { landing, runs } = queue;
  if (landing === null) return null;
  const heads =
    landing.changes ?? landing.runs.flatMap((number) => runs.find((run) => run.number === number)?.own ?? []);
  const orderedAt = new Date(landing.orderedAt).toISOString();
  return { members: numbersOfHeads(heads), orderedAt, waitingFor: longMerge(queue, now) };
}

function freezeNow({ from, until, exceptPriorityAtMost, isEndless }: Freeze): QueueConditions['freeze'] {
  const ends = isEndless ? null : new Date(until).toISOString();
  return { from: new Date(from).toISOString(), until: ends, exceptPriorityAtMost };
}

function limitOf({ settings, mergedLately }: QueueSnapshot): QueueConditions['mergeLimit'] {
  const { maxMergesPerHour: perHour } = settings;
  if (perHour === null) return null;
  return { perHour, mergedLately: mergedLately.reduce((sum, { count }) => sum + count, 0) };
}

function leftBehind({ landed, why, wrongTrees = [], isMixed }: PartialLanding): QueueConditions['partlyLanded'] {
  const wrong = wrongTrees.map(({ number: prNumber, commit, expected: expectedTree, found: tree, files, patch }) => {
    return { prNumber, commit, expectedTree, tree, files: [...files], patch };
  });
  return { landed: [...landed], why, wrongTrees: wrong, isMixed: isMixed === true };
}

function redTargetOf(queue: QueueSnapshot): QueueConditions['redTarget'] {
  const { partialLanding: part } = queue;
  if (part !== null && part.problem !== null) return { since: null, problem: part.problem };
  const { redTarget } = flowOf(queue);
  return redTarget && { since: new Date(redTarget.since).toISOString(), problem: null };
}

function outageOf({ hostUnreachableSince, hostRefusal }: QueueSnapshot): QueueConditions['outage'] {
  if (hostUnreachableSince === null) return null;
  return { since: new Date(hostUnreachableSince).toISOString(), refusal: hostRefusal };
}
