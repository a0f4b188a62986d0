import type { Change } from '../changes';
import { headNow, headsLanding, holds } from '../flow/heads';
import { isFlow } from '../flow-facts/scheduling';
import type { Entry, Need, PullRequestFacts, QueueSnapshot } from '../model';
import { hasNeedLanded } from '../policy/needs';
import { isConcluded } from '../states';

interface Arriving {
  readonly number: number;
  readonly head: string;
  /** The position of the entry in the order of submission: an entry with a lower number was submitted earlier. */
  readonly submittedOrder: number;
}

/**
 * The dependencies of a pull request at a head that is new to the queue. `commits`: absent if the content of the head
 * is unknown.
 */
export function needsAtHead(
  queue: QueueSnapshot,
  arriving: Arriving,
  facts: PullRequestFacts,
  commits: readonly string[] = [],
): readonly Need[] {
  return [...contained(queue, arriving, new Set(commits)), ...declared(facts)];
}

/** The earlier entries whose heads the new head contains, without those on which another contained entry depends. */
function contained(
  queue: QueueSnapshot,
  { number, head, submittedOrder }: Arriving,
  commits: ReadonlySet<string>,
): readonly Need[] {
  if (commits.size === 0) return [];
  const earlier = queue.entries.filter(
    (entry) =>
      !isConcluded(entry.state) &&
      entry.number !== number &&
      entry.submittedOrder < submittedOrder &&
      entry.head !== head &&
      commits.has(entry.head),
  );
  const ofOthers = earlier.flatMap(({ needs = [] }) => needs.filter((need) => need.head !== null));
  return earlier
    .filter((entry) => !ofOthers.some((need) => need.number === entry.number && need.head === entry.head))
    .map((entry) => ({ number: entry.number, head: entry.head }));
}

function declared({ number: own, dependsOn = [], elsewhere = [] }: PullRequestFacts): readonly Need[] {
  const baseOf = new Map(elsewhere.map(({ number, base }) => [number, base]));
  return [...new Set(dependsOn)]
    .filter((number) => number !== own)
    .map((number) => ({ number, head: null, ...(baseOf.has(number) && { base: baseOf.get(number)! }) }));
}

/** The description was read: its `Depends-On` lines replace the earlier ones. */
export function declaredNeeds(queue: QueueSnapshot, facts: PullRequestFacts): readonly Change[] {
  const entry = queue.entries.find((other) => other.number === facts.number);
  if (facts.dependsOn === undefined || entry === undefined || isConcluded(entry.state)) return [];
  const kept = (entry.needs ?? []).filter(({ head }) => head !== null);
  return needsNow(queue, entry, [...kept, ...declared(facts)]);
}

/** The dependencies of an entry that adopts a new head: the new head contains other heads than the one before. */
export function needsFollowed(
  queue: QueueSnapshot,
  entry: Entry,
  facts: PullRequestFacts,
  commits: readonly string[] | undefined,
): readonly Change[] {
  const { number, submittedOrder, needs = [] } = entry;
  const arriving = { number, head: facts.head, submittedOrder };
  const before = facts.dependsOn === undefined ? needs.filter(({ head }) => head === null) : [];
  return needsNow(queue, entry, [...needsAtHead(queue, arriving, facts, commits), ...before]);
}

/**
 * The present dependencies of an entry. In a flow queue, a test of the entry without one of these dependencies cannot
 * land the entry.
 */
function needsNow(queue: QueueSnapshot, entry: Entry, needs: readonly Need[]): readonly Change[] {
  const before = entry.needs ?? [];
  const gained = needs.filter((need) => !before.some((other) => isSameNeed(other, need)));
  const isSaid = needs.every((need) => before.some((other) => isSameNeed(other, need) && other.base === need.base));
  if (isSaid && needs.length === before.length) return [];
  const changed: Change = { type: 'needsChanged', entryId: entry.id, needs };
  const isTested = isFlow(queue) && entry.state !== 'not_ready' && !holds(headsLanding(queue), headNow(entry));
  const isOpen = gained.some((need) => !hasNeedLanded(queue, need));
  return isTested && isOpen ? [changed, { type: 'generationRaised', entryId: entry.id }] : [changed];
}

function isSameNeed(one: Need, other: Need): boolean {
  return one.number === other.number && one.head === other.head;
}

/**
 * For a pull request whose new head contains its earlier head: entries that contain the earlier head land after or with
 * the new head.
 */
export function needsCarriedOver(
  queue: QueueSnapshot,
  { number, head }: PullRequestFacts,
  commits: readonly string[] = [],
): readonly Change[] {
  if (commits.length === 0) return [];
  const within = new Set(commits);
  return queue.entries.flatMap((entry): Change[] => {
    const isOld = (need: Need): boolean => need.number === number && need.head !== null && need.head !== head;
    const { needs = [] } = entry;
    if (!needs.some((need) => isOld(need) && within.has(need.head!))) return [];
    const renewed = needs.map((need) => (isOld(need) && within.has(need.head!) ? { number, head } : need));
    return [{ type: 'needsChanged', entryId: entry.id, needs: renewed }];
  });
}

/** For a head that the host replaced: entries that contain the old head land after or with the new head. */
export function needsOfRewritten(
  queue: QueueSnapshot,
  { number, head: before }: Entry,
  head: string,
): readonly Change[] {
  return queue.entries.flatMap((entry): Change[] => {
    const { needs = [] } = entry;
    const isIt = (need: Need): boolean => need.number === number && need.head === before;
    if (!needs.some(isIt)) return [];
    const renewed = needs.map((need) => (isIt(need) ? { number, head } : need));
    return [{ type: 'needsChanged', entryId: entry.id, needs: renewed }];
  });
}
