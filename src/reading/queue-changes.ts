import { Injectable, Logger } from '@nestjs/common';
import { livingSessions } from '../platform/auth/living-sessions';
import { Clock } from '../platform/clock/clock';
import { PrismaService } from '../platform/database/prisma.service';
import { Lifecycle } from '../platform/lifecycle/lifecycle';

const EVERY_MS = 1_000;

/** Why nothing more is said to a watcher. */
export type EndOfWatch =
  'the service stops' | 'the session ended' | 'the queue is gone' | 'the database does not answer';

export interface QueueWatcher {
  readonly queueId: string;
  readonly sessionHash: string;
  /** Every second, with the version of the queue. */
  see(version: number): void;
  /** Once, at the last. */
  end(why: EndOfWatch): void;
}

interface Row {
  readonly id: string;
  /** Null: the row is a session. */
  readonly version: bigint | null;
}

/**
 * Tells watchers the version of their queue. One statement a second asks for all of them, whichever process changed the queue;
 * while nobody watches there is none. All watches end as the first thing of a stop.
 */
@Injectable()
export class QueueChanges {
  private readonly logger = new Logger(QueueChanges.name);
  private readonly watchers = new Set<QueueWatcher>();
  private isAsking = false;

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain('the live pages', () => Promise.resolve(this.endAll('the service stops')));
  }

  /** How many watch now. */
  get count(): number {
    return this.watchers.size;
  }

  /** Returns what ends the watch; then `end` is not called. */
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
      this.logger.warn(`live pages have ended, because the database does not answer: ${String(error)}`);
      this.endAll('the database does not answer');
    }
    // Until the second is over nobody asks again, so a watch that comes meanwhile is told by the next statement.
    setTimeout(() => {
      if (this.watchers.size > 0) void this.ask();
      else this.isAsking = false;
    }, EVERY_MS).unref();
  }

  private async tell(): Promise<void> {
    const asked = [...this.watchers];
    const queueIds = [...new Set(asked.map(({ queueId }) => queueId))];
    const hashes = [...new Set(asked.map(({ sessionHash }) => sessionHash))];
    const rows = await this.prisma.$queryRaw<Row[]>`
      SELECT q."id"::text, q."version" FROM "Queue" q WHERE q."id" = ANY(${queueIds}::uuid[]) AND q."liveBranch" IS NOT NULL
      UNION ALL SELECT living."hash", NULL FROM (${livingSessions(hashes, this.clock.now())}) living`;
    const known = new Map(rows.map(({ id, version }) => [id, version]));
    for (const watcher of asked) {
      // It may have gone while the database was asked.
      if (!this.watchers.has(watcher)) continue;
      const version = known.get(watcher.queueId);
      if (!known.has(watcher.sessionHash)) this.end(watcher, 'the session ended');
      else if (version == null) this.end(watcher, 'the queue is gone');
      else watcher.see(Number(version));
    }
  }

  private endAll(why: EndOfWatch): void {
    for (const watcher of [...this.watchers]) this.end(watcher, why);
  }

  private end(watcher: QueueWatcher, why: EndOfWatch): void {
    if (this.watchers.delete(watcher)) watcher.end(why);
  }
}
