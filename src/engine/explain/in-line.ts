import { targetIsRed } from '../messages/status/flow';
import * as say from '../messages/status/line';
import {
  anotherIsMerged,
  hostIsUnreachable,
  isDue,
  mergesAreFrozen,
  mergesAreFrozenForGood,
  nothingMerges,
  waitsForLimit,
} from '../messages/status/queue';
import { hostWaits } from '../messages/status/readiness';
import { waitsForStatuses } from '../messages/status/statuses';
import { aFreeSlot, goesFirst, pendingFor, thoseBuiltFirst, waitsForItsHead } from '../messages/status/turn';
import { plain } from '../wording/markdown';
import * as verdict from '../messages/status/verdict';
import { numbersIn } from '../wording/words';
import type { Entry, Landing, QueueSnapshot, RunFailure, TestRun } from '../model';
import { assumedAhead } from '../policy/base';
import { finishedBehind, isDepthSettled } from '../policy/failure-depth';
import { dependenciesOf } from '../policy/lanes';
import { queuedHeadsOf, type Group, includesHead, isDryRun, lineOf } from '../policy/line';
import { areFrozenForGood, frozenUntil } from '../policy/freeze';
import { overtaker } from '../policy/free-slot';
import { nextLanding } from '../policy/next-landing';
import { isDecidable, isProof, proofOf } from '../policy/proof';
import { mayLand } from '../policy/slots';
import { isHeadUnclear } from '../policy/stacks';
import { statusesOf } from '../policy/statuses';
import { targetRedSince } from '../policy/verdict';
import { assertNever, type Instant } from '../vocabulary';
import { withHostsPart } from './landing-at-host';
import { candidateInTheMaking, whatKeepsTests } from './starting';
import { slotsOfLine, whyTooUncertain } from './waiting';

/** Why an entry in the line has not landed yet. */
export function whyInLine(queue: QueueSnapshot, group: Group, entry: Entry, now: Instant): string {
  const { run } = group;
  if (run === null) return whyNotBuilt(queue, group, entry, now);
  const ahead = numbersOf(assumedAhead(queue, group));
  switch (run.phase) {
    case 'building':
      return whyBuilding(queue, run, ahead, now);
    case 'testing': {
      const dependsOn = queue.mode === 'parallel' ? ahead : [];
      const waits = waitsForStatuses(queue, run, statusesOf(queue, run), now);
      return (
        whyProven(queue, group, now) ?? `${waits}${say.testedWith(entry, run, dependsOn)}${say.startedAgain(entry)}`
      );
    }
    case 'conflicted':
      return whyConflicted(queue, group, run);
    case 'passed':
      return whyPassed(queue, group, run, now);
    case 'landing':
      return whyLanding(queue, entry, run, now);
    case 'failed':
      return whyProven(queue, group, now) ?? whyFailed(queue, group, run, now);
    case 'ended':
      return isDue();
    default:
      return assertNever(run.phase);
  }
}

function whyNotBuilt(queue: QueueSnapshot, group: Group, entry: Entry, now: Instant): string {
  const ahead = numbersOf(assumedAhead(queue, group));
  const kept = whatKeepsTests(queue, now);
  if (kept !== null) return `${kept}${goesFirst(entry)}${pendingFor(entry, now)}`;
  const redSince = targetRedSince(queue);
  if (redSince !== null && !entry.urgentInLine) return targetIsRed(queue.branch, now - redSince, entry, now);
  const slots = slotsOfLine(queue);
  if (slots.inUse >= slots.all) return say.willBeTested(entry, ahead, aFreeSlot(slots), now);
  const built = candidateInTheMaking(queue);
  const uncertain = built === null ? whyTooUncertain(queue, assumedAhead(queue, group)) : null;
  if (uncertain !== null) return say.willBeTested(entry, ahead, uncertain, now);
  const overtakes = built === null && queue.mode === 'parallel' ? overtaker(queue, group, now) : null;
  if (overtakes !== null) return say.willBeTested(entry, ahead, say.thoseWithoutItFirst(numbersOf([overtakes])), now);
  const first = lineOf(queue).find((other) => other.run === null) ?? group;
  const others = built ? numbersIn(built) : first === group ? [] : numbersOf([first]);
  return say.willBeTested(entry, ahead, others.length > 0 ? thoseBuiltFirst(others) : say.itsCommitIsNext(), now);
}

function whyBuilding(queue: QueueSnapshot, run: TestRun, ahead: readonly number[], now: Instant): string {
  const unreachableSince = queue.hostUnreachableSince;
  return unreachableSince === null
    ? say.commitIsBuilt(run, ahead, now)
    : hostIsUnreachable(queue, unreachableSince, now);
}

function whyConflicted(queue: QueueSnapshot, group: Group, run: TestRun): string {
  const { conflict } = run;
  if (conflict === null) return isDue();
  const ahead = numbersOf(dependenciesOf(queue, group));
  if (ahead.includes(conflict.with)) return say.conflictsWithAhead(conflict, plain);
  return say.conflictsWithLanded(queue, conflict, stillAhead(queue, group, run));
}

