import { commandsAppended } from '../../outbox/append-tasks';
import type { Decided } from '../../engine/decision';
import type { QueueEvent } from '../../engine/events';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { loggedEvent, startToNote } from '../../engine/replay/logged-decision';
import { Prisma } from '../../generated/prisma/client';
import { countOnDay } from '../history/queue-days';
import type { QueueLock } from '../queue-lock';
import { insertion, upsertion, writeTogether } from './bulk';
import { type DecisionRecord, recordOf } from './decision-record';
import { saveNeeds } from './save-needs';
import { saveFacts } from './observations';
import { ENTRIES, entryRow, LANDED, landedRow, LOG, logRow, SEARCHES, searchRow } from './write-rows';
import { MEMBERS, memberRows, RUNS, runRow } from './write-runs';

/** Stores a decision on an event: rows, log, figures of the day, outbox tasks and the queue's own row. Returns how many tasks are new. */
export async function saveDecision(
  lock: QueueLock,
  before: QueueSnapshot,
  event: QueueEvent,
  decided: Decided,
  now: Date,
): Promise<number> {
  const { tx, row } = lock;
  const record = recordOf(before, decided.changes);
  await saveFacts(tx, row.repositoryId, before, decided.after);
  await saveNeeds(lock, before, decided.after);
  await deleteEndedSearches(lock, before, decided.after);
  const firstSeq = Number(row.nextLog);
  const start = startToNote(before, row.startNotedAt?.getTime() ?? null, now.getTime());
  const cause = { at: now.getTime(), event: loggedEvent(before, event), ...(start && { start }) };
  const log = record.log.map((line, i) => logRow(row.id, firstSeq + i, line, i === 0 ? cause : null, now));
  const landed = record.landed.map((change) => landedRow(row.id, change, now));
  const commands = commandsAppended(row.id, decided.commands, now);
  const written = await writeTogether(tx, [
    ...commands,
    ...(await entriesSaved(lock, before, decided.after)),
    ...runsSaved(lock, before, record, now),
    ...searchesSaved(lock, before, decided.after),
    ...insertion(LANDED, landed),
    ...insertion(LOG, log),
  ]);
  const newTasks = commands.length === 0 ? 0 : written[0]!;
  await countOnDay(lock, decided, now);
  const isStartNoted = start !== null && record.log.length > 0;
  await saveQueue(lock, decided, firstSeq + record.log.length, isStartNoted ? now : row.startNotedAt, now);
  return newTasks;
}

async function entriesSaved(
  { tx, row }: QueueLock,
  before: QueueSnapshot,
  after: QueueSnapshot,
): Promise<readonly Prisma.Sql[]> {
  const known = new Set(before.entries);
  const changed = after.entries.filter((entry) => !known.has(entry));
  if (changed.length === 0) return [];
  const pullRequests = await tx.$queryRaw<{ id: string; number: number }[]>`
    SELECT "id", "number" FROM "PullRequest"
    WHERE "repositoryId" = ${row.repositoryId}::uuid AND "number" = ANY(${changed.map(({ number }) => number)}::int[])`;
  const ids = new Map(pullRequests.map(({ id, number }) => [number, id]));
  const rowOf = (entry: Entry) => {
    const pullRequestId = ids.get(entry.number);
    if (!pullRequestId) throw new Error(`Pull request ${entry.number} is in the queue, but was never observed.`);
    return entryRow(row.id, pullRequestId, entry);
  };
  return upsertion(ENTRIES, ['id'], changed.map(rowOf));
}

function runsSaved(
  { row }: QueueLock,
  before: QueueSnapshot,
  { runs }: DecisionRecord,
  now: Date,
): readonly Prisma.Sql[] {
  const known = new Set(before.runs.map((run) => run.number));
  const started = runs.filter(({ run }) => !known.has(run.number));
  const rows = runs.map((record) => runRow(row.id, record, now));
  const members = started.flatMap((record) => memberRows(row.id, record));
  return [...upsertion(RUNS, ['id'], rows), ...insertion(MEMBERS, members)];
}

function searchesSaved({ row }: QueueLock, before: QueueSnapshot, after: QueueSnapshot): readonly Prisma.Sql[] {
  const known = new Set(before.searches);
  const advanced = after.searches.filter((search) => !known.has(search));
  const rows = advanced.map((search) => searchRow(row.id, search));
  return upsertion(SEARCHES, ['queueId', 'number'], rows);
}

/** The log keeps their course. */
async function deleteEndedSearches({ tx, row }: QueueLock, before: QueueSnapshot, after: QueueSnapshot): Promise<void> {
  const living = new Set(after.searches.map((search) => search.number));
  const ended = before.searches.filter(({ number }) => !living.has(number)).map(({ number }) => number);
  if (ended.length > 0) await tx.culpritSearch.deleteMany({ where: { queueId: row.id, number: { in: ended } } });
}

async function saveQueue(
  { tx, row }: QueueLock,
  decided: Decided,
  nextLog: number,
  startNotedAt: Date | null,
  now: Date,
): Promise<void> {
  const { after, changes, wakeAt } = decided;
  const { state, mode, requestedMode, stateAfterSwitch, epoch, nextRun, nextLanding, nextOrder, nextPlace } = after;
  const { nextSearch, landedSeq, concluded, landing, partialLanding, tip, tipSeenAt } = after;
  const deleted = changes.some((change) => change.type === 'queueDeleted');
  await tx.queue.updateMany({
    where: { id: row.id },
    data: {
      ...{ state, mode, requestedMode, stateAfterSwitch, epoch, nextRun, nextLanding, nextOrder, nextPlace, nextLog },
      ...{ nextSearch, landedSeq, concluded, failures: 0, retryAt: null, startNotedAt, version: { increment: 1 } },
      ...(changes.some((change) => change.type === 'settingsChanged') ? settingsData(after) : {}),
      ...stateData(changes, now),
      landing: jsonOrNull(landing),
      partialLanding: jsonOrNull(partialLanding),
      flow: jsonOrNull(after.flow ?? null),
      tipCommit: tip?.commit ?? null,
      tipTree: tip?.tree ?? null,
      tipSeenAt: tipSeenAt === null ? null : new Date(tipSeenAt),
      wakeAt: wakeAt === null || deleted ? null : new Date(wakeAt),
      ...(deleted ? { deletedAt: now, liveBranch: null } : {}),
    },
  });
}

/** Since when it is in its state, when this decision put it there. */
function stateData(changes: Decided['changes'], now: Date): Prisma.QueueUpdateManyMutationInput {
  const moved = changes.findLast((change) => change.type === 'queueMoved' && change.from !== change.to);
  return moved?.type === 'queueMoved' ? { stateChangedAt: now, stateActor: moved.actor } : {};
}

function jsonOrNull(value: object | null) {
  return value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject);
}

function settingsData({ settings }: QueueSnapshot): Prisma.QueueUpdateManyMutationInput {
  const { requiredStatuses, batchingRules, freezeWindows } = settings;
  return {
    ...settings,
    requiredStatuses: [...requiredStatuses],
    batchingRules: [...batchingRules],
    freezeWindows: [...freezeWindows],
  };
}
