import { Injectable, Logger } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import type { QueueEvent } from '../../engine/events';
import type {
  Entry,
  Landing,
  LandedChange,
  PartialLanding,
  QueueSnapshot,
  ServiceLimits,
  SharedTargets,
} from '../../engine/model';
import { isConcluded } from '../../engine/states';
import { HOUR, type Instant, type MergeMethod, deadlineAfter } from '../../engine/vocabulary';
import { freezesAround } from '../../domain/freeze-windows';
import { Config } from '../../platform/config/config';
import type { Tx } from '../../platform/database/prisma.service';
import type { QueueLock, QueueRow } from '../queue-lock';
import { countWithNeeds, readContained, withRelated, withStoredNeeds } from './read-needs';
import { readFlowState, whatWasForgotten } from './read-flow';
import { readDowntimes } from './read-downtimes';
import { type Outside, readEntries, readOutside } from './read-entries';
import { IsolatedHeads } from './isolated-heads';
import { readLanded, readLiveRuns, readMergedLately, readReports, readSearches } from './read-in-flight';
import { readUploads } from './read-uploads';
import { entryOf, instantOrNull, settingsOf, tipOf } from './read-rows';
import { areasShared, type ImpactingEntry, pairsSharing } from './shared-targets';
import { type Subject, subjectOf } from './subject';
import { type Head, headKey, targetsSourceOf, TargetSets } from './target-sets';
import { waitingWindow } from './waiting-window';

/** An entry at one of its heads: the present one, an arriving one, or one that it landed with. */
interface HeadOfEntry extends Head {
  readonly entryId: string;
}

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

  loadForDecision({ tx, row }: QueueLock, event: QueueEvent, now: Date): Promise<QueueSnapshot> {
    return this.load(tx, row, subjectOf(event), now);
  }

  /** The bounded snapshot, as the transaction sees it. */
  async load(tx: Tx, queue: QueueRow, subject: Subject, now: Date): Promise<QueueSnapshot> {
    const { limits } = this;
    const runs = await readLiveRuns(tx, queue);
    const contained = await readContained(tx, queue.id, subject.contained ?? []);
    const forgotten = queue.flow === null ? null : whatWasForgotten(queue.flow, queue);
    if (forgotten !== null) this.logger.warn(forgotten);
    const numbers = [...subject.numbers, ...contained];
    const withNeeds = await countWithNeeds(tx, queue.id);
    const waiting = waitingWindow(queue, runs, limits) + withNeeds;
    const rows = await withRelated(
      tx,
      queue,
      withNeeds,
      await readEntries(tx, queue, { numbers, waiting, now }),
      (more) => readEntries(tx, queue, { numbers: more, waiting: 0, now }),
    );
    const outside = await readOutside(tx, queue, rows, now);
    const entries = await withStoredNeeds(tx, queue.id, withNeeds, rows.map(entryOf));
    const searches = await readSearches(tx, queue);
    const landed = await readLanded(tx, queue, [...runs, ...searches]);
    const reports = await readReports(tx, queue, runs, subject.commits);
    const { downtimes, isStarting } = await readDowntimes(tx, runs, now);
    return {
      ...columnsOf(queue),
      landsWholeRuns: this.landsWholeRuns(queue),
      limits,
      hostUnreachableSince: earliest(outside.unreachableSince, queue.unreachableSince),
      hostRefusal: outside.refusal ?? queue.refusal,
      downtimes,
      statusesUnread: isStarting || queue.unreadSince !== null,
      checksOff: this.hosts.hostFor(queue.host)?.whyChecksDoNotRun?.() ?? undefined,
      entries,
      runs,
      searches,
      sharing: await this.readSharing(tx, queue, subject, entries, landed),
      ...(await this.readAreas(tx, queue, subject, entries)),
      isolated: await this.readIsolated(tx, queue, subject, entries),
      landed,
      freezes: freezesAround(subject.freezeWindows ?? settingsOf(queue).freezeWindows, now.getTime()),
      mergedLately: await readMergedLately(tx, queue, subject, now),
      reports,
      ...(await readUploads(tx, queue, runs, reports)),
      nextDeadlineOutside: nextDeadline(queue, outside),
      moreToLoad: { unchecked: outside.unchecked, waiting: outside.waiting, held: outside.held },
    };
  }

  /** A queue as its own row says, as if nothing were in it: for reads of many queues. */
  withoutEntries(queue: QueueRow, now: Date): QueueSnapshot {
    return {
      ...columnsOf(queue),
      landsWholeRuns: this.landsWholeRuns(queue),
      limits: this.limits,
      hostUnreachableSince: instantOrNull(queue.unreachableSince),
      hostRefusal: queue.refusal,
      ...{ downtimes: [], statusesUnread: queue.unreadSince !== null, entries: [], runs: [], searches: [] },
      ...{ sharing: new Map(), isolated: new Set(), landed: [], mergedLately: [] },
      freezes: freezesAround(settingsOf(queue).freezeWindows, now.getTime()),
      ...{ reports: [], uploads: [], usualUploads: 0, nextDeadlineOutside: null },
      moreToLoad: { unchecked: false, waiting: false, held: false },
    };
  }

  /** Depends on the queue's present merge method; false when the host is not configured any more. */
  private landsWholeRuns({ repositoryId: id, host, repositoryOwner, repositoryName, mergeMethod }: QueueRow): boolean {
    const repository = { id, host, owner: repositoryOwner, name: repositoryName };
    return this.hosts.hostFor(host)?.landsWholeRuns(repository, mergeMethod as MergeMethod) ?? false;
  }

  /** Also when this decision may switch the queue to parallel mode. */
  private async readSharing(
    tx: Tx,
    queue: QueueRow,
    subject: Subject,
    entries: readonly Entry[],
    landed: readonly LandedChange[],
  ): Promise<SharedTargets> {
    if (![queue.mode, queue.requestedMode, subject.mode].includes('parallel')) return new Map();
    const heads = [
      ...entries.filter(({ state }) => !isConcluded(state)).map(headOf),
      ...landed.map(({ entryId, number, head }) => ({ entryId, number, sha: head })),
      ...headsArriving(subject, entries),
    ];
    return pairsSharing(await this.impacting(tx, queue, heads), this.targets.share);
  }

  private async readAreas(
    tx: Tx,
    queue: QueueRow,
    subject: Subject,
    entries: readonly Entry[],
  ): Promise<Pick<QueueSnapshot, 'areas'>> {
    if (settingsOf(queue).scheduling !== 'flow') return {};
    const waiting = entries.filter(({ state }) => !isConcluded(state)).map(headOf);
    return { areas: areasShared(await this.impacting(tx, queue, [...waiting, ...headsArriving(subject, entries)])) };
  }

  private async impacting(tx: Tx, queue: QueueRow, heads: readonly HeadOfEntry[]): Promise<readonly ImpactingEntry[]> {
    const sets = await this.targets.read(tx, targetsSourceOf(queue), heads);
    return heads.flatMap((head) => {
      const targets = sets.get(headKey(head));
      return targets ? [{ entryId: head.entryId, targets }] : [];
    });
  }

  /** By the rules that are in force after this decision. */
  private async readIsolated(
    tx: Tx,
    queue: QueueRow,
    subject: Subject,
    entries: readonly Entry[],
  ): Promise<ReadonlySet<string>> {
    const rules = subject.batchingRules ?? settingsOf(queue).batchingRules;
    const waiting = entries.filter(({ state }) => !isConcluded(state)).map(headOf);
    const heads = [...waiting, ...headsArriving(subject, entries)];
    const isolated = await this.isolatedHeads.read(tx, targetsSourceOf(queue), rules, heads);
    return new Set(heads.filter((head) => isolated.has(headKey(head))).map(({ entryId }) => entryId));
  }
}

