import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { canJoinStack, runsAlone, sizeFor } from '../policy/batches';
import { wasRestarted } from '../policy/order';
import { countMembers, inLayers, placeInStack } from '../policy/stacks';
import { deadlineAfter, type Instant, MINUTE } from '../vocabulary';
import { fitsOn } from './areas';
import { evenBet, misfitChance } from '../flow-facts/chances';
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
  const group = composed(queue, { line, size, mayJoin: fitsOn }) ?? composed(queue, { line, size, mayJoin: anyway });
  const [first] = group?.own ?? [];
  if (!group || !first) return null;
  const isDueAtOnce = first.returnedOrder > 0 || wasRestarted(first);
  const isComplete = wait === 0 || isDueAtOnce || line.length >= groupSize(queue);
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

interface Candidates {
  readonly line: readonly Entry[];
  readonly size: number;
  readonly mayJoin: (queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]) => boolean;
}

/** What may not fit starts only on a tree with that; not when a slot would stay empty for it. */
const anyway: Candidates['mayJoin'] = () => true;

function composed(queue: QueueSnapshot, candidates: Candidates): Composition | null {
  const group = onHopes(queue, candidates) ?? onRiders(queue, candidates);
  return group.own.length > 0 ? group : null;
}

function onRiders(queue: QueueSnapshot, candidates: Candidates): Composition {
  const builtOn = [...headsLanding(queue), ...ridersBeyondLanding(queue).map(headNow)];
  return { own: groupOn(queue, candidates, builtOn), builtOn, hopes: [] };
}

/** Where one in so many does not fit to others, it is better tested on top of those than beside them. */
const OFTEN = 0.01;

/**
 * A slot that would be idle soon, or any where changes often do not fit together, builds on what is still tested, in the order of that: what lands of it is then the beginning of
 * this tree. Other riders come behind.
 */
function onHopes(queue: QueueSnapshot, candidates: Candidates): Composition | null {
  const { line } = candidates;
  const { own, builtOn: ground } = onRiders(queue, candidates);
  const isIdleOtherwise = own.length === 0 || line.length <= own.length;
  if (!isIdleOtherwise && misfitChance(queue) < OFTEN) return null;
  const hoped = hopedContent(queue, { ground, own, line });
  if (hoped.length === 0) return null;
  const landing = headsLanding(queue);
  const group = groupOn(queue, candidates, [...ground, ...hoped]);
  const isOther = (head: QueuedHead): boolean => !group.some(({ id }) => id === head.entryId);
  const first = hoped.filter((head) => isOther(head) && !holds(landing, head));
  const behind = ground.filter((head) => !holds(first, head) && !holds(landing, head));
  const hopes = first.filter((head) => !holds(ground, head));
  return { own: group, builtOn: [...landing, ...first, ...behind], hopes };
}

/** As many of these, in order, as one group may have on top of this ground. */
function groupOn(
  queue: QueueSnapshot,
  { line, size, mayJoin }: Candidates,
  ground: readonly QueuedHead[],
): readonly Entry[] {
  const own: Entry[] = [];
  let isClosed = false;
  for (const entry of inLayers(line)) {
    const place = placeInStack(own, entry);
    if (place === null && own.length > 0) isClosed ||= isComplete(queue, own, entry, size);
    if (isClosed && !own.some(({ pullRequest }) => pullRequest.stack !== undefined)) break;
    if (place === null ? isClosed : !canJoinStack(queue, own, entry)) continue;
    const at = place ?? own.length;
    const heads = [...ground, ...own.slice(0, at).map(headNow)];
    if (isReadyFor(queue, entry, heads) && mayJoin(queue, entry, heads)) own.splice(at, 0, entry);
  }
  return own;
}

/** Whether it takes no more of those that are in no stack of it. */
function isComplete(queue: QueueSnapshot, own: readonly Entry[], entry: Entry, size: number): boolean {
  if (countMembers(own) >= size || [...own, entry].some((one) => runsAlone(queue, one))) return true;
  return countMembers(own) >= sizeFor(queue, [...own, entry]);
}
