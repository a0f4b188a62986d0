import type { Decided } from '../../src/engine/decision';
import type { QueueEvent } from '../../src/engine/events';
import type {
  Downtime,
  Freeze,
  QueuedHead,
  Entry,
  LandedChange,
  PullRequestFacts,
  QueueSnapshot,
  StatusFact,
  Tip,
  UploadFact,
} from '../../src/engine/model';
import { isOutsideFlow } from '../../src/engine/flow/standing';
import { isAnyAreaShared } from '../../src/engine/flow/state';
import { standsInLine } from '../../src/engine/policy/line';
import { comparePending } from '../../src/engine/policy/order';
import { holdsSlot, isConcluded } from '../../src/engine/states';
import { HOUR, type Instant, type QueueMode, deadlineAfter } from '../../src/engine/vocabulary';
import { type ImpactedTargets, keyOf, matchesAny, TargetBook } from './impacted-targets';
import { KnownResults } from './known-results';
import { SortedIndex } from './sorted-index';
import { Uploads } from './uploads';

/** How many entries one decision evaluates again for their deadline or after a switch, as in the tables' own loader. */
const A_FEW = 100;
/** In lanes, and where areas are shared, what waits is looked through for what may start, but not for ever. */
const LOOK_AHEAD = 4;
const LANES_LOOK_AHEAD = 16;
const LOOK_AHEAD_AT_MOST = 500;

/**
 * A queue's rows in memory: loads the same bounded snapshot for an event as the tables do, and folds the decision back.
 * What waits stands in sorted indexes, so that a decision costs the same whether ten wait or a hundred thousand.
 */
export class EngineStore {
  /** Since when the host has not answered a task; null while it answers. */
  hostUnreachableSince: Instant | null = null;
  downtimes: readonly Downtime[] = [];
  freezes: readonly Freeze[] = [];
  /** The service has started and has not looked at its host since. */
  statusesUnread = false;
  readonly targets = new TargetBook();
  readonly results = new KnownResults();
  /** Everything but the entries, the landed changes and the reports, which are kept apart. */
  private frame: QueueSnapshot;
  private readonly entries = new Map<string, Entry>();
  private readonly byNumber = new Map<number, string>();
  private readonly inFlight = new Set<string>();
  private readonly needing = new Set<string>();
  private readonly evaluatedBy = { single: new Set<string>(), parallel: new Set<string>() };
  private readonly waiting = new SortedIndex<Entry>(comparePending);
  private readonly askedAgain = new SortedIndex<Entry>(by((entry) => entry.askAgainAt ?? 0));
  private readonly notReady = new SortedIndex<Entry>(by((entry) => entry.notReadySince ?? 0));
  private readonly landed: LandedChange[] = [];
  private readonly reports = new Map<string, StatusFact[]>();
  private readonly uploads = new Uploads();
  private loaded: ReadonlySet<Entry> = new Set();

  constructor(start: QueueSnapshot) {
    this.frame = start;
    this.take(start);
  }

  /** The snapshot that this event is decided on. What it shows of pull requests is known by then, as in the tables. */
  load(event: QueueEvent, now: Instant): QueueSnapshot {
    for (const facts of factsIn(event)) this.observe(facts);
    const snapshot = this.snapshot([...numbersOf(event), ...this.containedIn(event)], commitsOf(event), now);
    this.loaded = new Set(snapshot.entries);
    const becomesParallel = event.type === 'settingsChanged' && event.mode === 'parallel';
    if (event.type !== 'pullRequestSubmitted' && event.type !== 'settingsChanged') return snapshot;
    const requestedMode = becomesParallel ? 'parallel' : snapshot.requestedMode;
    const rules = event.type === 'settingsChanged' ? event.settings.batchingRules : undefined;
    const settings = { ...snapshot.settings, ...(rules && { batchingRules: rules }) };
    return {
      ...snapshot,
      sharing: this.sharing({ ...snapshot, requestedMode }, arriving(event)),
      isolated: this.isolated({ ...snapshot, settings }, arriving(event)),
      ...this.areas(snapshot.entries, arriving(event)),
    };
  }

  /** What a question about these pull requests is answered from. */
  view(numbers: readonly number[], now: Instant): QueueSnapshot {
    return this.snapshot(numbers, [], now);
  }

  /** Those that wait outside of the line, in order. */
  waitingInOrder(atMost: number): readonly Entry[] {
    const first: Entry[] = [];
    for (const entry of this.waiting) {
      if (first.length >= atMost) break;
      first.push(entry);
    }
    return first;
  }

