import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Slots } from '../slots';
import { ConnectionPool } from './connection-pool';
import { isDatabaseAway } from '../errors/database-away';
import { isWriteConflict } from './database-errors';
import { sendStatement, type Statement, type Statements, withCode } from './statements';

/**
 * Planner settings for the statements of one transaction. The transaction sends the settings with BEGIN as SET LOCAL,
 * so that they end with the transaction and work behind a pooler.
 *
 * `by index` is for a few fixed statements whose plans do not depend on their parameters. Planning the largest of them
 * takes longer than running it. A connection often makes its plan while the tables are small, so no plan may read whole
 * tables. A bitmap scan does not mark dead index entries, so every later scan would read them again. JIT is off,
 * because the estimated cost of a discouraged scan would make PostgreSQL compile the statement each time. Measured:
 * four queues in parallel mode with 900 test runs, 5 to 6 ms for a decision instead of 10 to 16.
 *
 * `joined by index`: `by index`, and joins follow the order of the indexes. For claims and retention, which look for
 * the few new or due rows of large tables: a hash join reads a whole table, whatever the statistics say. Measured: 0.34
 * ms for a claim of tasks instead of 12.6.
 */
const BY_INDEX = `SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
  SET LOCAL plan_cache_mode = force_generic_plan`;

const PLANNER_PROFILES = {
  'by index': BY_INDEX,
  'joined by index': `${BY_INDEX}; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`,
} as const;

type PlannerProfile = keyof typeof PLANNER_PROFILES;

interface TransactionOptions {
  /** Absent: the settings of the database, and each statement is planned for its values. */
  readonly planner?: PlannerProfile;
  /** How often the work is tried after a deadlock or a serialization failure. Absent: once. */
  readonly tries?: number;
  /** A purpose that has its own limit of connections. Absent: only the limit of the pool applies. */
  readonly use?: keyof typeof MOST_CONNECTIONS;
}

/** The pool has ten connections: six stay free for decisions and requests, however many uploads arrive at once. */
const MOST_CONNECTIONS = { uploads: 4 } as const;

/**
 * The statements of a transaction of `Sql`. Never keep it: after the end, another transaction may have the connection.
 */
export interface SqlTransaction extends Statements {
  /**
   * Copies lines in the text format of COPY into `target`: a table, or a table with columns. Wait for the end of the
   * stream before the next statement.
   */
  copyInto(target: string): Writable;
}

/**
 * Sends raw statements without Prisma's engine, which takes several times as long for each statement. It shares the
 * connections of Prisma. Prisma models cannot be used in its transactions.
 */
@Injectable()
export class Sql implements Statements {
  private readonly uses = { uploads: new Slots(MOST_CONNECTIONS.uploads) };

  constructor(private readonly pool: ConnectionPool) {}

  async rows<Row>(statement: Statement, ...values: unknown[]): Promise<Row[]> {
    return (await this.connected((client) => sendStatement(client, statement, values))).rows as Row[];
  }

  async execute(statement: Statement, ...values: unknown[]): Promise<number> {
    return (await this.connected((client) => sendStatement(client, statement, values))).rowCount ?? 0;
  }

  /** Commits when `work` ends, and rolls back when it throws. With `tries`, `work` may run again from its beginning. */
  async transaction<T>(work: (tx: SqlTransaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { planner, tries = 1, use } = options;
    for (let tried = 1; ; tried += 1) {
      try {
        const once = (): Promise<T> => this.begun('BEGIN', planner, work);
        return await (use === undefined ? once() : this.uses[use].run(once));
      } catch (error) {
        if (tried === tries || !isWriteConflict(error)) throw error;
      }
    }
  }

  /** Sends each statement in a transaction of its own with these options. */
  each(options: TransactionOptions): Statements {
    return {
      rows: <Row>(statement: Statement, ...values: unknown[]) =>
        this.transaction((tx) => tx.rows<Row>(statement, ...values), options),
      execute: (statement, ...values) => this.transaction((tx) => tx.execute(statement, ...values), options),
    };
  }

  /** A read-only transaction in which all reads see the same moment. Uses the planner settings of decisions. */
  snapshot<T>(read: (tx: Statements) => Promise<T>): Promise<T> {
    return this.begun('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', 'by index', read);
  }

  /** Whether work has had to wait for a connection within the last second. */
  get isBusy(): boolean {
    return this.pool.isShort;
  }

  private async connected<T>(work: (client: PoolClient, lose: (error: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let lost: Error | undefined;
    const lose = (error: Error): void => void (lost = error);
    try {
      return await work(client, lose);
    } catch (error) {
      if (isDatabaseAway(error)) lose(error as Error);
      throw error;
    } finally {
      client.release(lost);
    }
  }

  private begun<T>(
    begin: string,
    planner: PlannerProfile | undefined,
    work: (tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    return this.connected(async (client, lose) => {
      const tx = new OpenTransaction(client, planner === undefined ? 'each time' : 'once');
      try {
        await client.query(planner === undefined ? begin : `${begin}; ${PLANNER_PROFILES[planner]}`);
        const result = await work(tx);
        await tx.end();
        await commit(client);
        return result;
      } catch (error) {
        await tx.end();
        await client.query('ROLLBACK').catch(lose);
        throw withCode(error);
      }
    });
  }
}

/** If a statement of the transaction has failed, PostgreSQL answers COMMIT with ROLLBACK instead of an error. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.');
}

class OpenTransaction implements SqlTransaction {
  private isOver = false;
  /** `pg` accepts one statement at a time. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: PoolClient,
    private readonly planned: 'once' | 'each time',
  ) {}

  async rows<Row>(statement: Statement, ...values: unknown[]): Promise<Row[]> {
    return (await this.send(statement, values)).rows as Row[];
  }

  async execute(statement: Statement, ...values: unknown[]): Promise<number> {
    return (await this.send(statement, values)).rowCount ?? 0;
  }

  copyInto(target: string): Writable {
    this.refuseWhenOver();
    return this.client.query(copyFrom(`COPY ${target} FROM STDIN`));
  }

  /** Waits for statements that the work of the transaction did not await. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.last;
  }

  private send(statement: Statement, values: unknown[]): ReturnType<typeof sendStatement> {
    this.refuseWhenOver();
    const sent = this.last.then(() => sendStatement(this.client, statement, values, this.planned));
    this.last = sent.catch(() => undefined);
    return sent;
  }

  private refuseWhenOver(): void {
    if (!this.isOver) return;
    throw Object.assign(new Error('The transaction is over: a statement came too late.'), { code: 'P2028' });
  }
}
