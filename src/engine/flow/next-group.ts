import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { runsAlone, sizeFor } from '../policy/batches';
import { deadlineAfter, type Instant, MINUTE } from '../vocabulary';
import { evenBet } from './chances';
import { headNow, headsLanding, holds } from './heads';
import { hopedContent } from './hopes';
import { isReadyFor } from './needs';
import { ridersBeyondLanding } from './riders';
import { freeSlots } from './runs';
import { waitingEntries } from './waiting';

/** Entries that would be tested together. */
export interface FlowGroup {
  readonly own: readonly Entry[];
  readonly builtOn: readonly QueuedHead[];
  /** Of that, what is still tested. */
  readonly hopes: readonly QueuedHead[];
  /** When it starts with no more of them than now. In the past: at once. */
  readonly startsAt: Instant;
}

/** The group that a free slot goes to; null: nothing that waits can be tested now. */
export function nextGroup(queue: QueueSnapshot, now: Instant): FlowGroup | null {
  const line = waitingEntries(queue, now);
  if (line.length === 0) return null;
  const wait = groupWait(queue);
  // With a wait, what waits starts as one group: spread over the free slots it would be many small ones.
  const share = wait > 0 ? line.length : Math.ceil(line.length / Math.max(1, freeSlots(queue)));
  const size = Math.max(1, Math.min(groupSize(queue), share));
  const group = onHopes(queue, line, size) ?? onRiders(queue, line, size);
  const [first] = group.own;
  if (!first) return null;
  const isComplete = wait === 0 || first.returnedOrder > 0 || line.length >= groupSize(queue);
  const since = first.pendingSince ?? first.submittedAt;
  return { ...group, startsAt: isComplete ? since : deadlineAfter(since, wait) };
}

/** The largest group: what the settings allow, and what is as likely to pass as to fail. */
export function groupSize(queue: QueueSnapshot): number {
  return Math.min(evenBet(queue), sizeFor(queue, []));
}

/** How long a group that is not full waits for more. */
function groupWait({ settings }: QueueSnapshot): Instant {
  return settings.batch ? settings.batchingMaxWaitTimeMinutes * MINUTE : 0;
}

type Composition = Omit<FlowGroup, 'startsAt'>;

function onRiders(queue: QueueSnapshot, line: readonly Entry[], size: number): Composition {
  const builtOn = [...headsLanding(queue), ...ridersBeyondLanding(queue).map(headNow)];
  return { own: groupOn(queue, line, builtOn, size), builtOn, hopes: [] };
}

/**
 * A slot that would be idle soon builds on what is still tested, in the order of that: what lands of it is then the beginning of
 * this tree. Other riders come behind.
 */
function onHopes(queue: QueueSnapshot, line: readonly Entry[], size: number): Composition | null {
  const { own, builtOn: ground } = onRiders(queue, line, size);
  if (line.length > own.length && own.length > 0) return null;
  const hoped = hopedContent(queue, ground, own);
  if (hoped.length === 0) return null;
  const landing = headsLanding(queue);
  const group = groupOn(queue, line, [...ground, ...hoped], size);
  const isOther = (head: QueuedHead): boolean => !group.some(({ id }) => id === head.entryId);
  const first = hoped.filter((head) => isOther(head) && !holds(landing, head));
  const behind = ground.filter((head) => !holds(first, head) && !holds(landing, head));
  const hopes = first.filter((head) => !holds(ground, head));
  return { own: group, builtOn: [...landing, ...first, ...behind], hopes };
}

/** As many of these, in order, as one group may have on top of this ground. */
function groupOn(
  queue: QueueSnapshot,
  line: readonly Entry[],
  ground: readonly QueuedHead[],
  atMost: number,
): readonly Entry[] {
  const own: Entry[] = [];
  for (const entry of line) {
    if (own.length >= atMost || (own.length > 0 && runsAlone(queue, entry))) break;
    if (own.length >= sizeFor(queue, [...own, entry])) break;
    if (!isReadyFor(queue, entry, [...ground, ...own.map(headNow)])) continue;
    own.push(entry);
    if (runsAlone(queue, entry)) break;
  }
  return own;
}
