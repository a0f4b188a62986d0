import { setTimeout as after } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { Config } from '../config/config';
import { stackOf } from '../errors/stack-of';
import { isDatabaseAway, isServerFull, wordsOfOutage } from '../errors/database-away';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
const ANSWER_LIMIT_MS = 5_000;
/**
 * After a recovery, errors start no new outage for this time. It is longer than a pool waits for a connection, because
 * statements from before the recovery may fail until then.
 */
const QUIET_MS = 6_000;

/**
 * Whether the database answers, for the whole process. Code that meets an error of an outage reports the error to this
 * class instead of logging it. So the log has one line when the outage begins and one when it ends. Background jobs
 * pause meanwhile.
 */
@Injectable()
export class DatabaseOutage implements OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stop = new AbortController();
  private isLooking = false;
  private away = false;
  /** The end of the time without a new outage, by the monotonic clock of the process. */
  private quietUntil = 0;

  constructor(private readonly config: Config) {}

  get isOn(): boolean {
    return this.away;
  }

  /**
   * Whether the error means that the database did not answer. Then the caller need not log the error, because this
   * class logs the outage.
   */
  covers(error: unknown): boolean {
    if (!isDatabaseAway(error)) return false;
    this.noteLost(error);
    return true;
  }

  /** Logs the error, unless it belongs to an outage. */
  report(
    logger: Pick<Logger, 'error' | 'warn'>,
    message: string,
    error: unknown,
    as: 'error' | 'warn' = 'error',
  ): void {
    if (this.covers(error)) return;
    if (as === 'warn') logger.warn(`${message}: ${stackOf(error)}`);
    else logger.error(message, stackOf(error));
  }

  /** Reports a lost connection or an unanswered request. */
  noteLost(error: unknown): void {
    if (this.isLooking || this.stop.signal.aborted) return;
    this.isLooking = true;
    void this.look(error).finally(() => {
      this.away = false;
      this.isLooking = false;
    });
  }

  onApplicationShutdown(): void {
    this.stop.abort();
  }

  private async look(error: unknown): Promise<void> {
    const begun = performance.now();
    for (let wait = FIRST_WAIT_MS; (await this.ask()) === 'away'; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      if (!this.away) {
        const what = 'Requests get 503 and background jobs rest until it does.';
        this.logger.warn(`The database does not answer (${wordsOfOutage(error)}). ${what}`);
      }
      this.away = true;
      await this.pause(wait);
      if (this.stop.signal.aborted) return;
    }
    if (this.away) {
      this.logger.log(`The database answers again, after ${Math.ceil((performance.now() - begun) / 1_000)} s.`);
    } else {
      if (performance.now() < this.quietUntil) return;
      const what = `did not answer a request, or cut a connection (${wordsOfOutage(error)})`;
      this.logger.warn(`The database ${what}. It answers now.`);
    }
    this.quietUntil = performance.now() + QUIET_MS;
  }

  /** Uses a new connection, because the connections in the pool may be dead or in use. */
  private async ask(): Promise<'answers' | 'away'> {
    const client = new Client({
      connectionString: this.config.databaseUrl,
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
    });
    // Without a listener, a connection that is lost between two steps would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return 'answers';
    } catch (error) {
      // A full server still serves its existing connections.
      return isServerFull(error) ? 'answers' : 'away';
    } finally {
      client.end().catch(() => undefined);
    }
  }

  private async pause(forMs: number): Promise<void> {
    await after(forMs, undefined, { signal: this.stop.signal, ref: false }).catch(() => undefined);
  }
}
