import { figuresOf, redsNeeded } from '../flow-facts/chances';
import { flowOf } from '../flow-facts/scheduling';
import { redAloneOn, targetIsBroken, targetIsRed } from '../messages/status/flow';
import { commitIsBuilt } from '../messages/status/line';
import { hostIsUnreachable } from '../messages/status/queue';
import { waitsForHostsWord } from '../messages/status/readiness';
import * as say from '../messages/status/search';
import { waitsForStatuses } from '../messages/status/statuses';
import { pendingFor } from '../messages/status/turn';
import type { CulpritSearch, Entry, QueueSnapshot, TestRun } from '../model';
import { controlDueAt } from '../policy/control';
import { boundsOf } from '../policy/culprit-search';
import { isOwn } from '../policy/line';
import { membersOf, runsOf } from '../policy/search-end';
import { isControl, searchSlotsInUse, searchSlotsOf } from '../policy/slots';
import { statusesOf } from '../policy/statuses';
import { isHeldRed, targetRedSince } from '../policy/verdict';
import type { Instant } from '../vocabulary';
import { whatKeepsTests } from './starting';

/** The progress of the bisection of an entry, and what its next step waits for. */
export function whyInSearch(queue: QueueSnapshot, search: CulpritSearch, entry: Entry, now: Instant): string {
  if (isHeldRed(search)) return `${redAlone(queue, search)}. ${whyHeld(queue, search, entry, now)}`;
  const how = search.alone
    ? `${redAlone(queue, search)}. ${say.testedAloneAgain()}`
    : say.isSearched(search, suspicionOf(search, entry));
  const runs = [...runsOf(queue, search)].sort((a, b) => a.own.length - b.own.length);
  const [shortest] = runs;
  if (!shortest) return `${how}. ${whyNothingIsTested(queue, search, now)}${pendingFor(entry, now)}`;
  const tested = whatIsTested(queue, runs.find((run) => isOwn(run, entry)) ?? shortest, now);
  if (search.stage !== 'prefixes') return `${how}. ${tested}`;
  const lengths = runs.map((run) => run.own.length);
  return `${how}. ${say.prefixesTested(lengths, search.members.length)}. ${tested}`;
}

function redAlone(queue: QueueSnapshot, { alone }: CulpritSearch): string {
  return redAloneOn(queue.branch, alone?.reds ?? 1, redsNeeded(queue), figuresOf(flowOf(queue)).flake);
}

/** The queue does not know yet whether the entry is to blame. */
function whyHeld(queue: QueueSnapshot, search: CulpritSearch, entry: Entry, now: Instant): string {
  const redSince = targetRedSince(queue);
  if (redSince !== null) return targetIsRed(queue.branch, now - redSince, entry, now);
  const kept = whatKeepsTests(queue, now);
  const waits = say.countsWhenSomethingPasses(search.alone?.streaks ?? 1, now - entry.stateChangedAt);
  if (kept !== null) return `${waits}. ${kept}`;
  return `${waits}. ${whenTargetIsTested(queue, now)}`;
}

function whenTargetIsTested(queue: QueueSnapshot, now: Instant): string {
  const { branch, runs } = queue;
  if (runs.some((run) => isControl(queue, run))) return say.targetIsTested(branch);
  const dueAt = controlDueAt(queue, now);
  return dueAt !== null && dueAt > now ? say.targetIsTestedIn(branch, dueAt - now) : say.targetIsNext(branch);
}

function suspicionOf({ members, results }: CulpritSearch, entry: Entry): say.Suspicion {
  const { passed, failed } = boundsOf({ size: members.length, results });
  const suspects = members.slice(passed, failed).map((change) => change.number);
  const at = members.findIndex((change) => change.entryId === entry.id);
  if (at < passed) return { suspects, standing: 'cleared' };
  return { suspects, standing: at < failed ? 'suspect' : 'behind' };
}

function whatIsTested(queue: QueueSnapshot, run: TestRun, now: Instant): string {
  if (run.phase === 'testing') return waitsForStatuses(queue, run, statusesOf(queue, run), now);
  return queue.hostUnreachableSince === null
    ? commitIsBuilt(run, [], now)
    : hostIsUnreachable(queue, queue.hostUnreachableSince, now);
}

function whyNothingIsTested(queue: QueueSnapshot, search: CulpritSearch, now: Instant): string {
  const kept = whatKeepsTests(queue, now);
  if (kept !== null) return kept;
  const redSince = targetRedSince(queue);
  if (redSince !== null) return targetIsBroken(queue.branch, now - redSince);
  const slots = {
    inUse: searchSlotsInUse(queue),
    all: searchSlotsOf(queue),
    configured: queue.settings.bisectionConcurrency ?? queue.settings.concurrency,
  };
  if (slots.inUse >= slots.all) return say.waitsForBisectionSlot(slots, olderThan(queue, search));
  const unclear = membersOf(queue, search.members).find((entry) => entry.askAgainAt !== null && entry.askAgainAt > now);
  return unclear?.askAgainAt ? waitsForHostsWord(queue, unclear.number, unclear.askAgainAt, now) : say.testIsNext();
}

/** The bisection that gets a free slot before this bisection: the oldest one. Null if this bisection is the oldest. */
function olderThan(queue: QueueSnapshot, search: CulpritSearch): CulpritSearch | null {
  const [oldest] = queue.searches;
  return !oldest || oldest.number === search.number ? null : oldest;
}
