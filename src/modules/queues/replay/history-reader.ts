import { Injectable } from '@nestjs/common';
import type { ReadHistory } from '../../../processing/replay/settings-preview';
import type { Change } from '../../../engine/changes';
import { type BesideLog, READ_CHANGES, readingLog } from '../../../processing/replay/history-of-log';
import { type LoggedCause, type LoggedDecision, TARGET } from '../../../processing/decision-log/logged-decision';
import type { OutsideEvent } from '../../../processing/replay/history';
import { Prisma } from '../../../generated/prisma/client';
import { PrismaService, type Tx } from '../../../platform/database/prisma.service';
import { DomainError } from '../../../platform/errors/domain-error';
import type { LocatedQueue } from '../../../domain/located-queue';
import { inTurns } from './in-turns';

const DAY_MS = 86_400_000;
/** A time at which the queue was empty is searched at most this long before the range. */
const LEAD_MS = 7 * DAY_MS;
const STARTS_LOOKED_AT = 200;
/** Rows that are parsed in one turn of the event loop. */
const PAGE = 1_000;
const LINES_AT_MOST = 200_000;
const READ_FOR_MS = 60_000;

interface Start {
  readonly seq: bigint;
  readonly at: Date;
  readonly isEmpty: boolean;
}

interface Line {
  readonly seq: bigint;
  readonly cause: LoggedCause | null;
  readonly change: Change | null;
}

/** Reads the history of a queue for replays. Changes nothing, and takes no lock. */
@Injectable()
export class HistoryReader {
  constructor(private readonly prisma: PrismaService) {}

  /** Errors: NO_HISTORY. */
  async read(queue: LocatedQueue, since: Date, until: Date): Promise<ReadHistory> {
    const isolationLevel = Prisma.TransactionIsolationLevel.RepeatableRead;
    const { decisions, end, beside, isCut } = await this.prisma.$transaction(
      (tx) => readStored(tx, queue, since, until),
      { isolationLevel, timeout: READ_FOR_MS },
    );
    const history = await inTurns(readingLog(decisions, end, beside));
    return { history, waiting: beside.waiting.length, isCut };
  }
}

interface StoredHistory {
  readonly decisions: readonly LoggedDecision[];
  readonly end: number;
  readonly beside: BesideLog;
  readonly isCut: boolean;
}

async function readStored(tx: Tx, queue: LocatedQueue, since: Date, until: Date): Promise<StoredHistory> {
  await tx.$executeRaw`/* history-reader readStored */ SET TRANSACTION READ ONLY`;
  const start = await findStart(tx, queue.id, since);
  if (!start) throw new DomainError('NO_HISTORY', `The log of the queue of ${queue.branch} has nothing to replay yet.`);
  const { decisions, isCut } = await readDecisions(tx, queue.id, start, until);
  const waiting = start.isEmpty ? [] : await readWaiting(tx, queue.id, start.at);
  const end = isCut ? decisions.at(-1)!.at : until.getTime();
  const beside = {
    targets: await readTargets(tx, queue, decisions),
    downtimes: await readDowntimes(tx, start.at),
    waiting,
  };
  return { decisions, end, beside, isCut };
}

/**
 * The last time before the range at which the queue was empty. Without it, the last time before the range with a
 * recorded state, or else the first such time after the beginning of the range.
 */
async function findStart(tx: Tx, queueId: string, since: Date): Promise<Start | null> {
  const before = await tx.$queryRaw<Start[]>`/* history-reader findStart */
    SELECT "seq", "at", ("cause" -> 'start' ->> 'isEmpty')::boolean AS "isEmpty" FROM "QueueLog"
    WHERE "queueId" = ${queueId}::uuid AND ("cause" -> 'start') IS NOT NULL
      AND "at" <= ${since} AND "at" > ${new Date(since.getTime() - LEAD_MS)}
    ORDER BY "seq" DESC LIMIT ${STARTS_LOOKED_AT}`;
  const found = before.find(({ isEmpty }) => isEmpty) ?? before[0];
  if (found) return found;
  const [first] = await tx.$queryRaw<Start[]>`/* history-reader findStart 2 */
    SELECT "seq", "at", ("cause" -> 'start' ->> 'isEmpty')::boolean AS "isEmpty" FROM "QueueLog"
    WHERE "queueId" = ${queueId}::uuid AND ("cause" -> 'start') IS NOT NULL AND "at" > ${since}
    ORDER BY "seq" LIMIT 1`;
  return first ?? null;
}

