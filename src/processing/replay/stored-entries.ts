import { isOutsideFlow, mayWaitForSpeculation } from '../../engine/flow-facts/scheduling';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { comparePending } from '../../engine/policy/order';
import { isConcluded } from '../../engine/states';
import { HOUR, type Instant, deadlineAfter } from '../../engine/vocabulary';
import { SortedIndex } from './sorted-index';
import type { TargetBook } from './target-book';

/**
 * The maximum number of entries per decision that are checked again for their deadline or after a mode switch, as in
 * `read-entries.ts`.
 */
const A_FEW = 100;

/** The part of the snapshot that determines which entries a decision may read. */
type Frame = Pick<QueueSnapshot, 'mode' | 'runs' | 'settings' | 'tip'>;

/** The entries of a queue. Waiting entries are in sorted indexes. */
export class StoredEntries {
  private readonly entries = new Map<string, Entry>();
  private readonly byNumber = new Map<number, string>();
  private readonly inFlight = new Set<string>();
  private readonly needing = new Set<string>();
  private readonly evaluatedBy = { single: new Set<string>(), parallel: new Set<string>() };
  private readonly waiting = new SortedIndex<Entry>(comparePending);
  /**
   * The ids of waiting entries for which `mayWaitForSpeculation` is true. These entries take no place in the window of
   * waiting entries.
   */
  private readonly waitingForSpeculation = new Set<string>();
  private readonly askedAgain = new SortedIndex<Entry>(by((entry) => entry.askAgainAt ?? 0));
  private readonly notReady = new SortedIndex<Entry>(by((entry) => entry.notReadySince ?? 0));

  constructor(private readonly targets: TargetBook) {}

  get all(): Iterable<Entry> {
    return this.entries.values();
  }

  get withNeeds(): number {
    return this.needing.size;
  }

  ofNumber(number: number): Entry | null {
    return this.entries.get(this.byNumber.get(number) ?? '') ?? null;
  }

  /** Entries that wait outside the sequence, in order. */
  waitingInOrder(atMost: number): readonly Entry[] {
    return first(this.waiting, atMost);
  }

  keep(entry: Entry): void {
    const known = this.entries.get(entry.id);
    if (known) this.drop(known);
    const hasTargets = this.targets.has(entry.number, entry.pullRequest.head);
    const kept = hasTargets === entry.hasTargets ? entry : { ...entry, hasTargets };
    this.entries.set(kept.id, kept);
    this.byNumber.set(kept.number, kept.id);
    this.index(kept, 'add');
  }

  drop(entry: Entry): void {
    this.entries.delete(entry.id);
    this.index(entry, 'remove');
  }

  /** The entries that a decision about these pull requests may read, with at most `mayStart` waiting entries. */
  wanted(frame: Frame, numbers: readonly number[], mayStart: number, now: Instant): Set<Entry> {
    const ids = [
      ...this.inFlight,
      ...frame.runs.flatMap((run) => run.own.map((change) => change.entryId)),
      ...this.needing,
      ...[...this.needing]
        .flatMap((id) => this.entries.get(id)?.needs ?? [])
        .map(({ number }) => this.byNumber.get(number) ?? ''),
      ...numbers.flatMap((number) => this.byNumber.get(number) ?? []),
      ...first(this.unchecked(frame), A_FEW),
    ];
    const wanted = new Set(ids.flatMap((id) => this.entries.get(id) ?? []));
    for (const entry of first(this.toBeTried(frame, now), mayStart)) wanted.add(entry);
    for (const id of this.waitingForSpeculation) wanted.add(this.entries.get(id)!);
    const since = now - frame.settings.notReadyTimeoutHours * HOUR;
    for (const entry of first(this.notReady, A_FEW)) if ((entry.notReadySince ?? 0) <= since) wanted.add(entry);
    return wanted;
  }

