import { Injectable, Logger } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client';
import { livingSessions } from '../../platform/auth/living-sessions';
import { livingTokens } from '../../platform/auth/living-tokens';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { PrismaService } from '../../platform/database/prisma.service';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import type { RepositoryName } from '../../platform/repository-name';
import { admitStream } from './stream-limits';

const EVERY_MS = 1_000;

/** The reason for the end of a watch. */
export type EndOfWatch =
  | 'the service stops'
  | 'the session ended'
  | 'the token is not valid any more'
  | 'the queue is gone'
  | 'the database does not answer';

export interface SeenQueue {
  readonly id: string;
  readonly repo: RepositoryName;
  readonly targetBranch: string;
  /** Increases with every decision. */
  readonly version: number;
}

/** One queue, or all queues that a token may see. `repositoryIds`: null for all repositories of the organization. */
type WatchedQueues =
  { readonly queueId: string } | { readonly organizationId: string; readonly repositoryIds: readonly string[] | null };

/** The listener, by the hash of the secret that it sent: the watch ends when the secret ends. */
interface Listener {
  readonly kind: 'session' | 'token';
  readonly hash: string;
}

export interface QueueWatcher {
  readonly queues: WatchedQueues;
  readonly listener: Listener;
  /** Called every second, with the watched queues that exist. */
  see(queues: readonly SeenQueue[]): void;
  /** Called once, at the end of the watch. */
  end(why: EndOfWatch): void;
}

interface Row extends RepositoryName {
  /** The id of a queue, or the hash of a listener. */
  readonly id: string;
  /** Null: the row is a listener. */
  readonly version: bigint | null;
  readonly branch: string;
  readonly repositoryId: string;
  readonly organizationId: string;
}

/**
 * Reports the versions of queues to their watchers. One statement a second queries all watched queues, so changes by
 * other processes are reported too. Without watchers there is no statement. A stop of the service ends all watches
 * first.
 */
@Injectable()
export class QueueChanges {
  private readonly logger = new Logger(QueueChanges.name);
  private readonly watchers = new Set<QueueWatcher>();
  private isAsking = false;

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain('the live pages', () => Promise.resolve(this.endAll('the service stops')));
  }

  /** The number of current watches. */
  get count(): number {
    return this.watchers.size;
  }

  /** Call this method before a stream begins its answer. Errors: RATE_LIMIT_EXCEEDED, UNAVAILABLE. */
  admitStream({ hash }: Listener): void {
    const open = [...this.watchers].map(({ listener }) => listener.hash);
    admitStream(open, hash);
  }

  /** Begins a watch. Returns a function that ends the watch without calling `end`. */
  watch(watcher: QueueWatcher): () => void {
    if (this.lifecycle.isStopping) {
      watcher.end('the service stops');
      return () => undefined;
    }
    this.watchers.add(watcher);
    if (!this.isAsking) void this.ask();
    return () => this.watchers.delete(watcher);
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      await this.tell();
    } catch (error) {
      this.outage.report(this.logger, 'live pages have ended, because the database did not answer', error, 'warn');
      this.endAll('the database does not answer');
    }
    // The next statement follows after a second. A watch that begins meanwhile gets its first versions from that
    // statement.
    setTimeout(() => {
      if (this.watchers.size > 0) void this.ask();
      else this.isAsking = false;
    }, EVERY_MS).unref();
  }

  private async tell(): Promise<void> {
    const asked = [...this.watchers];
    const rows = await this.prisma.$queryRaw<Row[]>(statementFor(asked, this.clock.now()));
    const living = new Set(rows.flatMap(({ id, version }) => (version === null ? id : [])));
    const queues = rows.filter(({ version }) => version !== null);
    const byId = new Map(queues.map((row) => [row.id, row]));
    for (const watcher of asked) {
      // The watcher may have gone during the query.
      if (!this.watchers.has(watcher)) continue;
      const { listener, queues: watched } = watcher;
      const one = 'queueId' in watched ? byId.get(watched.queueId) : undefined;
      if (!living.has(listener.hash)) this.end(watcher, endOf(listener));
      else if (!('queueId' in watched)) watcher.see(queues.filter((row) => mayHear(watched, row)).map(seenQueue));
      else if (one === undefined) this.end(watcher, 'the queue is gone');
      else watcher.see([seenQueue(one)]);
    }
  }

  private endAll(why: EndOfWatch): void {
    for (const watcher of [...this.watchers]) this.end(watcher, why);
  }

  private end(watcher: QueueWatcher, why: EndOfWatch): void {
    if (this.watchers.delete(watcher)) watcher.end(why);
  }
}

function statementFor(watchers: readonly QueueWatcher[], now: Date): Prisma.Sql {
  const unique = (values: readonly string[]): string[] => [...new Set(values)];
  const queueIds = unique(watchers.flatMap(({ queues }) => ('queueId' in queues ? queues.queueId : [])));
  const organizationIds = unique(watchers.flatMap(({ queues }) => ('queueId' in queues ? [] : queues.organizationId)));
  const hashesOf = (kind: Listener['kind']): string[] =>
    unique(watchers.flatMap(({ listener }) => (listener.kind === kind ? listener.hash : [])));
  const queues = Prisma.sql`/* queue-changes statementFor */
    SELECT q."id"::text, q."version", q."branch", r."id"::text AS "repositoryId", r."organizationId"::text, r."host", r."owner", r."name"
    FROM "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId" WHERE q."liveBranch" IS NOT NULL`;
  return Prisma.sql`
    ${queues} AND q."id" = ANY(${queueIds}::uuid[])
    UNION ${queues} AND r."organizationId" = ANY(${organizationIds}::uuid[])
    UNION ALL SELECT living."hash", NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM (${livingSessions(hashesOf('session'), now)} UNION ALL ${livingTokens(hashesOf('token'), now)}) living`;
}

function mayHear(watched: Exclude<WatchedQueues, { queueId: string }>, row: Row): boolean {
  const { organizationId, repositoryIds } = watched;
  return row.organizationId === organizationId && (repositoryIds === null || repositoryIds.includes(row.repositoryId));
}

function seenQueue({ id, host, owner, name, branch, version }: Row): SeenQueue {
  return { id, repo: { host, owner, name }, targetBranch: branch, version: Number(version) };
}

function endOf({ kind }: Listener): EndOfWatch {
  return kind === 'session' ? 'the session ended' : 'the token is not valid any more';
}
