import { URGENT } from '../../../src/engine/vocabulary';
import { share } from './lanes';
import type { Entry } from './model';
import type { OracleQueue } from './queue';

/**
 * Compares turns: urgent entries come first, then entries that returned. After that the priority decides, and then the
 * submission.
 */
export function compareTurns(a: Entry, b: Entry): number {
  return (
    rank(a) - rank(b) ||
    a.returnedOrder - b.returnedOrder ||
    a.priority - b.priority ||
    a.submittedOrder - b.submittedOrder
  );
}

export function rank(entry: Entry): number {
  if (entry.priority === URGENT) return 0;
  return entry.returnedOrder > 0 ? 1 : 2;
}

export function waitingInOrder(queue: OracleQueue): readonly Entry[] {
  return [...queue.entries.values()].filter((entry) => entry.where === 'waiting').sort(compareTurns);
}

/**
 * Whether no test of the entry is in progress: the entry is outside the sequence, in the sequence without a test, or in
 * a bisection.
 */
export function isWaiting(entry: Entry): boolean {
  if (entry.where !== 'line') return entry.where !== 'out';
  const phase = entry.run?.phase;
  return phase === 'queued' || phase === 'building' || phase === 'conflicted';
}

/**
 * The next entries that join the sequence; null if no entry can join. An entry that waits for a batch delays only
 * entries that share a target with it.
 */
export function nextGroup(queue: OracleQueue): readonly Entry[] | null {
  const waiting = waitingInOrder(queue);
  const leaders = queue.mode === 'single' ? waiting.slice(0, 1) : waiting;
  for (const [i, leader] of leaders.entries()) {
    const passedOver = waiting.slice(0, i);
    if (passedOver.some((other) => share(other.targets, leader.targets))) continue;
    const group = groupOf(queue, leader, passedOver, waiting.slice(i + 1));
    if (group !== null) return group;
  }
  return null;
}

/** The leader with its batch; null while the batch waits for more entries. */
function groupOf(
  queue: OracleQueue,
  leader: Entry,
  passedOver: readonly Entry[],
  behind: readonly Entry[],
): readonly Entry[] | null {
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes } = queue.settings;
  if (!batch || leader.noBatch || leader.priority === URGENT || leader.batchAtMost <= 1) return [leader];
  const group = [leader];
  const left = [...passedOver];
  let size = Math.min(batchingMinSize, leader.batchAtMost);
  let canGrow = leader.returnedOrder === 0;
  for (const entry of behind) {
    if (group.length >= size) break;
    const wouldFit =
      !entry.noBatch && entry.priority !== URGENT && entry.group === leader.group && entry.batchAtMost > group.length;
    if (wouldFit && (queue.mode === 'single' || isOfLane(entry, group, left))) {
      size = Math.min(size, entry.batchAtMost);
      group.push(entry);
    } else if (queue.mode === 'single') {
      canGrow = false;
      break;
    } else {
      left.push(entry);
    }
  }
  const oldest = Math.min(...group.map((entry) => entry.waitingSince));
  const isDue = queue.minute - oldest >= batchingMaxWaitTimeMinutes;
  return group.length >= size || !canGrow || isDue ? group : null;
}

/**
 * Whether the entry may join the batch: it shares a target with a member, and overtakes no waiting entry that shares a
 * target with it.
 */
function isOfLane(entry: Entry, group: readonly Entry[], left: readonly Entry[]): boolean {
  const shares = (other: Entry): boolean => share(other.targets, entry.targets);
  return group.some(shares) && !left.some(shares);
}

/** Finds entries of the group that overtake a waiting entry with which they share a target. */
export function overtaken(queue: OracleQueue, group: readonly Entry[]): readonly string[] {
  if (queue.mode === 'single') return [];
  const waiting = waitingInOrder(queue);
  return group.flatMap((entry) =>
    waiting
      .slice(0, waiting.indexOf(entry))
      .filter((other) => !group.includes(other) && share(other.targets, entry.targets))
      .map((other) => `#${entry.number} went past #${other.number}, which shares a target with it`),
  );
}
