import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { canJoinStack, runsAlone, sizeFor } from '../policy/batches';
import { wasRestarted } from '../policy/order';
import { countMembers, inLayers, placeInStack } from '../policy/stacks';
import { deadlineAfter, type Instant, MINUTE } from '../vocabulary';
import { fitsOn } from './areas';
import { evenBet, misfitChance } from '../flow-facts/chances';
import { headNow, headsLanding, holds } from './heads';
import { speculativeContent } from './speculation';
import { isReadyFor } from './needs';
import { ridersBeyondLanding } from './riders';
import { freeSlots } from './runs';
import { waitingEntries } from './waiting';

/** Entries that could be tested together. */
export interface FlowGroup {
  readonly own: readonly Entry[];
  readonly builtOn: readonly QueuedHead[];
  /** The part of `builtOn` that is still under test. */
  readonly assumed: readonly QueuedHead[];
  /** When the group starts even if no further entry joins it. A time in the past means at once. */
  readonly startsAt: Instant;
}

/** The group that gets the next free slot; null if no waiting entry can be tested now. */
export function nextGroup(queue: QueueSnapshot, now: Instant): FlowGroup | null {
  const line = waitingEntries(queue, now);
  if (line.length === 0) return null;
  const wait = groupWait(queue);
  // With a maximum wait, all waiting entries start as one group. Spread over the free slots, they would start as many
  // small groups.
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

/** The largest group that the settings allow, and that passes with a chance of at least one half. */
export function groupSize(queue: QueueSnapshot): number {
  return Math.min(evenBet(queue), sizeFor(queue, []));
}

/** How long an incomplete group waits for more members. */
function groupWait({ settings }: QueueSnapshot): Instant {
  return settings.batch ? settings.batchingMaxWaitTimeMinutes * MINUTE : 0;
}

type Composition = Omit<FlowGroup, 'startsAt'>;

interface Candidates {
  readonly line: readonly Entry[];
  readonly size: number;
  readonly mayJoin: (queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]) => boolean;
}

/**
 * Used if a slot would stay empty otherwise: an entry with a risky area then also starts on a tree without the other
 * entries of that area.
 */
const anyway: Candidates['mayJoin'] = () => true;

function composed(queue: QueueSnapshot, candidates: Candidates): Composition | null {
  const group = onSpeculation(queue, candidates) ?? onRiders(queue, candidates);
  return group.own.length > 0 ? group : null;
}

function onRiders(queue: QueueSnapshot, candidates: Candidates): Composition {
  const builtOn = [...headsLanding(queue), ...ridersBeyondLanding(queue).map(headNow)];
  return { own: groupOn(queue, candidates, builtOn), builtOn, assumed: [] };
}

/**
 * If semantic conflicts are at least this likely, an entry is tested on top of the entries under test, not in parallel
 * with them.
 */
const OFTEN = 0.01;

/**
 * Builds on undecided changes in a slot that would soon be idle, or in any slot if semantic conflicts are frequent. The
 * new run starts with the content of the longest likely run, in its order, so that what has landed is the beginning of
 * the new tree. Other passed entries come behind that content.
 */
function onSpeculation(queue: QueueSnapshot, candidates: Candidates): Composition | null {
  const { line } = candidates;
  const { own, builtOn: ground } = onRiders(queue, candidates);
  const isIdleOtherwise = own.length === 0 || line.length <= own.length;
  if (!isIdleOtherwise && misfitChance(queue) < OFTEN) return null;
  const speculative = speculativeContent(queue, { ground, own, line });
  if (speculative.length === 0) return null;
  const landing = headsLanding(queue);
  const group = groupOn(queue, candidates, [...ground, ...speculative]);
  const isOther = (head: QueuedHead): boolean => !group.some(({ id }) => id === head.entryId);
  const first = speculative.filter((head) => isOther(head) && !holds(landing, head));
  const behind = ground.filter((head) => !holds(first, head) && !holds(landing, head));
  const assumed = first.filter((head) => !holds(ground, head));
  return { own: group, builtOn: [...landing, ...first, ...behind], assumed };
}

/** The first entries of `line`, in order, that can be tested as one group on top of this base. */
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

/** Whether the group takes no more entries, except further layers of its stacks. */
function isComplete(queue: QueueSnapshot, own: readonly Entry[], entry: Entry, size: number): boolean {
  if (countMembers(own) >= size || [...own, entry].some((one) => runsAlone(queue, one))) return true;
  return countMembers(own) >= sizeFor(queue, [...own, entry]);
}
