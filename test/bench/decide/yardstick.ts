import { Client } from 'pg';
import { type SentStatement, statementsOf } from '../../support/statements';
import { percentile } from '../table';

/** Times of the same decisions by us and by `pg`, in milliseconds. */
export interface BesidePg {
  readonly statements: readonly number[];
  readonly ours: readonly number[];
  readonly pg: readonly number[];
}

/**
 * Compares the time of a decision with the time of `pg`, which sends the statements of the decision one after another
 * on an idle connection. Each decision is first rolled back instead of committed, so that it can be repeated: once to
 * record its statements, then by us and by `pg` in turn. At the end `pg` commits the statements, so that the next
 * decision finds its data. Neither time includes the commit, which costs us as much as `pg`.
 */
export class PgYardstick implements BesidePg {
  readonly statements: number[] = [];
  readonly ours: number[] = [];
  readonly pg: number[] = [];

  private constructor(private readonly client: Client) {}

  static async connect(url: string): Promise<PgYardstick> {
    const client = new Client({ connectionString: url });
    await client.connect();
    return new PgYardstick(client);
  }

  async measure(decide: () => Promise<void>): Promise<void> {
    const sent = await statementsOf(() => withoutCommits(decide));
    const statements = sent.map(asSent);
    const ours = async (): Promise<void> => void this.ours.push(await timeOf(() => withoutCommits(decide)));
    const pg = async (): Promise<void> => void this.pg.push(await timeOf(() => this.send(statements)));
    for (const one of this.statements.length % 2 === 0 ? [ours, pg] : [pg, ours]) await one();
    this.statements.push(statements.length);
    await this.send(statements.map((one) => (one.text === ROLLBACK ? { text: COMMIT } : one)));
  }

  close(): Promise<void> {
    return this.client.end();
  }

  private async send(statements: readonly SentStatement[]): Promise<void> {
    for (const statement of statements) await this.client.query(statement);
  }
}

const COMMITS = 200;

/** The median time of one commit that waits for the disk, in milliseconds. */
export async function durableCommitMs(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE TABLE committed (number int)');
    const times: number[] = [];
    for (let number = 0; number < COMMITS; number++) {
      const began = performance.now();
      await client.query({ name: 'commit', text: 'INSERT INTO committed VALUES ($1)', values: [number] });
      times.push(performance.now() - began);
    }
    return percentile(times, 0.5);
  } finally {
    await client.end();
  }
}

/** Ratio of the median times: ours divided by `pg`'s. */
export function ratioTo({ ours, pg }: BesidePg): number {
  return percentile(ours, 0.5) / percentile(pg, 0.5);
}

const COMMIT = 'COMMIT';
const ROLLBACK = 'ROLLBACK';

/** PostgreSQL prepares a statement once on each connection, under the name that our connections use. */
function asSent({ text, values, name }: SentStatement): SentStatement {
  return { text, ...(values && { values: [...values] }), ...(name !== undefined && { name }) };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

let isPretending = false;
let isPrepared = false;

/** While `work` runs, commits of this process are rolled back, but reported as commits. */
async function withoutCommits(work: () => Promise<void>): Promise<void> {
  prepareToPretend();
  isPretending = true;
  try {
    await work();
  } finally {
    isPretending = false;
  }
}

/** Replaces the method only once: replacing a method of a class makes V8 discard its optimized code. */
function prepareToPretend(): void {
  if (isPrepared) return;
  isPrepared = true;
  const query = Reflect.get(Client.prototype, 'query') as (this: Client, ...asked: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, asked: unknown, ...more: unknown[]): unknown {
    const text = typeof asked === 'string' ? asked : (asked as SentStatement).text;
    if (!isPretending || text !== COMMIT) return query.call(this, asked, ...more);
    const rolledBack = query.call(this, ROLLBACK) as Promise<object>;
    return rolledBack.then((result) => ({ ...result, command: COMMIT }));
  } as typeof Client.prototype.query;
}
