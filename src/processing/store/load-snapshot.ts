import type { QueueEvent } from '../../engine/events';
import type { Landing, LandedChange, QueueSnapshot, ServiceLimits, StatusReport, TestRun } from '../../engine/model';
import { holdsSlot } from '../../engine/states';
import { HOUR, type Instant, deadlineAfter } from '../../engine/vocabulary';
import type { Tx } from '../../platform/database/prisma.service';
import type { QueueLock, QueueRow } from '../queue-lock';
import { type Outside, readEntries, readOutside } from './read-entries';
import { entryOf, instantOrNull, reportOf, type RunRow, runOf, settingsOf, tipOf } from './read-rows';

/** What the event or the question is about, beyond what every decision looks at. */
export interface Subject {
  readonly numbers: readonly number[];
  readonly commits: readonly string[];
}

export function loadForDecision(
  lock: QueueLock,
  event: QueueEvent,
  limits: ServiceLimits,
  now: Date,
): Promise<QueueSnapshot> {
  return loadSnapshot(lock.tx, lock.row, subjectOf(event), limits, now);
}

/** The bounded snapshot, as of the transaction. */
export async function loadSnapshot(
  tx: Tx,
  queue: QueueRow,
  { numbers, commits }: Subject,
  limits: ServiceLimits,
  now: Date,
): Promise<QueueSnapshot> {
  const runs = await readLiveRuns(tx, queue);
  const rows = await readEntries(tx, queue, { numbers, waiting: mayStart(queue, runs, limits), now });
  const outside = await readOutside(tx, queue, rows, now);
  return {
    id: queue.id,
    branch: queue.branch,
    host: queue.host,
    landsWholeRuns: true,
    state: queue.state as QueueSnapshot['state'],
    mode: queue.mode as QueueSnapshot['mode'],
    requestedMode: queue.requestedMode as QueueSnapshot['requestedMode'],
    stateAfterSwitch: queue.stateAfterSwitch as QueueSnapshot['stateAfterSwitch'],
    settings: settingsOf(queue),
    limits,
    tip: tipOf(queue),
    tipSeenAt: instantOrNull(queue.tipSeenAt),
    epoch: queue.epoch,
    landedSeq: Number(queue.landedSeq),
    concluded: Number(queue.concluded),
    nextRun: queue.nextRun,
    nextLanding: queue.nextLanding,
    nextOrder: Number(queue.nextOrder),
    nextPlace: Number(queue.nextPlace),
    nextSearch: 1,
    hostSilentSince: instantOrNull(outside.silentSince),
    entries: rows.map(entryOf),
    runs,
    searches: [],
    sharing: new Map(),
    landed: await readLanded(tx, queue, runs),
    landing: queue.landing as unknown as Landing | null,
    reports: await readReports(tx, queue, runs, commits),
    nextDeadlineOutside: nextDeadline(queue, outside),
    moreToLoad: { unjudged: outside.unjudged, waiting: outside.waiting },
  };
}

/** How many of those that wait one decision could start, and one more. */
function mayStart(
  { concurrency, batch, batchingMinSize }: QueueRow,
  runs: readonly TestRun[],
  limits: ServiceLimits,
): number {
  const slots = Math.min(Number(concurrency), limits.runsInFlight);
  const inUse = runs.filter((run) => run.kind === 'line' && holdsSlot(run.phase)).length;
  const perRun = batch ? Math.min(Number(batchingMinSize), limits.batchSize) : 1;
  return Math.max(slots - inUse, 1) * perRun + 1;
}

async function readLiveRuns(tx: Tx, { id }: QueueRow): Promise<TestRun[]> {
  const rows = await tx.$queryRaw<RunRow[]>`
    SELECT r.*, (
      SELECT jsonb_agg(jsonb_build_object('entryId', m."entryId", 'number', m."number", 'head', m."head") ORDER BY m."position")
      FROM "TestRunMember" m WHERE m."runId" = r."id") AS "own"
    FROM "TestRun" r WHERE r."queueId" = ${id}::uuid AND r."live" ORDER BY r."number"`;
  return rows.map(runOf);
}

/** What the queue put on the target since the oldest base in flight; earlier epochs are on no base any more. */
async function readLanded(tx: Tx, { id, epoch }: QueueRow, runs: readonly TestRun[]): Promise<LandedChange[]> {
  const bases = runs.filter((run) => run.base.epoch === epoch).map((run) => run.base.landedSeq);
  if (bases.length === 0) return [];
  const rows = await tx.landedChange.findMany({
    where: { queueId: id, seq: { gt: Math.min(...bases) }, epoch },
    orderBy: { seq: 'asc' },
    select: { seq: true, epoch: true, entryId: true, number: true, head: true },
  });
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

async function readReports(
  tx: Tx,
  { repositoryId }: QueueRow,
  runs: readonly TestRun[],
  commits: readonly string[],
): Promise<StatusReport[]> {
  const shas = [...runs.flatMap((run) => run.commit ?? []), ...commits];
  if (shas.length === 0) return [];
  const rows = await tx.commitStatus.findMany({ where: { repositoryId, sha: { in: shas } } });
  return rows.map(reportOf);
}

function nextDeadline({ notReadyTimeoutHours }: QueueRow, { oldestNotReady, nextAskAgain }: Outside): Instant | null {
  const moments = [
    ...(oldestNotReady ? [deadlineAfter(oldestNotReady.getTime(), Number(notReadyTimeoutHours) * HOUR)] : []),
    ...(nextAskAgain ? [nextAskAgain.getTime()] : []),
  ];
  return moments.length === 0 ? null : Math.min(...moments);
}

function subjectOf(event: QueueEvent): Subject {
  switch (event.type) {
    case 'pullRequestSubmitted':
    case 'pullRequestSeen':
      return { numbers: [event.facts.number], commits: [] };
    case 'pullRequestGone':
    case 'cancelRequested':
    case 'restartRequested':
    case 'targetsGiven':
      return { numbers: [event.number], commits: [] };
    case 'runPushed':
      return { numbers: event.seen.map((facts) => facts.number), commits: [event.commit] };
    case 'runResultKnown':
    case 'runNotStarted':
      return { numbers: event.seen.map((facts) => facts.number), commits: [] };
    case 'settingsChanged':
    case 'deletionRequested':
    case 'targetSeen':
    case 'statusReported':
    case 'clockTicked':
    case 'landed':
    case 'landingRefused':
      return { numbers: [], commits: [] };
  }
}
