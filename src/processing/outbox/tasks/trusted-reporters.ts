import { readQueueSettings } from '../../../domain/stored-settings';
import type { Sql } from '../../../platform/database/sql';

interface Reported {
  readonly name: string;
  readonly reporter?: string | null;
}

/** Whether a report counts by who made it, for queues that read reports without the engine: the rule of `reportsOn`. */
export async function trustedReporters(sql: Sql, queueId: string): Promise<(report: Reported) => boolean> {
  const [queue] = await sql.rows<{ settings: unknown; learned: Reported[] }>`/* trusted-reporters trustedReporters */
    SELECT "settings", (
      SELECT coalesce(json_agg(json_build_object('name', k."name", 'reporter', k."reporter")), '[]')
      FROM "StatusReporter" k WHERE k."queueId" = q."id") AS "learned"
    FROM "Queue" q WHERE q."id" = ${queueId}::uuid`;
  const { settings = {}, learned = [] } = queue ?? {};
  const { statusReporters } = readQueueSettings(settings);
  return ({ name, reporter = null }) => {
    const wanted = statusReporters.find((one) => one.name === name)?.reporter;
    if (wanted !== undefined) return reporter === wanted;
    const usual = learned.find((one) => one.name === name)?.reporter ?? 'job_token';
    return reporter !== 'job_token' || usual === 'job_token';
  };
}
