import { Client } from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (...given: unknown[]) => unknown;

/** Sees every statement that this process sends to PostgreSQL, Prisma's included. */
export class StatementRecorder {
  private recorded: Statement[] | null = null;
  private rollsBack = false;
  private readonly original = Client.prototype.query as Query;

  install(): void {
    const recorder = this;
    const { original } = this;
    const recording = function (this: Client, first: unknown, ...others: unknown[]): unknown {
      const given = recorder.note(first, others[0]);
      return original.call(this, given, ...others);
    };
    Client.prototype.query = recording as typeof Client.prototype.query;
  }

  uninstall(): void {
    Client.prototype.query = this.original as typeof Client.prototype.query;
  }

  /** The statements of `work`. Its transaction is rolled back at its end, so that it can be made again. */
  async rehearse(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    const recorded: Statement[] = [];
    this.recorded = recorded;
    this.rollsBack = true;
    try {
      await work();
    } finally {
      this.recorded = null;
      this.rollsBack = false;
    }
    return recorded;
  }

  private note(first: unknown, second: unknown): unknown {
    if (this.recorded === null) return first;
    const query = typeof first === 'string' ? { text: first, values: second } : (first as Partial<Statement>);
    const { text = '', values = [] } = query as Statement;
    this.recorded.push({ text, values: Array.isArray(values) ? (values as unknown[]) : [] });
    if (!this.rollsBack || text !== 'COMMIT') return first;
    return typeof first === 'string' ? 'ROLLBACK' : { ...(first as object), text: 'ROLLBACK', name: undefined };
  }
}
