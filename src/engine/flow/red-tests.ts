import type { Entry, QueueSnapshot, TestRun } from '../model';
import { countedOnce } from '../flow-facts/chances';
import { contentOf, hasLanded, isUndone } from './heads';
import { flowOf, standingOf } from '../flow-facts/scheduling';
import { OUTAGE_FROM, redsIn, streakOf } from '../flow-facts/streaks';

/**
 * The limits per queue and per entry. Older failed tests are forgotten, and the flake chance is not learned from them.
 */
const KEPT = 64;
const KEPT_OF_ENTRY = 8;

/**
 * Remembers a failed run until all its entries have landed, or one entry has concluded without landing. A run with an
 * entry that had already left is not remembered: that entry may have caused the failure.
 */
export function withRedTest(queue: QueueSnapshot, run: TestRun): QueueSnapshot {
  const content = contentOf(run);
  const open = content.filter((head) => isUndone(queue, head));
  if (open.length === 0 || content.some((head) => !isUndone(queue, head) && !hasLanded(queue, head))) return queue;
  const isIn = ({ id }: Entry): boolean => open.some(({ entryId }) => entryId === id);
  const entries = queue.entries.map((entry) => (isIn(entry) ? rememberedBy(entry, run.number) : entry));
  const { redTests, ...flow } = flowOf(queue);
  const known = [...redTests, { run: run.number, streak: streakOf(queue, run), open: open.length }].slice(-KEPT);
  return { ...queue, entries, flow: { ...flow, redTests: known } };
}

function rememberedBy(entry: Entry, run: number): Entry {
  const standing = standingOf(entry);
  return { ...entry, flow: { ...standing, redIn: [...standing.redIn, run].slice(-KEPT_OF_ENTRY) } };
}

/**
 * Notes that an entry of remembered failed runs has landed. A run whose entries have all landed was a flake, unless so
 * many tests failed at that time that it was a likely outage.
 */
export function afterLandingOf(queue: QueueSnapshot, entry: Entry): QueueSnapshot {
  const { redIn } = standingOf(entry);
  if (redIn.length === 0) return queue;
  const flow = flowOf(queue);
  const tests = flow.redTests.map((test) => (redIn.includes(test.run) ? { ...test, open: test.open - 1 } : test));
  const flakes = tests.filter(({ open, streak }) => open === 0 && redsIn(queue, streak) < OUTAGE_FROM);
  const flake = flakes.reduce((counts) => countedOnce('flake', counts, 'yes'), flow.learned.flake);
  const redTests = tests.filter(({ open }) => open > 0);
  return { ...queue, flow: { ...flow, redTests, learned: { ...flow.learned, flake } } };
}

/** Forgets the failed runs of an entry that failed, left or changed, because the entry may have caused the failures. */
export function withoutRedTestsOf(queue: QueueSnapshot, entry: Entry): QueueSnapshot {
  const { redIn } = standingOf(entry);
  if (redIn.length === 0) return queue;
  const flow = flowOf(queue);
  return { ...queue, flow: { ...flow, redTests: flow.redTests.filter(({ run }) => !redIn.includes(run)) } };
}
