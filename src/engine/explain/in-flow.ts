import { mayNotFit, riskiestArea } from '../flow/areas';
import { areaFigure, figuresOf, redsNeeded } from '../flow-facts/chances';
import { contentOf, entryOfId, headNow, headsLanding, holds, isUndone, openEntries } from '../flow/heads';
import { isReadyFor } from '../flow/needs';
import { type FlowGroup, groupSize, nextGroup } from '../flow/next-group';
import { nextFlowLanding } from '../flow/next-landing';
import { owedEntry } from '../flow/riders';
import {
  type FlowTestRun,
  flowRuns,
  freeSlots,
  isOnItsWay,
  poolOf,
  runsUnderTest,
  urgentUnderTest,
} from '../flow/runs';
import { isAt, suspectSets } from '../flow/standing';
import { waitsForSpeculation } from '../flow/waiting';
import * as say from '../messages/status/flow';
import { plain } from '../wording/markdown';
import {
  anotherIsMerged,
  hostIsUnreachable,
  isDue,
  mergesAreFrozen,
  mergesAreFrozenForGood,
  nothingMerges,
  waitsForLimit,
} from '../messages/status/queue';
import { hostWaits, waitsForHostsWord } from '../messages/status/readiness';
import { waitsForStatuses } from '../messages/status/statuses';
import { aFreeSlot, goesFirst, itsTurn, pendingFor, waitsForConfig, waitsForItsHead } from '../messages/status/turn';
import { commitIsBuilding, startedAgain } from '../messages/status/line';
import { mergesNext } from '../messages/status/verdict';
import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { areFrozenForGood, frozenUntil } from '../policy/freeze';
import { comparePending, configWaitedFor } from '../policy/order';
import { isAnythingUnmet } from '../policy/readiness';
import { mayLand } from '../policy/slots';
import { isHeadUnclear } from '../policy/stacks';
import { statusesOf } from '../policy/statuses';
import { type Instant, URGENT } from '../vocabulary';
import { longMerge, withHostsPart } from './landing-at-host';
import { whatKeepsTests } from './starting';
import { flowOf, isOutsideFlow, standingOf } from '../flow-facts/scheduling';

/** Why an entry of a flow queue has not landed yet. `ahead` also counts entries outside the snapshot. */
export function whyInFlow(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): string {
  if (holds(headsLanding(queue), headNow(entry))) return whyLanding(queue, entry, now);
  const standing = standingOf(entry);
  if (standing.redAlone !== null) return whyRedAlone(queue, entry, now);
  const run = runFor(queue, entry);
  if (standing.at === 'passed') return whyPassed(queue, entry, run, now);
  if (run !== null) return whyTested(queue, entry, run, now);
  const kept = whatKeepsTests(queue, now);
  if (kept !== null) return `${kept}${goesFirst(entry)}${pendingFor(entry, now)}`;
  const config = configWaitedFor(queue, entry);
  if (config !== null) return waitsForConfig(queue, entry, plain(config.problem), now);
  if (entry.askAgainAt !== null && entry.askAgainAt > now)
    return waitsForHostsWord(queue, entry.number, entry.askAgainAt, now);
  const { redTarget } = flowOf(queue);
  if (redTarget && entry.priority !== URGENT) return say.targetIsRed(queue.branch, now - redTarget.since, entry, now);
  return isAt(queue, entry, 'suspect') ? whySuspect(queue, entry) : whyWaiting(queue, entry, ahead, now);
}

/** The shortest run that tests the entry; for a passed entry, the shortest run that includes it. */
function runFor(queue: QueueSnapshot, entry: Entry): FlowTestRun | null {
  const head = headNow(entry);
  const isPassed = standingOf(entry).at === 'passed';
  const runs = flowRuns(queue).filter((run) => holds(isPassed ? contentOf(run) : run.own, head));
  return runs.sort((a, b) => contentOf(a).length - contentOf(b).length || a.number - b.number)[0] ?? null;
}

function whyLanding(queue: QueueSnapshot, { id }: Entry, now: Instant): string {
  const { landing } = queue;
  if (landing === null) return isDue();
  const others = headsLanding(queue).flatMap(({ entryId, number }) => (entryId === id ? [] : [number]));
  const lands = say.isBeingMergedInFlow(queue.branch, others, now - landing.orderedAt);
  return withHostsPart(queue, lands, now);
}

