import { isDryRunOnly } from './messages/status/queue';
import { changesWorkflows } from './messages/fork-workflows';
import { landsBehind } from './messages/status/needs';
import { isNotReady } from './messages/status/readiness';
import { takesOff } from './messages/status/statuses';
import { plain } from './wording/markdown';
import type { AskedEntry, Explanation } from './decision';
import { whyInFlow } from './explain/in-flow';
import { whyInLine } from './explain/in-line';
import { whyInSearch } from './explain/in-search';
import { whyWaiting } from './explain/waiting';
import { isFlow } from './flow-facts/scheduling';
import type { Entry, QueueSnapshot } from './model';
import { lineOf } from './policy/line';
import { readinessOf } from './policy/readiness';
import { isConcluded } from './states';
import { notReadyDeadline } from './steps/check-readiness';
import type { Instant } from './vocabulary';

/**
 * Explains for each requested entry what it waits for, since when, and what would end the wait. `explain` calls the
 * functions that decide, so that no sentence differs from the decision.
 */
export function explain(queue: QueueSnapshot, asked: readonly AskedEntry[], now: Instant): readonly Explanation[] {
  return asked.flatMap(({ entryId, ahead }) => {
    const entry = queue.entries.find((other) => other.id === entryId);
    return entry ? [explainEntry(queue, entry, ahead, now)] : [];
  });
}

function explainEntry(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): Explanation {
  const waitingFor = isConcluded(entry.state) ? null : whatItWaitsFor(queue, entry, ahead, now);
  return { entryId: entry.id, waitingFor, readiness: readinessOf(queue, entry) };
}

function whatItWaitsFor(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): string {
  const why = whyThere(queue, entry, ahead, now);
  const needed = entry.state === 'not_ready' ? null : landsBehind(queue, entry);
  const takenOff = isToBeTested(entry) ? (entry.takesOff ?? []) : [];
  const changed = isToBeTested(entry) ? (entry.changedWorkflows ?? []) : [];
  const sentences = [
    why,
    ...(needed === null || why.includes(needed) ? [] : [`It ${needed}`]),
    ...(takenOff.length === 0 ? [] : [takesOff(takenOff, plain)]),
    ...(changed.length === 0 ? [] : [changesWorkflows(changed, plain)]),
    ...(entry.dryRun ? [isDryRunOnly()] : []),
  ];
  return sentences.join('. ');
}

/** For an entry that has been tested, the sentence about its statuses says more. */
function isToBeTested({ state }: Entry): boolean {
  return state === 'not_ready' || state === 'pending';
}

function whyThere(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): string {
  if (entry.state === 'not_ready') return isNotReady(queue, entry, notReadyDeadline(queue, entry), now);
  if (isFlow(queue)) return whyInFlow(queue, entry, ahead, now);
  const search = queue.searches.find((other) => other.number === entry.search);
  if (search) return whyInSearch(queue, search, entry, now);
  const group = lineOf(queue).find((other) => other.place === entry.place);
  if (!group) return whyWaiting(queue, entry, ahead, now);
  return whyInLine(queue, group, entry, now);
}
