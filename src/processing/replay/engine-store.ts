import type { Decided } from '../../engine/decision';
import type { QueueEvent } from '../../engine/events';
import { schedulingOf } from '../../engine/flow-facts/scheduling';
import type {
  Downtime,
  Entry,
  Freeze,
  LandedChange,
  PullRequestFacts,
  QueueSnapshot,
  StatusFact,
  Tip,
  UploadFact,
} from '../../engine/model';
import { HOUR, type Instant, type QueueMode, type Scheduling } from '../../engine/vocabulary';
import { takesSlotOfWaiting, waitingWindow } from '../../engine/waiting-window';
import { KnownResults } from './known-results';
import { commitsOf, arriving, factsIn, numbersOf } from '../decision-log/event-subject';
import { StoredEntries } from './stored-entries';
import { SharedInStore } from './shared-in-store';
import { type GivenTargets, TargetBook } from './target-book';
import { Uploads } from './uploads';

/**
 * A queue's rows in memory. The store loads the same bounded snapshot for an event as `SnapshotLoader` does from the
 * tables, and stores the decision. Waiting entries are in sorted indexes, so that the cost of a decision does not
 * depend on their number.
 */
export class EngineStore {
  /** Since when the host has not answered tasks; null while it answers. */
  hostUnreachableSince: Instant | null = null;
  downtimes: readonly Downtime[] = [];
  freezes: readonly Freeze[] = [];
  /** Whether the service has started and has not read the host's statuses since. */
  statusesUnread = false;
  readonly targets = new TargetBook();
  readonly results = new KnownResults();
  /** The snapshot without entries, landed changes and reports, which are kept separately. */
  private frame: QueueSnapshot;
  private readonly entries = new StoredEntries(this.targets);
  private readonly shared = new SharedInStore(this.targets, this.entries);
  private readonly landed: LandedChange[] = [];
  private readonly reports = new Map<string, StatusFact[]>();
  private readonly uploads = new Uploads();
  private loaded: ReadonlySet<Entry> = new Set();

  constructor(start: QueueSnapshot) {
    this.frame = start;
    this.take(start);
  }

