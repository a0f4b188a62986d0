import type { Client } from 'pg';

/** Pull requests that conclude in the queue each day. */
export const PER_DAY = 1_000;
const STEP = `interval '${86_400 / PER_DAY} seconds'`;

/** The days for which the service's default retention keeps the rows of some tables. */
const DAYS_KEPT: Readonly<Record<string, number>> = {
  QueueLog: 400,
  CommitStatus: 400,
  OutboxTask: 7,
  InboxDelivery: 7,
};

/**
 * A queue with some pull requests that the service merged. The fields from `pullRequests` to `lines` say by how much
 * the numbers in each copy exceed the numbers in the copy before.
 */
export interface Template {
  readonly queueId: string;
  readonly repositoryId: string;
  readonly pullRequests: number;
  readonly runs: number;
  readonly landings: number;
  readonly landed: number;
  readonly lines: number;
}

export interface NewPast {
  readonly queueId: string;
  readonly repositoryId: string;
  /** Number of concluded pull requests in the copy; a multiple of the template's pull requests. */
  readonly concluded: number;
}

/** Ids and commits in a copy are new, and refer to each other as in the template. */
const FUNCTIONS = `
  CREATE FUNCTION other_id(queue text, k int, id uuid) RETURNS uuid IMMUTABLE PARALLEL SAFE LANGUAGE sql
    AS $$ SELECT md5(queue || k || id)::uuid $$;
  CREATE FUNCTION other_sha(queue text, k int, sha text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql
    AS $$ SELECT md5(queue || k || sha) || left(md5(sha || k), 8) $$;
  CREATE FUNCTION other_heads(queue text, k int, heads jsonb, more int) RETURNS jsonb IMMUTABLE PARALLEL SAFE LANGUAGE sql
    AS $$ SELECT coalesce(jsonb_agg(h || jsonb_build_object('number', (h->>'number')::int + more,
      'entryId', other_id(queue, k, (h->>'entryId')::uuid), 'head', other_sha(queue, k, h->>'head'))), '[]')
      FROM jsonb_array_elements(heads) h $$;`;

/** Copies the template's rows many times by SQL into existing empty queues. */
export class PastMaker {
  constructor(
    private readonly client: Client,
    private readonly template: Template,
  ) {}

  async make(pasts: readonly NewPast[]): Promise<void> {
    await this.client.query(FUNCTIONS);
    await this.client.query(
      `SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 2`,
    );
    const indexes = await this.dropIndexes();
    for (const past of pasts) for (const table of Object.keys(this.tables(past))) await this.copy(table, past);
    for (const index of indexes) await this.client.query(index);
    for (const past of pasts) await this.countOn(past);
  }

  private tables(
    past: NewPast,
  ): Readonly<Record<string, { readonly where: string; readonly to: Readonly<Record<string, string>> }>> {
    const { queueId: own, repositoryId: ownRepository, ...t } = this.template;
    const [queueId, repositoryId] = [past.queueId, past.repositoryId].map((id) => `'${id}'::uuid`) as [string, string];
    const id = (column: string) => `other_id('${past.queueId}', k, r."${column}")`;
    const sha = (column: string) => `other_sha('${past.queueId}', k, r."${column}")`;
    const raised = (column: string, by: number) => `r."${column}" + (k - 1) * ${by}`;
    const number = raised('number', t.pullRequests);
    const text = (column: string) => `'${past.queueId}' || k || r."${column}"`;
    const ofRuns = `r."runId" IN (SELECT "id" FROM "TestRun" WHERE "queueId" = '${own}')`;
    const ofQueue = `r."queueId" = '${own}'`;
    const ofRepository = `r."repositoryId" = '${ownRepository}'`;
    return {
      PullRequest: { where: ofRepository, to: { id: id('id'), repositoryId, number, headSha: sha('headSha') } },
      Entry: {
        where: ofQueue,
        to: {
          ...{ id: id('id'), queueId, pullRequestId: id('pullRequestId'), number, head: sha('head') },
          ...{ stateRunId: id('stateRunId'), verifiedByRunId: id('verifiedByRunId') },
          submittedOrder: raised('submittedOrder', t.pullRequests),
        },
      },
      TestRun: {
        where: ofQueue,
        to: {
          ...{
            id: id('id'),
            queueId,
            number: raised('number', t.runs),
            baseLandedSeq: raised('baseLandedSeq', t.landed),
          },
          ...{ baseCommit: sha('baseCommit'), baseTree: sha('baseTree'), commit: sha('commit'), tree: sha('tree') },
          builtOn: `other_heads('${past.queueId}', k, r."builtOn", (k - 1) * ${t.pullRequests})`,
        },
      },
      TestRunMember: { where: ofRuns, to: { runId: id('runId'), entryId: id('entryId'), number, head: sha('head') } },
      Candidate: { where: ofRuns, to: { runId: id('runId'), repositoryId, commit: sha('commit'), tree: sha('tree') } },
      LandedChange: {
        where: ofQueue,
        to: {
          ...{ queueId, seq: raised('seq', t.landed), landing: raised('landing', t.landings), entryId: id('entryId') },
          ...{ number, head: sha('head'), commit: sha('commit'), tree: sha('tree') },
        },
      },
      QueueLog: {
        where: ofQueue,
        to: { queueId, seq: raised('seq', t.lines), entryId: id('entryId'), runId: id('runId') },
      },
      CommitStatus: { where: ofRepository, to: { repositoryId, sha: sha('sha') } },
      OutboxTask: {
        where: `${ofQueue} AND r."settledAt" IS NOT NULL`,
        to: {
          id: `nextval('"OutboxTask_id_seq"')`,
          queueId,
          key: text('key'),
          subject: text('subject'),
          topic: text('topic'),
        },
      },
      InboxDelivery: {
        where: ofRepository,
        to: { id: `nextval('"InboxDelivery_id_seq"')`, repositoryId, deliveryId: text('deliveryId') },
      },
    };
  }