async function readDecisions(
  tx: Tx,
  queueId: string,
  start: Start,
  until: Date,
): Promise<{ readonly decisions: readonly LoggedDecision[]; readonly isCut: boolean }> {
  const decisions: (LoggedCause & { readonly changes: Change[] })[] = [];
  const types = [...READ_CHANGES];
  let from = start.seq;
  for (let read = 0; read < LINES_AT_MOST; read += PAGE) {
    const lines = await tx.$queryRaw<Line[]>`/* history-reader readDecisions */
      SELECT "seq", "cause", CASE WHEN "type" = ANY(${types}::text[]) THEN "change" END AS "change" FROM "QueueLog"
      WHERE "queueId" = ${queueId}::uuid AND "seq" >= ${from} AND "at" <= ${until}
        AND ("cause" IS NOT NULL OR "type" = ANY(${types}::text[]))
        AND ("cause" IS NOT NULL OR "type" <> 'entryMoved' OR "toState" IN ('merged', 'failed', 'cancelled'))
      ORDER BY "seq" LIMIT ${PAGE}`;
    for (const { cause, change } of lines) {
      if (cause) decisions.push({ ...cause, changes: [] });
      if (change) decisions.at(-1)?.changes.push(change);
    }
    if (lines.length < PAGE) return { decisions, isCut: false };
    from = lines.at(-1)!.seq + 1n;
  }
  return { decisions, isCut: true };
}

/** The entries of the queue at the time `at`, as if they had been submitted then. */
async function readWaiting(tx: Tx, queueId: string, at: Date): Promise<OutsideEvent[]> {
  const rows = await tx.entry.findMany({
    where: { queueId, submittedAt: { lt: at }, OR: [{ concludedAt: null }, { concludedAt: { gt: at } }] },
    orderBy: { submittedOrder: 'asc' },
    select: { id: true, number: true, head: true, priority: true, noBatch: true, dryRun: true },
  });
  const heard = await readHeard(
    tx,
    queueId,
    rows.map(({ id }) => id),
    at,
  );
  return rows.map(({ id, number, priority, noBatch, dryRun, ...row }) => {
    const { facts: { head = row.head, dependsOn } = {}, commits } = heard.get(id) ?? {};
    const names = { number, title: '', author: '', head, headBranch: null, base: TARGET, seenAt: at.getTime() };
    const facts = {
      ...names,
      state: 'open',
      draft: false,
      mergeability: 'mergeable',
      ...(dependsOn && { dependsOn }),
    } as const;
    const asked = { priority: Number(priority), noBatch, dryRun, via: 'api', actor: null } as const;
    return {
      type: 'pullRequestSubmitted',
      newEntryId: '',
      facts,
      hasTargets: false,
      ...(commits && { commits }),
      ...asked,
    };
  });
}

type Heard = Pick<Extract<OutsideEvent, { type: 'pullRequestSubmitted' }>, 'facts' | 'commits'>;

/**
 * The facts of each entry at its last submission or push before `at`, by entry id, with its contents and dependencies.
 */
async function readHeard(
  tx: Tx,
  queueId: string,
  ids: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, Heard>> {
  const rows = await tx.$queryRaw<{ entryId: string; event: Heard }[]>`/* history-reader readHeard */
    SELECT DISTINCT ON ("entryId") "entryId", "cause" -> 'event' AS "event" FROM "QueueLog"
    WHERE "queueId" = ${queueId}::uuid AND "entryId" = ANY(${[...ids]}::uuid[]) AND "at" < ${at}
      AND "type" IN ('entrySubmitted', 'entryFollowedHead') AND "cause" -> 'event' ->> 'type' IN ('pullRequestSubmitted', 'pullRequestSeen')
    ORDER BY "entryId", "seq" DESC`;
  return new Map(rows.map(({ entryId, event }) => [entryId, event]));
}

/** The uploaded targets of each head, or else the computed targets. */
async function readTargets(
  tx: Tx,
  { id, repository }: LocatedQueue,
  decisions: readonly LoggedDecision[],
): Promise<BesideLog['targets']> {
  const submitted = decisions.flatMap(({ event }) => (event.type === 'pullRequestSubmitted' ? event.facts.number : []));
  const number = { in: [...new Set(submitted)] };
  const select = { number: true, sha: true, all: true, names: true, updatedAt: true } as const;
  const uploaded = await tx.impactedTargets.findMany({ where: { repositoryId: repository.id, number }, select });
  const computed = await tx.computedTargets.findMany({ where: { queueId: id, number }, select });
  const isUploaded = new Set(uploaded.map(({ number: of, sha }) => `${of} ${sha}`));
  const counted = [...uploaded, ...computed.filter(({ number: of, sha }) => !isUploaded.has(`${of} ${sha}`))];
  return counted.map(({ number: of, sha: head, all, names, updatedAt }) => {
    const targets = all ? ('ALL' as const) : names;
    return { type: 'targetsGiven', number: of, head, targets, at: updatedAt.getTime() };
  });
}

async function readDowntimes(tx: Tx, from: Date): Promise<BesideLog['downtimes']> {
  const rows = await tx.serviceDowntime.findMany({ where: { to: { gt: from } }, orderBy: { from: 'asc' } });
  return rows.map((row) => ({ from: row.from.getTime(), to: row.to.getTime() }));
}
