import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Config } from '../config/config';
import { DatabaseOutage } from './database-outage';
import { beginSession, onConnect } from './session';

/** The most transactions at once; further ones wait. */
const POOL_SIZE = 4;
const CONNECT_LIMIT_MS = 5_000;
/** A deadlock or a serialization failure: the whole transaction may be tried again. */
const TRY_AGAIN: readonly unknown[] = ['40P01', '40001'];
const MOST_TRIES = 5;

/** Transactions on separate connections, for COPY and other statements that Prisma does not support. */
@Injectable()
export class DirectConnections implements OnApplicationShutdown {
  private pool?: Pool;

  constructor(
    private readonly config: Config,
    private readonly outage: DatabaseOutage,
  ) {}

  /** Runs `work` a second time from its beginning after a deadlock or a serialization failure. */
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.tryOnce(work);
      } catch (error) {
        if (tries === MOST_TRIES || !TRY_AGAIN.includes((error as { code?: unknown }).code)) throw error;
      }
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }

  private async tryOnce<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.open().connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private open(): Pool {
    if (this.pool) return this.pool;
    const pool = new Pool({
      connectionString: this.config.databaseUrl,
      onConnect: onConnect(beginSession),
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      allowExitOnIdle: true,
    });
    pool.on('error', (error) => this.outage.noteLost(error));
    this.pool = pool;
    return pool;
  }
}
