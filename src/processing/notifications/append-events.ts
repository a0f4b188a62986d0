import type { Statements } from '../../platform/database/statements';
import { storable } from '../../platform/database/storable';
import { newId } from '../../platform/ids';
import type { WebhookEvent, WebhookEventType } from './webhook-event';

/**
 * Whether any webhook may be subscribed to these types of events from the repository. If none is, no facts have to be
 * read for the events.
 */
export async function isAnybodyTold(
  tx: Statements,
  repositoryId: string,
  types: readonly WebhookEventType[],
): Promise<boolean> {
  if (types.length === 0) return false;
  const [row] = await tx.rows<{ told: boolean }>`/* append-events isAnybodyTold */
    SELECT EXISTS (
      SELECT 1 FROM "Webhook" w JOIN "Repository" r ON r."organizationId" = w."organizationId"
      WHERE r."id" = ${repositoryId}::uuid AND (w."repositoryId" IS NULL OR w."repositoryId" = r."id")
        AND w."events" && ${[...types]}::text[]) AS "told"`;
  return row?.told ?? false;
}

/**
 * Stores the events for every webhook that subscribes to them, in the transaction of the change, so that an event
 * exists exactly if the change was committed. Returns the number of deliveries.
 */
export async function appendWebhookEvents(tx: Statements, events: readonly WebhookEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map(({ at, facts, ...event }) => ({ ...event, id: newId(), at: at.toISOString(), facts }));
  // Ids ascend in the order of the list, so events of one subject keep their order.
  return tx.execute`/* append-events appendWebhookEvents */
    INSERT INTO "WebhookDelivery" ("webhookId", "eventId", "type", "subject", "payload", "state", "createdAt", "notBefore")
    SELECT w."id", e."id", e."type",
      CASE WHEN w."kind" = 'webhook' THEN e."subject" ELSE coalesce(e."gatheredIn", e."subject") END, e."facts", 'waiting', e."at",
      CASE WHEN w."kind" = 'webhook' OR e."gatheredIn" IS NULL THEN e."at"
        ELSE e."at" + make_interval(secs => w."gatherSeconds") END
    FROM jsonb_array_elements(${JSON.stringify(storable(rows))}::jsonb) WITH ORDINALITY AS list(item, position),
      jsonb_to_record(list.item) AS e("id" uuid, "type" text, "subject" text, "at" timestamptz, "repositoryId" uuid,
        "branch" text, "isForChats" boolean, "gatheredIn" text, "facts" jsonb)
      JOIN "Repository" r ON r."id" = e."repositoryId"
      JOIN "Webhook" w ON w."organizationId" = r."organizationId"
    WHERE (w."repositoryId" IS NULL OR w."repositoryId" = r."id") AND (w."branch" IS NULL OR w."branch" = e."branch")
      AND e."type" = ANY(w."events") AND (w."kind" = 'webhook' OR e."isForChats")
    ORDER BY list.position, w."id"`;
}