  /**
   * The snapshot for a decision on this event. As with the tables, it includes the event's observations of pull
   * requests.
   */
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
      sharing: this.shared.sharing({ ...snapshot, requestedMode }, arriving(event)),
      isolated: this.shared.isolated({ ...snapshot, settings }, arriving(event)),
      ...this.shared.areas(this.frame, snapshot.entries, arriving(event)),
    };
  }

  /** The snapshot for `explain` about these pull requests. */
  view(numbers: readonly number[], now: Instant): QueueSnapshot {
    return this.snapshot(numbers, [], now);
  }

  /** Entries that wait outside the sequence, in order. */
  waitingInOrder(atMost: number): readonly Entry[] {
    return this.entries.waitingInOrder(atMost);
  }

  /** The snapshot with all entries, without a limit. */
  everything(now: Instant): QueueSnapshot {
    const { hostUnreachableSince } = this;
    const entries = [...this.entries.all];
    const nothingOutside = { nextDeadlineOutside: null, moreToLoad: { unchecked: false, waiting: false, held: false } };
    const reports = [...this.reports.values()].flat();
    const bounded = this.snapshot([], [], now);
    return { ...bounded, entries, reports, landed: [...this.landed], hostUnreachableSince, ...nothingOutside };
  }

  /** Stores a decision on the snapshot that was loaded last. */
  save({ after, changes }: Decided): void {
    for (const entry of after.entries) if (!this.loaded.has(entry)) this.entries.keep(entry);
    for (const change of after.landed) if (change.seq > (this.landed.at(-1)?.seq ?? 0)) this.landed.push(change);
    this.results.note(changes);
    this.uploads.note(changes);
    this.frame = { ...after, entries: [], landed: [], reports: [] };
    this.loaded = new Set();
  }

  /** Replaces everything by this state. */
  replace(queue: QueueSnapshot): void {
    for (const entry of [...this.entries.all]) this.entries.drop(entry);
    this.landed.length = 0;
    this.reports.clear();
    this.take(queue);
  }

  observe(facts: PullRequestFacts): void {
    const entry = this.entryOf(facts.number);
    if (entry && entry.pullRequest.seenAt <= facts.seenAt) this.entries.keep({ ...entry, pullRequest: facts });
  }

  giveTargets(number: number, head: string, targets: GivenTargets): void {
    this.targets.give(number, head, targets);
    const entry = this.entryOf(number);
    if (entry) this.entries.keep(entry);
  }

  /** Stores a report, unless a report of the same name is newer by the host's own time. */
  report(report: StatusFact): void {
    const known = this.reports.get(report.commit) ?? [];
    const other = known.find(({ kind, name }) => kind === report.kind && name === report.name);
    if (other && other.reportedAt > report.reportedAt) return;
    this.reports.set(report.commit, [...known.filter((some) => some !== other), report]);
  }

  upload(upload: UploadFact): void {
    this.uploads.add(upload);
  }

  reportsOn(commit: string): readonly StatusFact[] {
    return this.reports.get(commit) ?? [];
  }

  entryOf(number: number): Entry | null {
    return this.entries.ofNumber(number);
  }

  /** The tip of the target that the queue last saw or made. */
  get tip(): Tip | null {
    return this.frame.tip;
  }

  /** The mode in force. */
  get mode(): QueueMode {
    return this.frame.mode;
  }

  /** The scheduling in force. */
  get scheduling(): Scheduling {
    return schedulingOf(this.frame);
  }

  /** Whether nothing is being built, tested, bisected or landed. */
  get isIdle(): boolean {
    const { runs, searches, landing } = this.frame;
    return runs.length + searches.length === 0 && landing === null;
  }

  get all(): Iterable<Entry> {
    return this.entries.all;
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
      this.entries.keep(entry);
    }
  }

  /** The numbers of the entries whose heads the head of this event contains. */
  private containedIn(event: QueueEvent): readonly number[] {
    const commits = 'commits' in event && event.type !== 'landed' && event.type !== 'landedPartly' ? event.commits : [];
    if (!commits || commits.length === 0) return [];
    return [...this.entries.all].filter(({ head }) => commits.includes(head)).map(({ number }) => number);
  }

  private snapshot(numbers: readonly number[], commits: readonly string[], now: Instant): QueueSnapshot {
    const wanted = this.entries.wanted(this.frame, numbers, this.mayStart(), now);
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
      sharing: this.shared.sharing({ ...this.frame, entries, landed }, []),
      ...this.shared.areas(this.frame, entries, []),
      isolated: this.shared.isolated({ ...this.frame, entries }, []),
      reports: [...this.frame.runs.flatMap((run) => run.commit ?? []), ...commits].flatMap((c) => this.reportsOn(c)),
      uploads: this.frame.runs.flatMap((run) => this.uploads.on(run.commit ?? '')),
      usualUploads: this.uploads.usual,
      ...this.entries.outside(this.frame, wanted, now),
    };
  }

  private mayStart(): number {
    const inUse = this.frame.runs.filter((run) => takesSlotOfWaiting(this.frame.settings, run)).length;
    return waitingWindow(this.frame, inUse, this.entries.withNeeds);
  }

  private landedSinceOldestBase(): readonly LandedChange[] {
    const { runs, searches, epoch } = this.frame;
    const bases = [...runs, ...searches].map(({ base }) => base).filter((base) => base.epoch === epoch);
    if (bases.length === 0) return [];
    const oldest = Math.min(...bases.map((base) => base.landedSeq));
    const from = this.landed.findLastIndex((change) => change.seq <= oldest) + 1;
    return this.landed.slice(from).filter((change) => change.epoch === epoch);
  }
}
