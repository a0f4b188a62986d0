import { Client } from 'pg';

/** An event as the extension wrote it, and as the queue's log has it. */
interface Event {
  readonly id: string;
  readonly queue: string;
  readonly sequence: string;
  readonly entry: string;
  readonly state: string;
  readonly reason: string | null;
  readonly at: Date;
}

export interface Comparison {
  readonly events: number;
  readonly entries: number;
  readonly deliveries: number;
  readonly broken: readonly string[];
}

/** Reads the service's database from outside. */
export class Journal {
  constructor(private readonly address: () => string | undefined) {}

  /** Number of events that the extension has written so far. */
  async count(): Promise<number> {
    return this.ask(async (client) => {
      const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM ext_acme.move');
      return rows[0]!.count;
    });
  }

  /** Whether the listener has reached the end of every log. */
  async isComplete(): Promise<boolean> {
    return this.ask(async (client) => {
      const { rows } = await client.query(
        `SELECT 1 FROM "Queue" q LEFT JOIN "ExtensionCursor" c ON c."queueId" = q."id" AND c."listener" = 'acme.journal'
         WHERE c."nextSeq" IS NULL OR c."nextSeq" < q."nextLog"`,
      );
      return rows.length === 0;
    });
  }

  /** Compares the lines of the extension with the log: every event, with its own id, and in order for each entry. */
  async compare(): Promise<Comparison> {
    return this.ask(async (client) => {
      const log = await client.query<Event>(
        `SELECT "queueId" || '/' || "seq" AS id, "queueId" AS queue, "seq" AS sequence, "entryId" AS entry,
           "toState" AS state, "reason" AS reason, "at" AS at
         FROM "QueueLog" WHERE "toState" IS NOT NULL ORDER BY "queueId", "seq"`,
      );
      const heard = await client.query<Event & { deliveries: number }>(
        `SELECT event_id AS id, queue_id AS queue, sequence, entry_id AS entry, state, reason, happened_at AS at, deliveries
         FROM ext_acme.move ORDER BY arrival`,
      );
      return comparison(log.rows, heard.rows);
    });
  }

  private async ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.address() });
    client.on('error', () => undefined); // the service is killed, and its database with it
    await client.connect();
    try {
      return await question(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function comparison(log: readonly Event[], heard: readonly (Event & { deliveries: number })[]): Comparison {
  const broken: string[] = [];
  const byId = new Map(heard.map((event) => [event.id, event]));
  for (const event of log) {
    const found = byId.get(event.id);
    if (!found) broken.push(`${event.id} (${event.state}) was never delivered`);
    else if (factsOf(found) !== factsOf(event))
      broken.push(`${event.id} is ${factsOf(found)}, and was ${factsOf(event)}`);
    byId.delete(event.id);
  }
  for (const id of byId.keys()) broken.push(`${id} was delivered, but never happened`);
  const last = new Map<string, bigint>();
  for (const { entry, sequence, id } of heard) {
    if (BigInt(sequence) < (last.get(entry) ?? 0n)) broken.push(`${id} came after a later event of its entry`);
    last.set(entry, BigInt(sequence));
  }
  const deliveries = heard.reduce((sum, event) => sum + event.deliveries, 0);
  return { events: log.length, entries: last.size, deliveries, broken };
}

function factsOf({ queue, sequence, entry, state, reason, at }: Event): string {
  return JSON.stringify([queue, sequence, entry, state, reason, at.toISOString()]);
}
