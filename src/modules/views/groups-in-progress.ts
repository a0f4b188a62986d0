import { groupSize, nextGroup } from '../../engine/flow/next-group';
import { passedBeside } from '../../engine/flow/standing';
import type { QueueSnapshot } from '../../engine/model';
import { nextBatches, sizeFor } from '../../engine/policy/batches';
import { lineOf } from '../../engine/policy/line';
import { mayStartTests } from '../../engine/policy/slots';
import type { Instant } from '../../engine/vocabulary';
import { numbersOfHeads } from './answers';
import type { GroupInHand, NextBatch, WaitingPullRequest } from './pictured-pull-request.dto';
import { waitingForOf } from './run-pictures';
import type { WaitingPage } from './waiting-page';
import { isFlow } from '../../engine/flow-facts/scheduling';

/** Entries with a place in the sequence but without a run: they are tested as soon as possible. */
export function groupsWithoutRun(queue: QueueSnapshot, now: Instant): GroupInHand[] {
  return lineOf(queue)
    .filter(({ run }) => run === null)
    .map(({ entries }) => ({
      members: numbersOfHeads(entries),
      waitingFor: waitingForOf(queue, entries[0]!, 0, now),
    }));
}

export function passedInOrder(queue: QueueSnapshot, now: Instant): GroupInHand[] {
  if (!isFlow(queue)) return [];
  return passedBeside(queue).map((entry) => ({
    members: [entry.number],
    waitingFor: waitingForOf(queue, entry, 0, now),
  }));
}

/** The batch that starts next, while it waits for more entries; null: none. */
export function nextBatchOf(queue: QueueSnapshot, now: Instant): NextBatch | null {
  if (!mayStartTests(queue) || !queue.settings.batch) return null;
  if (isFlow(queue)) {
    const group = nextGroup(queue, now);
    return group && group.startsAt > now ? nextBatch(group.own, groupSize(queue), group.startsAt) : null;
  }
  const [batch] = nextBatches(queue, now).waiting;
  return batch ? nextBatch(batch.entries, sizeFor(queue, batch.entries), batch.startsAt) : null;
}

function nextBatch(entries: QueueSnapshot['entries'], size: number, startsAt: Instant): NextBatch {
  return { members: numbersOfHeads(entries), size, startsAt: new Date(startsAt).toISOString() };
}

/** A page of the waiting entries, in their order. */
export function drawWaiting(queue: QueueSnapshot, page: WaitingPage, now: Instant): WaitingPullRequest[] {
  const entries = new Map(queue.entries.map((entry) => [entry.number, entry]));
  const inLine = queue.entries.filter(({ place }) => place !== null).length;
  return page.numbers.flatMap((number, i) => {
    const entry = entries.get(number);
    if (!entry) return [];
    const isReady = entry.state !== 'not_ready';
    const ahead = isReady ? inLine + page.before + i : 0;
    const since = isReady ? entry.pendingSince : entry.notReadySince;
    return [
      {
        prNumber: number,
        place: isReady ? ahead + 1 : null,
        since: new Date(since ?? entry.stateChangedAt).toISOString(),
        waitingFor: waitingForOf(queue, entry, ahead, now),
      },
    ];
  });
}