  /** The whole queue, however much waits. */
  everything(now: Instant): QueueSnapshot {
    const { hostUnreachableSince } = this;
    const entries = [...this.entries.values()];
    const nothingOutside = { nextDeadlineOutside: null, moreToLoad: { unchecked: false, waiting: false, held: false } };
    const reports = [...this.reports.values()].flat();
    const bounded = this.snapshot([], [], now);
    return { ...bounded, entries, reports, landed: [...this.landed], hostUnreachableSince, ...nothingOutside };
  }

  /** Folds in what was decided on the snapshot that was loaded last. */
  save({ after, changes }: Decided): void {
    for (const entry of after.entries) if (!this.loaded.has(entry)) this.keep(entry);
    for (const change of after.landed) if (change.seq > (this.landed.at(-1)?.seq ?? 0)) this.landed.push(change);
    this.results.note(changes);
    this.uploads.note(changes);
    this.frame = { ...after, entries: [], landed: [], reports: [] };
    this.loaded = new Set();
  }

  /** Forgets what it holds and begins again from this. */
  replace(queue: QueueSnapshot): void {
    for (const entry of [...this.entries.values()]) this.drop(entry);
    this.landed.length = 0;
    this.reports.clear();
    this.take(queue);
  }

  observe(facts: PullRequestFacts): void {
    const entry = this.entryOf(facts.number);
    if (entry && entry.pullRequest.seenAt <= facts.seenAt) this.keep({ ...entry, pullRequest: facts });
  }

  giveTargets(number: number, head: string, targets: ImpactedTargets): void {
    this.targets.give(number, head, targets);
    const entry = this.entryOf(number);
    if (entry) this.keep(entry);
  }

  /** Keeps the newest report of a name by the host's own time; an older one that comes late changes nothing. */
  report(report: StatusFact): void {
    const known = this.reports.get(report.commit) ?? [];
    const other = known.find(({ kind, name }) => kind === report.kind && name === report.name);
    if (other && other.reportedAt > report.reportedAt) return;
    this.reports.set(report.commit, [...known.filter((some) => some !== other), report]);
  }

  upload(upload: UploadFact): void {
    this.uploads.add(upload);
  }

  uploadsOn(commit: string): readonly UploadFact[] {
    return this.uploads.on(commit);
  }

  reportsOn(commit: string): readonly StatusFact[] {
    return this.reports.get(commit) ?? [];
  }

  entryOf(number: number): Entry | null {
    return this.entries.get(this.byNumber.get(number) ?? '') ?? null;
  }

  /** The target as the queue last saw or made it. */
  get tip(): Tip | null {
    return this.frame.tip;
  }

  /** The mode in force. */
  get mode(): QueueMode {
    return this.frame.mode;
  }

  /** Whether nothing is built, tested, searched or landed. */
  get isIdle(): boolean {
    const { runs, searches, landing } = this.frame;
    return runs.length + searches.length === 0 && landing === null;
  }

  get all(): Iterable<Entry> {
    return this.entries.values();
  }

  private take(queue: QueueSnapshot): void {
    this.frame = { ...queue, entries: [], landed: [], reports: [] };
    this.hostUnreachableSince = queue.hostUnreachableSince;
    this.downtimes = queue.downtimes;
    this.statusesUnread = queue.statusesUnread;
    this.landed.push(...queue.landed);
    for (const report of queue.reports) this.report(report);
    for (const entry of queue.entries) {
      const { number, head } = entry.pullRequest;
      if (entry.hasTargets && !this.targets.has(number, head)) this.targets.give(number, head, 'ALL');
      this.keep(entry);
    }
  }

  /** Numbers of the entries that the head of this event contains. */
  private containedIn(event: QueueEvent): readonly number[] {
    const commits = 'commits' in event && event.type !== 'landed' && event.type !== 'landedPartly' ? event.commits : [];
    if (!commits || commits.length === 0) return [];
    return [...this.entries.values()].filter(({ head }) => commits.includes(head)).map(({ number }) => number);
  }

