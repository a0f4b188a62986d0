import { Injectable, Logger } from '@nestjs/common';
import { CodeHostRegistry } from '../../../code-hosts/code-host.registry';
import type { QueueEvent } from '../../../engine/events';
import type { Entry, LandedChange, QueueSnapshot, ServiceLimits, SharedTargets } from '../../../engine/model';
import { HOUR, type Instant, deadlineAfter } from '../../../engine/vocabulary';
import { freezesAround } from '../../../domain/freeze-windows';
import { Config } from '../../../platform/config/config';
import type { Statements } from '../../../platform/database/statements';
import { AlreadyConsumed } from '../../outbox/task-outcomes';
import type { QueueLock, QueueRow } from '../queue-lock';
import { type Complete, instantIn, instantOrNull } from './codecs/columns';
import { decodeEntry } from './codecs/entry.codec';
import { decodeLanded } from './codecs/landed-change.codec';
import { decodeQueue } from './codecs/queue.codec';
import { decodeRun } from './codecs/run.codec';
import { decodeSearch } from './codecs/search.codec';
import { withStoredNeeds } from './read-needs';
import { whatWasForgotten } from './read-flow';
import type { Outside } from './read-entries';
import { areTargetsNeeded, headsWaiting, mayBeParallel, type HeadOfEntry, rulesOf } from './heads-with-targets';
import { IsolatedHeads } from './isolated-heads';
import { downtimeOf, mergedOf, reportOf } from './read-in-flight';
import { readQueueRows } from './read-snapshot';
import { readUploads } from './read-uploads';
import { areasShared, type ImpactingEntry, pairsSharing } from './shared-targets';
import { type Subject, subjectOf } from './subject';
import {
  type Head,
  headKey,
  type SetRow,
  TargetSets,
  type TargetsSource,
  targetsSourceOf,
  type VersionRow,
} from './target-sets';

/** Loads the part of a queue that one decision may read. */
@Injectable()
export class SnapshotLoader {
  private readonly logger = new Logger(SnapshotLoader.name);
  private readonly limits: ServiceLimits;
  private readonly targets = new TargetSets();
  private readonly isolatedHeads = new IsolatedHeads();

  constructor(
    private readonly hosts: CodeHostRegistry,
    { maxRunsInFlight, maxBatch, treeReuseHours }: Config,
  ) {
    this.limits = { runsInFlight: maxRunsInFlight, batchSize: maxBatch, treeReuseHours };
  }

  /** @throws AlreadyConsumed */
  loadForDecision({ tx, row, due = null }: QueueLock, event: QueueEvent, now: Date): Promise<QueueSnapshot> {
    return this.load(tx, row, subjectOf(event), now, due?.id);
  }

  /** Loads the bounded snapshot, as the transaction sees it. `outcomeId`: the outcome on which the decision is made. */
  async load(
    tx: Statements,
    queue: QueueRow,
    subject: Subject,
    now: Date,
    outcomeId: bigint | null = null,
  ): Promise<Complete<QueueSnapshot>> {
    const { limits } = this;
    const forgotten = queue.flow === null ? null : whatWasForgotten(queue.flow, queue);
    if (forgotten !== null) this.logger.warn(forgotten);
    const targets = areTargetsNeeded(queue, subject) ? targetsSourceOf(queue) : null;
    const newHead = targets === null ? null : this.newHeadOf(targets, subject);
    const reading = readQueueRows(tx, queue, { subject, limits, now, targets, newHead, outcomeId });
    // The columns and freezes are computed while PostgreSQL reads the rows.
    const columns = decodeQueue(queue);
    const freezes = freezesAround(subject.freezeWindows ?? columns.settings.freezeWindows, now.getTime());
    const rows = await reading;
    if (!rows.isOutcomeDue) throw new AlreadyConsumed();
    const { outside, versions, newTargets } = rows;
    const runs = rows.runs.map(decodeRun);
    const entries = await withStoredNeeds(tx, queue.id, rows.withNeeds, rows.entries.map(decodeEntry));
    const landed = rows.landed.map(decodeLanded);
    const reports = rows.reports.map(reportOf);
    const downtimes = rows.downtimes.map((downtime) => downtimeOf(downtime, now));
    // A downtime that has not ended means that this process has just started.
    const isStarting = rows.downtimes.some(({ to }) => to === null);
    const loaded = { tx, queue, subject, entries, versions, newTargets };
    const sharing = await this.readSharing(loaded, landed);
    const areas = await this.readAreas(loaded);
    const isolated = await this.readIsolated(loaded);
    const { uploads, usualUploads } = await readUploads(tx, queue, runs, reports);
    // Only the first object is spread: spreading more objects into one with so many fields takes some 40 µs.
    return {
      ...columns,
      limits,
      hostUnreachableSince: earliest(outside.unreachableSince, queue.unreachableSince),
      hostRefusal: outside.refusal ?? queue.refusal,
      merging:
        outside.merging === null ? undefined : { number: outside.merging.number, since: outside.merging.askedAt },
      downtimes,
      statusesUnread: isStarting || queue.unreadSince !== null,
      checksOff: this.hosts.hostFor(queue.host)?.whyChecksDoNotRun?.() ?? undefined,
      entries,
      runs,
      searches: rows.searches.map(decodeSearch),
      sharing,
      areas,
      isolated,
      landed,
      freezes,
      mergedLately: rows.mergedLately.map(mergedOf),
      reports,
      uploads,
      usualUploads,
      nextDeadlineOutside: nextDeadline(queue, outside),
      moreToLoad: { unchecked: outside.unchecked, waiting: outside.waiting, held: outside.held },
    };
  }

