import { type Command, keyOf, subjectOf } from '../engine/commands';
import type { Tx } from '../platform/database/prisma.service';

/**
 * Takes on the orders of a decision, in the transaction of the decision. The key of an order is a pure function of its
 * command: an order that was taken on before is not taken on twice. Answers how many are new.
 */
export async function append(tx: Tx, queueId: string, commands: readonly Command[], now: Date): Promise<number> {
  if (commands.length === 0) return 0;
  const rows = commands.map((command) => ({
    key: keyOf(queueId, command),
    subject: subjectOf(queueId, command),
    type: command.type,
    payload: command,
  }));
  // The rows of one statement get their ids in the order of the array: orders of one subject keep their order.
  return tx.$executeRaw`
    INSERT INTO "OutboxOrder" ("key", "subject", "queueId", "type", "payload", "state", "createdAt", "notBefore")
    SELECT row."key", row."subject", ${queueId}::uuid, row."type", row."payload", 'waiting', ${now}, ${now}
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS list(item, position),
         jsonb_to_record(list.item) AS row("key" text, "subject" text, "type" text, "payload" jsonb)
    ORDER BY list.position
    ON CONFLICT ("key") DO NOTHING`;
}
