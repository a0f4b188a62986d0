import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';

const LOOK_EVERY_MS = 20;

/**
 * Average number of database connections that wait for a lock of another connection: 0.02 means that one connection
 * waits for 2 % of the time. Samples PostgreSQL at a fixed rate.
 */
export class LockWaits {
  private looks = 0;
  private waiting = 0;
  private isOver = false;

  private constructor(private readonly client: Client) {}

  static async during(databaseUrl: string, work: () => Promise<void>): Promise<number> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const waits = new LockWaits(client);
    const looking = waits.look();
    try {
      await work();
    } finally {
      waits.isOver = true;
      await looking;
      await client.end();
    }
    return waits.waiting / waits.looks;
  }

  private async look(): Promise<void> {
    while (!this.isOver) {
      const { rows } = await this.client.query<{ waiting: number }>({
        name: 'waiting',
        text: `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      });
      this.looks++;
      this.waiting += rows[0]!.waiting;
      await after(LOOK_EVERY_MS);
    }
  }
}
