import type { Entry, LandedChange, QueuedHead, QueueSnapshot, TestRun } from '../model';
import { queuedHeadOf } from '../policy/line';
import { areNeedsAmong } from '../policy/needs';
import { isConcluded } from '../states';

const headsNow = new WeakMap<Entry, QueuedHead>();

/** The present identity of an entry. A restart, a new attempt or the loss of a dependency changes it. */
export function headNow(entry: Entry): QueuedHead {
  let head = headsNow.get(entry);
  if (!head) headsNow.set(entry, (head = { ...queuedHeadOf(entry), generation: entry.generation ?? 0 }));
  return head;
}

export function isSame(one: QueuedHead, other: QueuedHead): boolean {
  return one.entryId === other.entryId && one.head === other.head && (one.generation ?? 0) === (other.generation ?? 0);
}

export function holds(heads: readonly QueuedHead[], head: QueuedHead): boolean {
  return heads.some((other) => isSame(other, head));
}

const contents = new WeakMap<TestRun, readonly QueuedHead[]>();

/** The changes that a run tests, in order. */
export function contentOf(run: TestRun): readonly QueuedHead[] {
  let content = contents.get(run);
  if (!content) contents.set(run, (content = [...run.builtOn, ...run.own]));
  return content;
}

const byId = new WeakMap<readonly Entry[], ReadonlyMap<string, Entry>>();

export function entryOfId(queue: QueueSnapshot, id: string): Entry | null {
  let entries = byId.get(queue.entries);
  if (!entries) byId.set(queue.entries, (entries = new Map(queue.entries.map((entry) => [entry.id, entry]))));
  return entries.get(id) ?? null;
}

const landedById = new WeakMap<readonly LandedChange[], ReadonlyMap<string, QueuedHead>>();

/**
 * Whether this change landed after the oldest base in flight was built. If an entry landed more than once, only its
 * newest landing counts.
 */
export function hasLanded({ landed }: QueueSnapshot, head: QueuedHead): boolean {
  let known = landedById.get(landed);
  if (!known) landedById.set(landed, (known = new Map(landed.map((change) => [change.entryId, change]))));
  const change = known.get(head.entryId);
  return change !== undefined && isSame(change, head);
}

/** The entry, while it is in the queue, ready, and the same as when it was tested; null: it left, landed or changed. */
export function openEntry(queue: QueueSnapshot, head: QueuedHead): Entry | null {
  const entry = entryOfId(queue, head.entryId);
  if (!entry || isConcluded(entry.state) || entry.state === 'not_ready') return null;
  return isSame(headNow(entry), head) ? entry : null;
}

export function isUndone(queue: QueueSnapshot, head: QueuedHead): boolean {
  return openEntry(queue, head) !== null;
}

export function openEntries(queue: QueueSnapshot, heads: readonly QueuedHead[]): readonly Entry[] {
  return heads.flatMap((head) => openEntry(queue, head) ?? []);
}

/** The changes in the landing under way. Runs that start now treat these changes as landed. */
export function headsLanding({ landing }: QueueSnapshot): readonly QueuedHead[] {
  return landing?.changes ?? [];
}

const exactRuns = new WeakMap<QueueSnapshot, Map<TestRun, boolean>>();

/**
 * Whether landing the run now gives the tested tree: nobody else moved the target, no entry of the run left, and the
 * changes that landed since are the first changes of the run.
 */
export function isExact(queue: QueueSnapshot, run: TestRun): boolean {
  const known = exactRuns.get(queue) ?? new Map<TestRun, boolean>();
  exactRuns.set(queue, known);
  const exact = known.get(run) ?? wouldLandExactly(queue, run);
  known.set(run, exact);
  return exact;
}

function wouldLandExactly(queue: QueueSnapshot, run: TestRun): boolean {
  if (run.base.epoch !== queue.epoch) return false;
  const content = contentOf(run);
  if (!content.every((head) => isUndone(queue, head) || hasLanded(queue, head))) return false;
  if (!areNeedsInOrder(queue, content)) return false;
  return landedAfter(queue, run).every((change, i) => content[i] !== undefined && isSame(content[i], change));
}

/**
 * Whether each entry comes behind its dependencies. False if a description named a new dependency during a landing that
 * was put off. Entries that are being landed are not checked.
 */
function areNeedsInOrder(queue: QueueSnapshot, content: readonly QueuedHead[]): boolean {
  return openEntries(queue, content)
    .filter((entry) => entry.needs !== undefined && !holds(headsLanding(queue), headNow(entry)))
    .every((entry) => areNeedsAmong(queue, entry, aheadOf(content, entry)));
}

function aheadOf(content: readonly QueuedHead[], { id }: Entry): readonly QueuedHead[] {
  return content.slice(
    0,
    content.findIndex((head) => head.entryId === id),
  );
}

function landedAfter({ landed }: QueueSnapshot, { base }: TestRun): readonly LandedChange[] {
  return landed.filter((change) => change.seq > base.landedSeq).sort((a, b) => a.seq - b.seq);
}
