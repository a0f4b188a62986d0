import type { Entry, QueueSnapshot } from '../model';
import { type NextBatches, nextBatches } from '../policy/batches';
import { needPairs } from '../policy/needs';
import { waitingOutside } from '../policy/order';
import type { Instant } from '../vocabulary';

interface Answers {
  readonly at: Instant;
  /** All entries of one lane have the same `NextBatches`. */
  readonly byEntry: Map<Entry, NextBatches>;
}

const answers = new WeakMap<QueueSnapshot, Answers>();

/**
 * The next batches in the lane of this entry. Other lanes do not matter and are skipped. The result is cached, so that
 * each lane of a snapshot is computed once.
 */
export function nextInLane(queue: QueueSnapshot, entry: Entry, now: Instant): NextBatches {
  const { byEntry } = answersOf(queue, now);
  const known = byEntry.get(entry);
  if (known) return known;
  const waiting = waitingOutside(queue, now);
  const lane = new Set(laneOf(queue, entry, waiting));
  const next = nextBatches(
    queue,
    now,
    waiting.filter((other) => lane.has(other)),
  );
  for (const member of lane) byEntry.set(member, next);
  return next;
}

function answersOf(queue: QueueSnapshot, now: Instant): Answers {
  const known = answers.get(queue);
  if (known?.at === now) return known;
  const none: Answers = { at: now, byEntry: new Map() };
  answers.set(queue, none);
  return none;
}

function laneOf(queue: QueueSnapshot, entry: Entry, waiting: readonly Entry[]): readonly Entry[] {
  if (queue.mode === 'single') return waiting;
  const apart = new Map(waiting.filter((other) => other !== entry).map((other) => [other.id, other]));
  const lane = [entry];
  for (const member of lane) {
    for (const other of neighboursOf(queue, member, apart)) {
      apart.delete(other.id);
      lane.push(other);
    }
  }
  return lane;
}

/**
 * Iterates over the smaller of two sets: in a lane where all entries share targets, the first entry already has all
 * others as neighbours.
 */
function neighboursOf(queue: QueueSnapshot, { id }: Entry, among: ReadonlyMap<string, Entry>): readonly Entry[] {
  const targets = queue.sharing.get(id) ?? new Set<string>();
  const needs = needPairs(queue).get(id);
  const sharing = needs ? new Set([...targets, ...needs]) : targets;
  if (among.size < sharing.size) return [...among.values()].filter((other) => sharing.has(other.id));
  return [...sharing].flatMap((other) => among.get(other) ?? []);
}