  private async copy(table: string, past: NewPast): Promise<void> {
    const { where, to } = this.tables(past)[table]!;
    const copies = past.concluded / this.template.pullRequests;
    const kept = Math.ceil(((DAYS_KEPT[table] ?? Infinity) * PER_DAY) / this.template.pullRequests);
    const { rows } = await this.client.query<{ name: string; isTime: boolean }>(
      `SELECT attname AS "name", atttypid = 'timestamptz'::regtype AS "isTime" FROM pg_attribute
       WHERE attrelid = '"${table}"'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    );
    const shift = `(k - ${copies + 1}) * ${this.template.pullRequests} * ${STEP}`;
    const values = rows.map(({ name, isTime }) => to[name] ?? (isTime ? `r."${name}" + ${shift}` : `r."${name}"`));
    await this.client.query(
      `INSERT INTO "${table}" (${rows.map(({ name }) => `"${name}"`).join(', ')}) SELECT ${values.join(', ')}
       FROM generate_series(${Math.max(1, copies - kept + 1)}, ${copies}) k, "${table}" r WHERE ${where}`,
    );
  }

  /**
   * Drops the indexes, because copying without them takes less time. Returns their definitions, from which they are
   * created again.
   */
  private async dropIndexes(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ name: string; made: string }>(
      `SELECT indexrelid::regclass::text AS "name", pg_get_indexdef(indexrelid) AS "made" FROM pg_index i
       JOIN pg_class c ON c.oid = i.indrelid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid)
         AND c.relname IN ('PullRequest', 'Entry', 'TestRun', 'TestRunMember', 'Candidate', 'LandedChange', 'QueueLog', 'CommitStatus')`,
    );
    for (const { name } of rows) await this.client.query(`DROP INDEX ${name}`);
    return rows.map(({ made }) => made);
  }

  /**
   * Numbers of new pull requests follow the highest copied number. All queues have figures of equally many days,
   * because figures belong to days, not to pull requests.
   */
  private async countOn({ queueId, concluded }: NewPast): Promise<void> {
    const { pullRequests, runs, landings, landed, lines, queueId: own } = this.template;
    const copies = concluded / pullRequests;
    await this.client.query(
      `UPDATE "Queue" SET "nextRun" = $2, "nextLanding" = $3, "landedSeq" = $4, "nextLog" = $5, "nextOrder" = $6, "concluded" = $6,
         "createdAt" = "createdAt" - interval '1000 days' WHERE "id" = $1`,
      [
        queueId,
        ...[runs, landings].map((each) => each * copies + 1),
        landed * copies,
        lines * copies + 1,
        concluded + 1,
      ],
    );
    await this.client.query(
      `INSERT INTO "QueueDay" SELECT $1, d."day" - n, 20 * d."merged", 20 * d."failed", 20 * d."cancelled", 20 * d."runs", d."reasons", d."waited"
       FROM (SELECT * FROM "QueueDay" WHERE "queueId" = $2 LIMIT 1) d, generate_series(1, 999) n`,
      [queueId, own],
    );
  }
}