  /** The summary of entries outside the snapshot. */
  outside(
    frame: Frame,
    wanted: ReadonlySet<Entry>,
    now: Instant,
  ): Pick<QueueSnapshot, 'nextDeadlineOutside' | 'moreToLoad'> {
    const isOutside = (entry: Entry): boolean => !wanted.has(entry);
    return {
      nextDeadlineOutside: this.nextDeadlineOutside(frame, wanted, now),
      moreToLoad: {
        unchecked: any(this.unchecked(frame), (id) => isOutside(this.entries.get(id)!)),
        waiting: any(this.toBeTried(frame, now), isOutside),
        held: any(this.waiting, (entry) => entry.unreadableConfig !== null && isOutside(entry)),
      },
    };
  }

  private toBeTried(frame: Frame, now: Instant): Iterable<Entry> {
    return filtered(this.waiting, (entry) => !mayWaitForSpeculation(entry) && isToBeTried(frame, entry, now));
  }

  private unchecked({ mode }: Frame): ReadonlySet<string> {
    return this.evaluatedBy[mode === 'single' ? 'parallel' : 'single'];
  }

  private nextDeadlineOutside({ settings }: Frame, wanted: ReadonlySet<Entry>, now: Instant): Instant | null {
    const timeout = settings.notReadyTimeoutHours * HOUR;
    const [notReady] = first(
      filtered(this.notReady, (entry) => !wanted.has(entry)),
      1,
    );
    const [asked] = first(
      filtered(this.askedAgain, (entry) => !isDue(entry, now) && !wanted.has(entry)),
      1,
    );
    const moments = [
      ...(notReady ? [deadlineAfter(notReady.notReadySince ?? 0, timeout)] : []),
      ...(asked ? [asked.askAgainAt ?? 0] : []),
    ];
    return moments.length === 0 ? null : Math.min(...moments);
  }

  private index(entry: Entry, deed: 'add' | 'remove'): void {
    const inSet = deed === 'add' ? 'add' : 'delete';
    const isAside = entry.place === null && entry.search === null && isOutsideFlow(entry);
    if (!isAside) this.inFlight[inSet](entry.id);
    if (entry.needs && !isConcluded(entry.state)) this.needing[inSet](entry.id);
    if (entry.state === 'pending' && isAside) this.waiting[deed](entry);
    if (entry.state === 'pending' && isAside && mayWaitForSpeculation(entry))
      this.waitingForSpeculation[inSet](entry.id);
    if (entry.state === 'pending' && entry.askAgainAt !== null) this.askedAgain[deed](entry);
    if (entry.state === 'not_ready') this.notReady[deed](entry);
    if (entry.state === 'pending' || entry.state === 'not_ready')
      this.evaluatedBy[entry.evaluatedMode][inSet](entry.id);
  }
}

/** Whether the test of a waiting entry may start: the same condition as in `entriesWanted`. */
function isToBeTried({ tip, settings }: Frame, entry: Entry, now: Instant): boolean {
  const { unreadableConfig: config } = entry;
  const isByHand = settings.requiredStatuses.length > 0;
  return isDue(entry, now) && !(config !== null && config.commit === tip?.commit && config.isByHand === isByHand);
}

function by(moment: (entry: Entry) => Instant): (a: Entry, b: Entry) => number {
  return (a, b) => moment(a) - moment(b) || a.submittedOrder - b.submittedOrder;
}

function isDue(entry: Entry, now: Instant): boolean {
  return entry.askAgainAt === null || entry.askAgainAt <= now;
}

function* filtered<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Iterable<T> {
  for (const item of items) if (isWanted(item)) yield item;
}

function first<T>(items: Iterable<T>, count: number): readonly T[] {
  const few: T[] = [];
  for (const item of items) {
    if (few.length >= count) break;
    few.push(item);
  }
  return few;
}

function any<T>(items: Iterable<T>, isWanted: (item: T) => boolean): boolean {
  return first(filtered(items, isWanted), 1).length > 0;
}
