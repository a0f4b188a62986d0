import { type AppendedTask, commandsAppended } from '../../outbox/append-tasks';
import { leasedWhenAppended, type LeasedTask } from '../../outbox/task-handover';
import { outcomeConsumed } from '../../outbox/task-outcomes';
import { engineSettings } from '../../../domain/stored-settings';
import type { Decided } from '../../../engine/decision';
import type { QueueEvent } from '../../../engine/events';
import type { QueueSnapshot } from '../../../engine/model';
import { loggedEvent, startToNote } from '../../decision-log/logged-decision';
import { Prisma } from '../../../generated/prisma/client';
import { insertion, update, upsertion, writeTogether } from '../../../platform/database/bulk';
import { countedOnDay } from '../queue-days';
import type { QueueLock, QueueRow } from '../queue-lock';
import { encodeEntry, ENTRIES, pullRequestIdOf } from './codecs/entry.codec';
import { encodeLanded, LANDED } from './codecs/landed-change.codec';
import { encodeLogLine, LOG } from './codecs/log.codec';
import { encodeMembers, MEMBERS } from './codecs/member.codec';
import { encodeQueue, QUEUES, settingsAssigned } from './codecs/queue.codec';
import { encodeRun, RUNS } from './codecs/run.codec';
import { encodeSearch, SEARCHES } from './codecs/search.codec';
import { type DecisionRecord, recordOf } from './decision-record';
import { saveNeeds } from './save-needs';
import { factsSaved } from './observations';

interface Further {
  /** Statements that append further tasks. */
  readonly tasks?: readonly Prisma.Sql[];
  /** Statements that write to other tables. */
  readonly also?: readonly Prisma.Sql[];
}

interface Saved {
  /** The number of tasks that are new or due again, and that any process may claim. */
  readonly tasks: number;
  /** New tasks that this process has already leased. */
  readonly leased: readonly LeasedTask[];
}

/** Stores a decision on an event: rows, log, figures of the day, outbox tasks and the queue's own row. */
export async function saveDecision(
  lock: QueueLock,
  before: QueueSnapshot,
  event: QueueEvent,
  decided: Decided,
  now: Date,
  { tasks = [], also = [] }: Further = {},
): Promise<Saved> {
  const { tx, row, requestId = null, traceParent = null } = lock;
  const record = recordOf(before, decided.changes);
  await saveNeeds(lock, before, decided.after);
  const firstSeq = Number(row.nextLog);
  const start = startToNote(before, row.startNotedAt?.getTime() ?? null, now.getTime());
  const cause = { at: now.getTime(), event: loggedEvent(before, ofEngine(event)), ...(start && { start }) };
  const log = record.log.map((line, i) =>
    encodeLogLine(row.id, firstSeq + i, line, { cause: i === 0 ? cause : null, requestId, traceParent }, now),
  );
  const landed = record.landed.map((change) => encodeLanded(row.id, change, now));
  const { commands } = decided;
  const lease = commands.length === 0 ? undefined : lock.handover?.lease(commands.length);
  const isStartNoted = start !== null && record.log.length > 0;
  const noted = { nextLog: firstSeq + record.log.length, startNotedAt: isStartNoted ? now : row.startNotedAt };
  const queue = encodeQueue(row, decided, noted, now);
  const others = [
    ...factsSaved(row.repositoryId, before, decided.after),
    ...entriesSaved(lock, before, decided.after),
    ...runsSaved(lock, before, record, now),
    ...searchesSaved(lock, before, decided.after),
    ...(lock.due ? [outcomeConsumed(lock.due, now)] : []),
    ...insertion(LANDED, landed),
    ...insertion(LOG, log),
    ...countedOnDay(lock, decided, now),
    update(QUEUES, queue, settingsAssigned(decided)),
    ...also,
  ];
  const listed = commandsAppended(row.id, commands, now, lease);
  const { count, list } = await writeTogether<AppendedTask>(tx, { listed, counted: tasks, others });
  const leased = lease === undefined ? [] : leasedWhenAppended(placeOf(row), commands, list, lease);
  return { tasks: count + list.length - leased.length, leased };
}

function placeOf({ id, branch, repositoryId, host, repositoryOwner: owner, repositoryName: name }: QueueRow) {
  return { id, branch, repository: { id: repositoryId, host, owner, name } };
}

function entriesSaved({ row }: QueueLock, before: QueueSnapshot, after: QueueSnapshot): readonly Prisma.Sql[] {
  const known = new Set(before.entries);
  const changed = after.entries.filter((entry) => !known.has(entry));
  const rows = changed.map((entry) => encodeEntry(row.id, entry));
  return upsertion(ENTRIES, ['id'], rows, pullRequestIdOf(row.repositoryId));
}

function runsSaved(
  { row }: QueueLock,
  before: QueueSnapshot,
  { runs }: DecisionRecord,
  now: Date,
): readonly Prisma.Sql[] {
  const known = new Set(before.runs.map((run) => run.number));
  const started = runs.filter(({ run }) => !known.has(run.number));
  const rows = runs.map((record) => encodeRun(row.id, record, now));
  const members = started.flatMap((record) => encodeMembers(row.id, record));
  return [...upsertion(RUNS, ['id'], rows), ...insertion(MEMBERS, members)];
}

function searchesSaved({ row }: QueueLock, before: QueueSnapshot, after: QueueSnapshot): readonly Prisma.Sql[] {
  const known = new Set(before.searches);
  const advanced = after.searches.filter((search) => !known.has(search));
  const rows = advanced.map((search) => encodeSearch(row.id, search));
  return [...upsertion(SEARCHES, ['queueId', 'number'], rows), ...endedSearchesDeleted(row.id, before, after)];
}

/** Deletes ended bisections, which stay readable in the log. */
function endedSearchesDeleted(queueId: string, before: QueueSnapshot, after: QueueSnapshot): readonly Prisma.Sql[] {
  const living = new Set(after.searches.map((search) => search.number));
  const ended = before.searches.filter(({ number }) => !living.has(number)).map(({ number }) => number);
  if (ended.length === 0) return [];
  return [
    Prisma.sql`/* save-decision endedSearchesDeleted */ DELETE FROM "CulpritSearch" WHERE "queueId" = ${queueId}::uuid AND "number" = ANY(${ended}::int[])`,
  ];
}

/**
 * The event with only those settings on which the engine acts. A replay needs no other settings, and some other
 * settings name people.
 */
function ofEngine(event: QueueEvent): QueueEvent {
  if (event.type !== 'settingsChanged') return event;
  return { ...event, settings: engineSettings(event.settings) };
}