/** An entry that is not ready takes its pull request's new head in this decision. */
function headOf({ id: entryId, number, head, state, pullRequest }: Entry): HeadOfEntry {
  return { entryId, number, sha: state === 'not_ready' ? pullRequest.head : head };
}

function headsArriving({ arriving }: Subject, entries: readonly Entry[]): readonly HeadOfEntry[] {
  if (!arriving) return [];
  const { newEntryId, number, head: sha } = arriving;
  const entryId = entries.find((entry) => entry.number === number)?.id ?? newEntryId;
  return [{ entryId, number, sha }];
}

function columnsOf(queue: QueueRow) {
  return {
    id: queue.id,
    branch: queue.branch,
    host: queue.host,
    state: queue.state as QueueSnapshot['state'],
    mode: queue.mode as QueueSnapshot['mode'],
    requestedMode: queue.requestedMode as QueueSnapshot['requestedMode'],
    stateAfterSwitch: queue.stateAfterSwitch as QueueSnapshot['stateAfterSwitch'],
    settings: settingsOf(queue),
    tip: tipOf(queue),
    tipSeenAt: instantOrNull(queue.tipSeenAt),
    epoch: queue.epoch,
    landedSeq: Number(queue.landedSeq),
    concluded: Number(queue.concluded),
    nextRun: queue.nextRun,
    nextLanding: queue.nextLanding,
    nextOrder: Number(queue.nextOrder),
    nextPlace: Number(queue.nextPlace),
    nextSearch: queue.nextSearch,
    landing: queue.landing as unknown as Landing | null,
    partialLanding: queue.partialLanding as unknown as PartialLanding | null,
    ...(queue.flow !== null && { flow: readFlowState(queue.flow, queue) }),
    computedTargets: computedTargetsOf(queue),
  };
}

function computedTargetsOf({ targetsKey, targetsProblem: problem }: QueueRow): QueueSnapshot['computedTargets'] {
  return targetsKey === null && problem === null ? undefined : { problem };
}

function nextDeadline({ notReadyTimeoutHours }: QueueRow, { oldestNotReady, nextAskAgain }: Outside): Instant | null {
  const moments = [
    ...(oldestNotReady ? [deadlineAfter(oldestNotReady.getTime(), Number(notReadyTimeoutHours) * HOUR)] : []),
    ...(nextAskAgain ? [nextAskAgain.getTime()] : []),
  ];
  return moments.length === 0 ? null : Math.min(...moments);
}

function earliest(...dates: readonly (Date | null)[]): Instant | null {
  const moments = dates.flatMap((date) => date?.getTime() ?? []);
  return moments.length === 0 ? null : Math.min(...moments);
}