  private snapshot(numbers: readonly number[], commits: readonly string[], now: Instant): QueueSnapshot {
    const wanted = this.wanted(numbers, now);
    const landed = this.landedSinceOldestBase();
    const entries = [...wanted];
    return {
      ...this.frame,
      freezes: this.freezes.filter(({ until }) => until > now),
      mergedLately: this.frame.mergedLately.filter(({ at }) => at > now - HOUR),
      hostUnreachableSince: this.hostUnreachableSince,
      downtimes: this.downtimes,
      statusesUnread: this.statusesUnread,
      entries,
      landed,
      sharing: this.sharing({ ...this.frame, entries, landed }, []),
      ...this.areas(entries, []),
      isolated: this.isolated({ ...this.frame, entries }, []),
      reports: [...this.frame.runs.flatMap((run) => run.commit ?? []), ...commits].flatMap((c) => this.reportsOn(c)),
      uploads: this.frame.runs.flatMap((run) => this.uploads.on(run.commit ?? '')),
      usualUploads: this.uploads.usual,
      nextDeadlineOutside: this.nextDeadlineOutside(wanted, now),
      moreToLoad: {
        unchecked: any(this.unchecked(), (id) => !wanted.has(this.entries.get(id)!)),
        waiting: any(this.waiting, (entry) => this.mayBeTried(entry, now) && !wanted.has(entry)),
        held: any(this.waiting, (entry) => entry.unreadableConfig !== null && !wanted.has(entry)),
      },
    };
  }

  private wanted(numbers: readonly number[], now: Instant): Set<Entry> {
    const { notReadyTimeoutHours } = this.frame.settings;
    const ids = [
      ...this.inFlight,
      ...this.frame.runs.flatMap((run) => run.own.map((change) => change.entryId)),
      ...this.needing,
      ...[...this.needing]
        .flatMap((id) => this.entries.get(id)?.needs ?? [])
        .map(({ number }) => this.byNumber.get(number) ?? ''),
      ...numbers.flatMap((number) => this.byNumber.get(number) ?? []),
      ...first(this.unchecked(), A_FEW),
    ];
    const wanted = new Set(ids.flatMap((id) => this.entries.get(id) ?? []));
    for (const entry of first(
      filtered(this.waiting, (some) => this.mayBeTried(some, now)),
      this.mayStart(),
    ))
      wanted.add(entry);
    const since = now - notReadyTimeoutHours * HOUR;
    for (const entry of first(this.notReady, A_FEW)) if ((entry.notReadySince ?? 0) <= since) wanted.add(entry);
    return wanted;
  }

  /** How many of those that wait one decision could start, and one more. */
  private mayStart(): number {
    const { settings, limits, runs, mode, flow } = this.frame;
    const isFlow = settings.scheduling === 'flow';
    const pool = isFlow
      ? settings.concurrency + (settings.bisectionConcurrency ?? settings.concurrency)
      : settings.concurrency;
    const slots = Math.min(pool, limits.runsInFlight);
    const inUse = runs.filter((run) => (isFlow || standsInLine(run)) && holdsSlot(run)).length;
    const perRun = settings.batch ? Math.min(settings.batchingMinSize, limits.batchSize) : 1;
    const next = Math.max(slots - inUse, 1) * perRun + 1 + this.needing.size;
    const isPassedOver = mode === 'parallel' || (isFlow && flow !== undefined && isAnyAreaShared(flow));
    const further = mode === 'parallel' ? LANES_LOOK_AHEAD : LOOK_AHEAD;
    return isPassedOver ? Math.min(further * next, LOOK_AHEAD_AT_MOST) : next;
  }

  /** As the condition of the tables. */
  private mayBeTried(entry: Entry, now: Instant): boolean {
    const { tip, settings } = this.frame;
    const { unreadableConfig: config } = entry;
    const isByHand = settings.requiredStatuses.length > 0;
    return isDue(entry, now) && !(config !== null && config.commit === tip?.commit && config.isByHand === isByHand);
  }

  private unchecked(): ReadonlySet<string> {
    return this.evaluatedBy[this.frame.mode === 'single' ? 'parallel' : 'single'];
  }

  private landedSinceOldestBase(): readonly LandedChange[] {
    const { runs, searches, epoch } = this.frame;
    const bases = [...runs, ...searches].map(({ base }) => base).filter((base) => base.epoch === epoch);
    if (bases.length === 0) return [];
    const oldest = Math.min(...bases.map((base) => base.landedSeq));
    const from = this.landed.findLastIndex((change) => change.seq <= oldest) + 1;
    return this.landed.slice(from).filter((change) => change.epoch === epoch);
  }

