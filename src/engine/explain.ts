import * as say from './announcements';
import type { AskedEntry, Explanation } from './decision';
import type { Entry, QueueSnapshot, TestRun } from './model';
import { believedAhead } from './policy/base';
import { type Group, lineOf, runHolding } from './policy/line';
import { readinessOf } from './policy/readiness';
import { mayLand, mayStartTests, slotsOf } from './policy/slots';
import { statusesOf } from './policy/statuses';
import { isConcluded } from './states';
import { notReadyDeadline } from './steps/judge-readiness';
import { assertNever, type Instant } from './vocabulary';

/** Why each entry asked about is where it is: what it waits for, since when, and what would change it. */
export function explain(queue: QueueSnapshot, asked: readonly AskedEntry[], now: Instant): readonly Explanation[] {
  return asked.flatMap(({ entryId, ahead }) => {
    const entry = queue.entries.find((other) => other.id === entryId);
    return entry ? [explainEntry(queue, entry, ahead, now)] : [];
  });
}

function explainEntry(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): Explanation {
  const readiness = readinessOf(queue, entry);
  if (isConcluded(entry.state)) return { entryId: entry.id, waitingFor: null, readiness };
  const sentence = waitingFor(queue, entry, ahead, now);
  const note = say.worksAsOneLine(queue);
  return { entryId: entry.id, waitingFor: note === null ? sentence : `${sentence}. ${note}`, readiness };
}

function waitingFor(queue: QueueSnapshot, entry: Entry, ahead: number, now: Instant): string {
  if (entry.state === 'not_ready')
    return say.isNotReady(queue, entry, readinessOf(queue, entry), notReadyDeadline(queue, entry), now);
  const line = lineOf(queue);
  const group = line.find((other) => other.place === entry.place && entry.place !== null);
  const run = runHolding(queue, entry);
  if (run !== null && group) return ofRun(queue, group, run, entry, now);
  if (queue.hostSilentSince !== null) return say.hostIsSilent(queue, queue.hostSilentSince, now);
  if (!mayStartTests(queue)) return say.queueStartsNothing(queue);
  if (group) return say.waitsForThoseAheadToBeBuilt(line.indexOf(group));
  if (entry.askAgainAt !== null && entry.askAgainAt > now)
    return say.waitsForHostsWord(queue, entry, entry.askAgainAt, now);
  return say.waitsForTurn(queue, ahead, slotsOf(queue));
}

function ofRun(queue: QueueSnapshot, group: Group, run: TestRun, entry: Entry, now: Instant): string {
  const silent = queue.hostSilentSince;
  switch (run.phase) {
    case 'building':
      return silent === null
        ? say.waitsForItsCandidate(entry, run.createdAt, now)
        : say.hostIsSilent(queue, silent, now);
    case 'testing':
      return say.waitsForStatuses(run, statusesOf(queue, run), now);
    case 'conflicted':
      return say.conflictsWithAhead(run);
    case 'passed':
      return mayLand(queue) ? say.passedBehind(numbersAhead(queue, group)) : say.passedButQueuePaused(queue);
    case 'landing':
      return silent === null
        ? say.isBeingMerged(queue, queue.landing?.orderedAt ?? now, now)
        : say.hostIsSilent(queue, silent, now);
    case 'failed':
      return say.failedBehind(run, numbersAhead(queue, group));
    case 'ended':
      return say.waitsForTurn(queue, 0, slotsOf(queue));
    default:
      return assertNever(run.phase);
  }
}

function numbersAhead(queue: QueueSnapshot, group: Group): readonly number[] {
  return believedAhead(queue, group).flatMap(({ entries }) => entries.map((entry) => entry.number));
}
