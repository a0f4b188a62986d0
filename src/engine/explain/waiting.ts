import { targetIsRed } from '../messages/status/flow';
import { isDue } from '../messages/status/queue';
import { landsBehind } from '../messages/status/needs';
import { waitsForHostsWord } from '../messages/status/readiness';
import { plain } from '../wording/markdown';
import * as say from '../messages/status/turn';
import { numbersIn } from '../wording/words';
import type { Entry, QueueSnapshot } from '../model';
import { failureChance } from '../flow-facts/chances';
import { sizeFor } from '../policy/batches';
import { assumedBefore } from '../policy/base';
import { sharesTarget } from '../policy/lanes';
import { chanceOfBase, isSuspected, isWorthATest } from '../policy/line-depth';
import { type Group, lineOf } from '../policy/line';
import { comparePending, configWaitedFor, waitingOutside } from '../policy/order';
import { lineHasCapacity, slotsInUse, slotsOf } from '../policy/slots';
import { isHeadUnclear } from '../policy/stacks';
import { targetRedSince } from '../policy/verdict';
import { type Instant, URGENT } from '../vocabulary';
import { nextInLane } from './next-in-lane';
import { candidateInTheMaking, whatKeepsTests } from './starting';

/** Why an entry is not in the line yet. `ahead` also counts entries outside the snapshot. */
export function whyWaiting(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): string {
  const kept = whatKeepsTests(queue, now);
  if (kept !== null) return `${kept}${say.goesFirst(entry)}${say.pendingFor(entry, now)}`;
  const redSince = targetRedSince(queue);
  if (redSince !== null && entry.priority !== URGENT) return targetIsRed(queue.branch, now - redSince, entry, now);
  const config = configWaitedFor(queue, entry);
  if (config !== null) return say.waitsForConfig(queue, entry, plain(config.problem), now);
  if (isHeadUnclear(entry)) return say.waitsForItsHead(queue, entry);
  if (entry.askAgainAt !== null && entry.askAgainAt > now)
    return waitsForHostsWord(queue, entry.number, entry.askAgainAt, now);
  const needed = landsBehind(queue, entry);
  if (needed !== null && !waitingOutside(queue, now).includes(entry))
    return `Waits: ${needed}${say.pendingFor(entry, now)}`;
  const known = knownAhead(queue, entry);
  const all = Math.max(ahead, known);
  const slots = slotsOfLine(queue);
  if (slots.inUse >= slots.all) return say.waitsOutside(entry, all, say.aFreeSlot(slots), now);
  if (!lineHasCapacity(queue)) return say.waitsOutside(entry, all, say.lineIsFull(queue.limits.runsInFlight), now);
  const built = candidateInTheMaking(queue);
  if (built) return say.waitsOutside(entry, all, say.thoseBuiltFirst(numbersIn(built)), now);
  const isKnown = ahead <= known || !queue.moreToLoad.waiting;
  const uncertain = whyTooUncertain(queue, assumedBefore(queue, [entry]));
  if (uncertain !== null) return say.waitsOutside(entry, all, uncertain, now);
  return (isKnown ? whyNotStarted(queue, entry, now) : null) ?? say.waitsOutside(entry, all, say.itsTurn(), now);
}

/** Why a test on this base is not worth its slot yet; null if the base is likely enough to pass. */
export function whyTooUncertain(queue: QueueSnapshot, base: readonly Group[]): string | null {
  if (isWorthATest(queue, base)) return null;
  const chances = { holds: chanceOfBase(queue, base), fails: failureChance(queue) };
  return say.betterChances(chances, isSuspected(queue, base) ? 'red' : 'open');
}

export function slotsOfLine(queue: QueueSnapshot): say.SlotUse {
  return { inUse: slotsInUse(queue), all: slotsOf(queue), configured: queue.settings.concurrency };
}

/**
 * Why no test of the entry starts although a slot is free: its batch still fills, or an entry with a shared target goes
 * first. Null if both do not apply.
 */
function whyNotStarted(queue: QueueSnapshot, entry: Entry, now: Instant): string | null {
  const { start, waiting } = nextInLane(queue, entry, now);
  const batch = waiting.find(({ entries }) => entries.includes(entry));
  if (batch) return say.waitsForItsBatch(queue, entry, batch, sizeFor(queue, batch.entries), now);
  if (start?.entries.includes(entry)) return isDue();
  if (start && comparePending(start.entries[0]!, entry) < 0) return null;
  const ahead = waitingOutside(queue, now).filter((other) => comparePending(other, entry) < 0);
  const shares = ahead.filter((other) => sharesTarget(queue, other.id, entry.id));
  const filling = new Map(waiting.flatMap((some) => some.entries.map((other) => [other, some] as const)));
  const by = shares.find((other) => filling.has(other)) ?? shares[0];
  return by ? say.isHeldUp(entry, by, filling.get(by) ?? null, now) : null;
}

/** Counts the entries of the snapshot ahead of this entry: in the line, and waiting. */
function knownAhead(queue: QueueSnapshot, entry: Entry): number {
  const inLine = lineOf(queue).reduce((sum, { entries }) => sum + entries.length, 0);
  const waiting = queue.entries.filter(
    (other) =>
      other.state === 'pending' && other.place === null && other.search === null && comparePending(other, entry) < 0,
  );
  return inLine + waiting.length;
}