  /** What is not ready follows its pull request's head in the decision that sees another one. */
  private sharing(
    { mode, requestedMode, entries, landed }: QueueSnapshot,
    submitted: readonly QueuedHead[],
  ): QueueSnapshot['sharing'] {
    if (mode === 'single' && requestedMode !== 'parallel') return new Map();
    const heads = new Map<string, Set<string>>();
    for (const { id, number, head, state, pullRequest } of entries)
      heads.set(id, new Set([keyOf(number, state === 'not_ready' ? pullRequest.head : head)]));
    const others = submitted.map((change) => ({
      ...change,
      entryId: this.byNumber.get(change.number) ?? change.entryId,
    }));
    for (const { entryId, number, head } of [...landed, ...others])
      heads.set(entryId, (heads.get(entryId) ?? new Set()).add(keyOf(number, head)));
    return this.targets.sharingAmong(heads);
  }

  private areas(entries: readonly Entry[], submitted: readonly QueuedHead[]): Pick<QueueSnapshot, 'areas'> {
    if (this.frame.settings.scheduling !== 'flow') return {};
    const open = entries.filter(({ state }) => !isConcluded(state));
    const keys = new Map(open.map(({ id, number, head }) => [id, keyOf(number, head)]));
    for (const { entryId, number, head } of submitted)
      keys.set(this.byNumber.get(number) ?? entryId, keyOf(number, head));
    return { areas: this.targets.areasAmong(keys) };
  }

  private isolated({ settings, entries }: QueueSnapshot, submitted: readonly QueuedHead[]): ReadonlySet<string> {
    const { batchingRules } = settings;
    if (batchingRules.length === 0) return new Set();
    const heads = entries.map(({ id: entryId, number, head, state, pullRequest }) => {
      return { entryId, number, head: state === 'not_ready' ? pullRequest.head : head };
    });
    const others = submitted.map((change) => ({
      ...change,
      entryId: this.byNumber.get(change.number) ?? change.entryId,
    }));
    const matching = [...heads, ...others].filter(({ number, head }) =>
      matchesAny(batchingRules, this.targets.of(number, head)),
    );
    return new Set(matching.map(({ entryId }) => entryId));
  }

  private nextDeadlineOutside(wanted: ReadonlySet<Entry>, now: Instant): Instant | null {
    const timeout = this.frame.settings.notReadyTimeoutHours * HOUR;
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

  private keep(entry: Entry): void {
    const known = this.entries.get(entry.id);
    if (known) this.drop(known);
    const hasTargets = this.targets.has(entry.number, entry.pullRequest.head);
    const kept = hasTargets === entry.hasTargets ? entry : { ...entry, hasTargets };
    this.entries.set(kept.id, kept);
    this.byNumber.set(kept.number, kept.id);
    this.index(kept, 'add');
  }

  private drop(entry: Entry): void {
    this.entries.delete(entry.id);
    this.index(entry, 'remove');
  }

  private index(entry: Entry, deed: 'add' | 'remove'): void {
    const inSet = deed === 'add' ? 'add' : 'delete';
    const isAside = entry.place === null && entry.search === null && isOutsideFlow(entry);
    if (!isAside) this.inFlight[inSet](entry.id);
    if (entry.needs && !isConcluded(entry.state)) this.needing[inSet](entry.id);
    if (entry.state === 'pending' && isAside) this.waiting[deed](entry);
    if (entry.state === 'pending' && entry.askAgainAt !== null) this.askedAgain[deed](entry);
    if (entry.state === 'not_ready') this.notReady[deed](entry);
    if (entry.state === 'pending' || entry.state === 'not_ready') this.evaluatedBy[entry.judgedMode][inSet](entry.id);
  }
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

function factsIn(event: QueueEvent): readonly PullRequestFacts[] {
  switch (event.type) {
    case 'pullRequestSubmitted':
    case 'pullRequestSeen':
      return [event.facts];
    case 'runPushed':
    case 'runResultKnown':
    case 'runNotStarted':
      return event.seen;
    default:
      return [];
  }
}

function numbersOf(event: QueueEvent): readonly number[] {
  if (event.type === 'pullRequestSubmitted') return [event.facts.number, ...(event.facts.dependsOn ?? [])];
  if ('number' in event) return [event.number];
  if (event.type === 'allCancelRequested') return event.numbers;
  return factsIn(event).map((facts) => facts.number);
}

function commitsOf(event: QueueEvent): readonly string[] {
  return event.type === 'runPushed' || event.type === 'runResultKnown' ? [event.commit] : [];
}

function arriving(event: QueueEvent): readonly QueuedHead[] {
  if (event.type !== 'pullRequestSubmitted') return [];
  return [{ entryId: event.newEntryId, number: event.facts.number, head: event.facts.head }];
}
