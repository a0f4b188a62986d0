import type { OnApplicationShutdown } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { beginSession, isSession, onConnect } from './session';

const POOL_SIZE = 10;
const CONNECT_LIMIT_MS = 5_000;
/** After work had to wait for a connection, the pool counts as short of connections for this time. */
const SHORT_FOR_MS = 1_000;

interface PoolLimits {
  readonly max?: number;
  readonly allowExitOnIdle?: boolean;
}

/** The connections of a process to PostgreSQL. Prisma's adapter and `Sql` share them. */
export class ConnectionPool extends Pool implements OnApplicationShutdown {
  private connections: 'none yet' | 'sessions' | 'pooled' = 'none yet';
  /** Time of the last wait for a connection, by the monotonic clock of the process. */
  private waitedAt = Number.NEGATIVE_INFINITY;

  constructor(
    databaseUrl: string | undefined,
    private readonly onLost: (error: Error) => void,
    limits: PoolLimits = {},
  ) {
    if (databaseUrl === undefined) throw new Error('The configuration names no database.');
    super({
      connectionString: databaseUrl,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      onConnect: onConnect((client) => this.begin(client)),
      ...limits,
    });
    this.on('error', onLost);
    this.on('release', () => this.noteIfShort());
  }

  /** Whether the connections are sessions of PostgreSQL; false until the first connection. */
  get hasSessions(): boolean {
    return this.connections === 'sessions';
  }

  /** Whether work has waited within the last second because all connections were in use. */
  get isShort(): boolean {
    this.noteIfShort();
    return performance.now() - this.waitedAt < SHORT_FOR_MS;
  }

  /** Runs after the HTTP server has closed, because requests in progress still need the database. */
  onApplicationShutdown(): Promise<void> {
    return this.end();
  }

  private noteIfShort(): void {
    const isFull = this.idleCount === 0 && this.totalCount >= this.options.max;
    if (isFull && this.waitingCount > 0) this.waitedAt = performance.now();
  }

  private async begin(client: ClientBase): Promise<void> {
    // Without a listener, the loss of a connection in use would end the process. The statements of that connection fail
    // anyway.
    client.on('error', this.onLost);
    await beginSession(client);
    if (!isSession(client)) this.connections = 'pooled';
    else if (this.connections === 'none yet') this.connections = 'sessions';
  }
}