function whyRedAlone(queue: QueueSnapshot, entry: Entry, now: Instant): string {
  const { reds } = standingOf(entry);
  const { pendingFailureDepth: depth } = queue.settings;
  const red = say.redAloneOn(queue.branch, reds, redsNeeded(queue), figuresOf(flowOf(queue)).flake);
  const hasPassed = flowOf(queue).lastPass > (standingOf(entry).redAlone?.result ?? 0);
  if (hasPassed && depth > 0) return `${red}. ${say.waitsForLaterOnes(depth)}`;
  return `${red}. ${say.failsWhenSomethingPasses(now - entry.stateChangedAt)}`;
}

function whyTested(queue: QueueSnapshot, entry: Entry, run: FlowTestRun, now: Instant): string {
  if (run.phase === 'building') {
    const { hostUnreachableSince: since } = queue;
    return since === null
      ? commitIsBuilding(stillHere(queue, run.own), stillHere(queue, run.builtOn), now - run.createdAt)
      : hostIsUnreachable(queue, since, now);
  }
  if (run.phase === 'passed') return `Its tests passed; ${whatKeepsFromLanding(queue, run, now)}`;
  if (run.phase !== 'testing') return isDue();
  const waits = waitsForStatuses(queue, run, statusesOf(queue, run), now);
  return `${waits}${say.testedInCompany(companyIn(queue, run, entry), figuresOf(flowOf(queue)).failure)}${startedAgain(entry)}`;
}

/** Numbers of the entries that have neither landed nor left. */
function stillHere(queue: QueueSnapshot, heads: readonly QueuedHead[]): readonly number[] {
  return heads.flatMap((head) => (isUndone(queue, head) ? [head.number] : []));
}

function companyIn(queue: QueueSnapshot, run: FlowTestRun, { id }: Entry): say.FlowCompany {
  const there = (heads: readonly QueuedHead[]) =>
    stillHere(
      queue,
      heads.filter(({ entryId }) => entryId !== id),
    );
  const assumed = run.flow.assumed.filter((head) => {
    const entry = entryOfId(queue, head.entryId);
    return entry !== null && !isAt(queue, entry, 'passed');
  });
  const passed = run.builtOn.filter((head) => !holds(assumed, head));
  return { together: there(run.own), passed: there(passed), assumed: there(assumed) };
}

function whatKeepsFromLanding(queue: QueueSnapshot, run: FlowTestRun, now: Instant): string {
  if (!mayLand(queue) || queue.tip === null) return nothingMerges(queue);
  const { landing } = queue;
  if (landing !== null) {
    const numbers = (landing.changes ?? []).map(({ number }) => number);
    const first = anotherIsMerged(numbers, landing.orderedAt, now);
    const long = longMerge(queue, now);
    return long === null ? first : `${first}. ${long}`;
  }
  const entries = openEntries(queue, contentOf(run));
  if (areFrozenForGood(queue, entries, now)) return mergesAreFrozenForGood();
  const until = frozenUntil(queue, entries, now);
  if (until !== null) return mergesAreFrozen(until, now);
  const unmet = entries.filter(isAnythingUnmet).flatMap(({ pullRequest }) => pullRequest.unmet ?? []);
  if (unmet.length > 0) return hostWaits(queue, unmet, plain);
  const unclear = entries.find(isHeadUnclear);
  if (unclear) return waitsForItsHead(queue, unclear);
  const next = nextFlowLanding(queue, now);
  if (next === null || next.from <= now) return mergesNext();
  return waitsForLimit(queue, stillHere(queue, contentOf(next.run)), next.from, now);
}

/** A sentence about the entry that must merge before this entry; null if there is none. */
function whatMergesFirst(queue: QueueSnapshot, { id }: Entry): string | null {
  const urgent = urgentUnderTest(queue).flatMap((run) => run.own.filter((head) => isUndone(queue, head)));
  if (urgent.some(({ entryId }) => entryId === id)) return null;
  if (urgent.length > 0) return say.urgentGoesFirst(urgent.map(({ number }) => number));
  const owed = owedEntry(queue);
  if (owed === null || owed.id === id || !isOnItsWay(queue, headNow(owed))) return null;
  return say.isOwed(owed.number, standingOf(owed).rides);
}

function whyPassed(queue: QueueSnapshot, entry: Entry, run: FlowTestRun | null, now: Instant): string {
  if (run !== null && holds(run.own, headNow(entry)) && run.flow.role !== 'check')
    return whyTested(queue, entry, run, now);
  if (run?.phase === 'passed') return say.passedBesideOthers(whatKeepsFromLanding(queue, run, now));
  const first = whatMergesFirst(queue, entry);
  const besides = first === null ? '' : `. ${first}`;
  const others = run === null ? [] : run.own.filter(({ entryId }) => entryId !== entry.id);
  if (run !== null) return say.passedBesideOthers(`${say.ridesWith(stillHere(queue, others))}${besides}`);
  const isRunning = queue.state === 'running';
  const kept = isRunning ? whatKeepsTests(queue, now) : say.landsWhenRunning(queue);
  const { redTarget } = flowOf(queue);
  if (kept === null && redTarget) return say.targetIsRed(queue.branch, now - redTarget.since, entry, now);
  return say.passedBesideOthers(kept ?? `${say.nextTestHoldsIt()}${besides}`);
}