  /** The snapshot without entries and test runs, made from the queue's own row only, for reads of many queues. */
  withoutEntries(queue: QueueRow, now: Date): QueueSnapshot {
    return {
      ...decodeQueue(queue),
      limits: this.limits,
      hostUnreachableSince: instantOrNull(queue.unreachableSince),
      hostRefusal: queue.refusal,
      ...{ downtimes: [], statusesUnread: queue.unreadSince !== null, entries: [], runs: [], searches: [] },
      ...{ sharing: new Map(), isolated: new Set(), landed: [], mergedLately: [] },
      freezes: freezesAround(queue.settings.freezeWindows, now.getTime()),
      ...{ reports: [], uploads: [], usualUploads: 0, nextDeadlineOutside: null },
      moreToLoad: { unchecked: false, waiting: false, held: false },
    };
  }

  /** Reads the shared targets, also if this decision may switch the queue to parallel mode. */
  private async readSharing(loaded: Loaded, landed: readonly LandedChange[]): Promise<SharedTargets> {
    if (!mayBeParallel(loaded.queue, loaded.subject)) return new Map();
    const ofLanded = landed.map(({ entryId, number, head }) => ({ entryId, number, sha: head }));
    return pairsSharing(await this.impacting(loaded, [...headsWaiting(loaded), ...ofLanded]), this.targets.share);
  }

  private async readAreas(loaded: Loaded): Promise<QueueSnapshot['areas']> {
    if (loaded.queue.settings.scheduling !== 'flow') return undefined;
    return areasShared(await this.impacting(loaded, headsWaiting(loaded)));
  }

  /** The arriving head, whose targets must be read; null if there is none or its targets are in the cache. */
  private newHeadOf(source: TargetsSource, { arriving }: Subject): Head | null {
    if (!arriving) return null;
    const head = { number: arriving.number, sha: arriving.head };
    return this.targets.has(source, head) ? null : head;
  }

  private async impacting(
    { tx, queue, versions, newTargets }: Loaded,
    heads: readonly HeadOfEntry[],
  ): Promise<readonly ImpactingEntry[]> {
    const sets = await this.targets.read(tx, targetsSourceOf(queue), heads, versions, newTargets);
    return heads.flatMap((head) => {
      const targets = sets.get(headKey(head));
      return targets ? [{ entryId: head.entryId, targets }] : [];
    });
  }

  /**
   * The ids of the entries that a batching rule excludes from batches. The rules that apply after this decision count.
   */
  private async readIsolated(loaded: Loaded): Promise<ReadonlySet<string>> {
    const { tx, queue, subject, versions } = loaded;
    const heads = headsWaiting(loaded);
    const isolated = await this.isolatedHeads.read(
      tx,
      targetsSourceOf(queue),
      rulesOf(queue, subject),
      heads,
      versions,
    );
    return new Set(heads.filter((head) => isolated.has(headKey(head))).map(({ entryId }) => entryId));
  }
}

/** The part of the snapshot that the readers of targets need. */
interface Loaded {
  readonly tx: Statements;
  readonly queue: QueueRow;
  readonly subject: Subject;
  readonly entries: readonly Entry[];
  readonly versions: readonly VersionRow[] | null;
  readonly newTargets: SetRow | null;
}

function nextDeadline({ settings }: QueueRow, { oldestNotReady, nextAskAgain }: Outside): Instant | null {
  const moments = [
    ...(oldestNotReady ? [deadlineAfter(instantIn(oldestNotReady), settings.notReadyTimeoutHours * HOUR)] : []),
    ...(nextAskAgain ? [instantIn(nextAskAgain)] : []),
  ];
  return moments.length === 0 ? null : Math.min(...moments);
}

function earliest(ofTasks: string | null, ofHost: Date | null): Instant | null {
  const moments = [...(ofTasks === null ? [] : [instantIn(ofTasks)]), ...(ofHost === null ? [] : [ofHost.getTime()])];
  return moments.length === 0 ? null : Math.min(...moments);
}