function whyPassed(queue: QueueSnapshot, group: Group, run: TestRun, now: Instant): string {
  const ahead = assumedAhead(queue, group);
  const numbers = numbersOf(ahead);
  if (isDryRun(group) && ahead.length > 0) return verdict.dryRunPassedBehind(run, numbers, now);
  if (!mayLand(queue) || queue.tip === null) return verdict.passedBut(run, numbers, nothingMerges(queue), now);
  const isFirst = ahead.length === 0;
  const untested = ahead.filter((other) => other.run === null || !isDecidable(other.run));
  if (!isFirst && queue.settings.canOptimisticallyMerge && untested.length > 0)
    return verdict.passedBeforeThoseAhead(run, numbers, numbersOf(untested), now);
  const unmet = [...(isFirst ? [] : ahead), group].flatMap(({ entries }) =>
    entries.flatMap(({ pullRequest }) => pullRequest.unmet ?? []),
  );
  const isNext = isFirst || (queue.settings.canOptimisticallyMerge && isProof(queue, group));
  if (isNext && unmet.length > 0) return verdict.passedBut(run, numbers, hostWaits(queue, unmet, plain), now);
  const unclear = isNext ? group.entries.find(isHeadUnclear) : undefined;
  if (unclear) return verdict.passedBut(run, numbers, waitsForItsHead(queue, unclear), now);
  if (isNext)
    return verdict.passedBut(
      run,
      numbers,
      whatKeepsFromLanding(queue, [...ahead, group], now) ?? verdict.mergesNext(),
      now,
    );
  const red = ahead.filter((other) => other.run?.phase === 'failed');
  return verdict.passedBehind(run, numbers, numbersOf(red), now);
}

/** Why a run that a later passed run proves has not landed yet; the two land together. Null if no run proves it. */
function whyProven(queue: QueueSnapshot, group: Group, now: Instant): string | null {
  const proof = proofOf(queue, group);
  if (proof === null) return null;
  return verdict.provenBut(proof, whatKeepsFromLanding(queue, [group], now) ?? verdict.mergesNext(), now);
}

function whatKeepsFromLanding(queue: QueueSnapshot, groups: readonly Group[], now: Instant): string | null {
  if (!mayLand(queue) || queue.tip === null) return nothingMerges(queue);
  const entries = groups.flatMap((group) => group.entries);
  if (areFrozenForGood(queue, entries, now)) return mergesAreFrozenForGood();
  const until = frozenUntil(queue, entries, now);
  if (until !== null) return mergesAreFrozen(until, now);
  const { landing } = queue;
  if (landing === null) return whatLimitsMerges(queue, now);
  const first = anotherIsMerged(landingRuns(queue, landing).flatMap(numbersIn), landing.orderedAt, now);
  return withHostsPart(queue, first, now);
}

function whatLimitsMerges(queue: QueueSnapshot, now: Instant): string | null {
  const next = nextLanding(queue, now);
  if (next === null || next.from <= now) return null;
  return waitsForLimit(queue, next.runs.flatMap(numbersIn), next.from, now);
}

function whyLanding(queue: QueueSnapshot, entry: Entry, run: TestRun, now: Instant): string {
  const { landing } = queue;
  if (landing === null) return isDue();
  const last = landingRuns(queue, landing).at(-1) ?? run;
  const lands =
    run.kind === 'direct'
      ? verdict.isMergedDirectly(queue, entry, landing.orderedAt, now)
      : verdict.isBeingMerged(queue, run, last, landing.orderedAt, now);
  return withHostsPart(queue, lands, now);
}

function landingRuns(queue: QueueSnapshot, landing: Landing): readonly TestRun[] {
  return landing.runs.flatMap((number) => queue.runs.filter((run) => run.number === number));
}

function whyFailed(queue: QueueSnapshot, group: Group, run: TestRun, now: Instant): string {
  const { failure } = run;
  if (failure === null) return isDue();
  const ahead = stillAhead(queue, group, run);
  const depth = whyDeep(queue, group, failure, now);
  if (ahead.length > 0) {
    const behind = verdict.failedBehind(run, failure, ahead, now);
    return depth === null ? behind : `${behind}. ${depth}`;
  }
  return `${verdict.failedAlone(run, failure, now)}. ${depth ?? verdict.verdictIsDue()}`;
}

function whyDeep(queue: QueueSnapshot, group: Group, { depth }: RunFailure, now: Instant): string | null {
  if (isDepthSettled(queue, group, depth, now)) return null;
  return verdict.waitsForDepth(depth, finishedBehind(queue, group), queue.settings.canOptimisticallyMerge);
}

/**
 * The numbers of the entries of the run's base that are still ahead, assumed to pass or not. While there are any, the
 * result of the run is not final.
 */
function stillAhead(queue: QueueSnapshot, group: Group, run: TestRun): readonly number[] {
  const ahead = dependenciesOf(queue, group).flatMap(queuedHeadsOf);
  return run.builtOn.filter((change) => includesHead(ahead, change)).map((change) => change.number);
}

function numbersOf(groups: readonly Group[]): readonly number[] {
  return groups.flatMap(({ entries }) => entries.map((entry) => entry.number));
}