function whySuspect(queue: QueueSnapshot, entry: Entry): string {
  const set = suspectSets(queue).find(({ members }) => members.some(({ id }) => id === entry.id));
  const others = (set?.members ?? []).flatMap(({ id, number }) => (id === entry.id ? [] : [number]));
  const next = others.length === 0 ? say.testedAlone() : say.firstHalfIsTested();
  return say.isSuspect(others, figuresOf(flowOf(queue)).failure, next);
}

function whyWaiting(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): string {
  if (waitsForSpeculation(queue, entry)) {
    const until = standingOf(entry).until.filter((head) => isUndone(queue, head));
    return say.wasRedTogetherWith(until.map(({ number }) => number));
  }
  const clashing = clashesNow(queue, entry);
  if (clashing.length > 0) return say.clashesWith(clashing);
  const inUse = runsUnderTest(queue).length;
  const { concurrency, bisectionConcurrency } = queue.settings;
  const configured = concurrency + (bisectionConcurrency ?? concurrency);
  const besides = `${slotFreedFor(queue, entry)}${whatItMayNotFit(queue, entry, ahead)}`;
  if (freeSlots(queue) <= 0) {
    const slot = aFreeSlot({ inUse, all: poolOf(queue), configured });
    return say.waitsInFlow(entry, slot, besides, now);
  }
  const group = nextGroupOf(queue, now);
  if (group !== null && group.startsAt > now && group.own.some(({ id }) => id === entry.id))
    return say.waitsForItsGroup(group.own.length, groupSize(queue), group.startsAt - now);
  return say.waitsInFlow(entry, itsTurn(), besides, now);
}

interface NextGroup {
  readonly at: Instant;
  readonly group: FlowGroup | null;
}

const nextGroups = new WeakMap<QueueSnapshot, NextGroup>();

/** The next group, cached because it is the same for all entries of a snapshot that are explained at one moment. */
function nextGroupOf(queue: QueueSnapshot, now: Instant): FlowGroup | null {
  const known = nextGroups.get(queue);
  if (known?.at === now) return known.group;
  const group = nextGroup(queue, now);
  nextGroups.set(queue, { at: now, group });
  return group;
}

function slotFreedFor(queue: QueueSnapshot, { stateReason }: Entry): string {
  if (stateReason !== 'skip_the_line_interrupted') return '';
  const urgent = flowRuns(queue).filter(({ flow }) => flow.isUrgent);
  return say.freedSlotFor(urgent.flatMap((run) => stillHere(queue, run.own)));
}

function whatItMayNotFit(queue: QueueSnapshot, entry: Entry, ahead: number): string {
  const landing = headsLanding(queue);
  const others = mayNotFit(queue, entry)
    .filter((other) => !isAt(queue, other, 'passed') && !holds(landing, headNow(other)))
    .sort((a, b) => a.submittedOrder - b.submittedOrder);
  const area = others[0] ? riskiestArea(queue, entry, others[0]) : null;
  if (area === null) return '';
  const areAll = !queue.moreToLoad.waiting || ahead <= waitingAhead(queue, entry);
  return say.mayNotFitTo({ numbers: others.map(({ number }) => number), areAll }, areaFigure(queue, area));
}

/** The number of entries that wait ahead of this entry, counted in the snapshot only. */
function waitingAhead({ entries }: QueueSnapshot, entry: Entry): number {
  const waiting = entries.filter((other) => other.state === 'pending' && isOutsideFlow(other));
  return waiting.filter((other) => comparePending(other, entry) < 0).length;
}

/**
 * The numbers of the entries with which this entry has a text conflict, if it cannot be tested in parallel with them
 * now.
 */
function clashesNow(queue: QueueSnapshot, entry: Entry): readonly number[] {
  const landing = headsLanding(queue);
  const tested = runsUnderTest(queue).flatMap(contentOf);
  if (isReadyFor(queue, entry, [...landing, ...tested])) return [];
  return standingOf(entry).clashes.flatMap((id) => {
    const other = entryOfId(queue, id);
    return other !== null && isUndone(queue, headNow(other)) ? [other.number] : [];
  });
}
