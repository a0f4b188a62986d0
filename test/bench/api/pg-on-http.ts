import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, types } from 'pg';
import type { Entry, PullRequest, Queue, TestRun } from '../../../src/generated/prisma/client';
import {
  ACTIVE,
  enqueued,
  pullRequestAnswer,
  type Question,
  queueAnswer,
  requireAtRest,
  waitsForStatus,
  waitsForTurn,
} from './answers';

/** The number of connections, which the service's pool has, too. */
const POOL_SIZE = 10;

/** Every PostgreSQL field of an answer must become a JavaScript number. */
types.setTypeParser(types.builtins.INT8, Number);

type QueueRow = Queue & { readonly organizationId: string };
type EntryRow = Entry & Pick<PullRequest, 'title' | 'author' | 'baseBranch' | 'mergeability'>;
type RunRow = TestRun & { readonly entryIds: readonly string[] };

/**
 * The same reads by `pg` on `node:http`, in its own process like the service: one named statement for each read, a
 * token found by its hash, JSON requests and answers. The program has no guards, no validation, no limits, no log and
 * no counters.
 */
class Answers {
  constructor(private readonly pool: Pool) {}

  async getQueue({ repo, targetBranch }: Question): Promise<object> {
    const queue = await this.find(repo, targetBranch);
    const rows = await this.read<EntryRow>(
      'enqueued',
      `SELECT e."id", e."state", e."stateChangedAt", e."priority", e."usedDefaultPriority", e."noBatch", e."number", e."head",
         p."title", p."author", p."baseBranch"
       FROM "Entry" e JOIN "PullRequest" p ON p."id" = e."pullRequestId"
       WHERE e."queueId" = $1 AND e."state" = ANY($2)
       ORDER BY e."place" NULLS LAST, e."pendingRank", e."returnedOrder", e."priority", e."submittedOrder"`,
      [queue.id, ACTIVE],
    );
    return queueAnswer(
      queue,
      rows.map((row) => enqueued(row, row, queue)),
    );
  }

  async getSubmittedPullRequest({ repo, targetBranch, pr }: Question): Promise<object> {
    const queue = await this.find(repo, targetBranch);
    const { id: queueId, repositoryId } = queue;
    const [entries, runs, line, , notReady, unanswered] = await Promise.all([
      this.read<EntryRow>('entry', `${ENTRY} WHERE e."queueId" = $1 AND e."number" = $2`, [queueId, pr.number]),
      this.read<RunRow>(
        'runs',
        `SELECT r.*, ARRAY(SELECT m."entryId" FROM "TestRunMember" m WHERE m."runId" = r."id") AS "entryIds"
         FROM "TestRun" r WHERE r."queueId" = $1 AND r."live"`,
        [queueId],
      ),
      this.read<EntryRow>('line', `${ENTRY} WHERE e."queueId" = $1 AND e."place" IS NOT NULL`, [queueId]),
      this.read<EntryRow>(
        'waiting',
        `${ENTRY} WHERE e."queueId" = $1 AND e."state" = 'pending' AND e."place" IS NULL AND e."search" IS NULL AND e."standing" IS NULL
         ORDER BY e."pendingRank", e."returnedOrder", e."priority", e."submittedOrder" LIMIT 2`,
        [queueId],
      ),
      this.read(
        'not ready',
        `SELECT * FROM "Entry" WHERE "queueId" = $1 AND "state" = 'not_ready' ORDER BY "notReadySince" LIMIT 1`,
        [queueId],
      ),
      this.read(
        'unanswered',
        `SELECT * FROM "OutboxTask" WHERE "queueId" = $1 AND "settledAt" IS NULL AND "firstFailedAt" IS NOT NULL LIMIT 1`,
        [queueId],
      ),
    ]);
    const entry = entries[0]!;
    const head = [entry.number, entry.head];
    const run = runs.find(({ entryIds }) => entryIds.includes(entry.id));
    const [uploaded, computed, reports, outcomes, ahead] = await Promise.all([
      this.read(
        'uploaded',
        `SELECT * FROM "ImpactedTargets" WHERE "repositoryId" = $1 AND "number" = $2 AND "sha" = $3`,
        [repositoryId, ...head],
      ),
      this.read('computed', `SELECT * FROM "ComputedTargets" WHERE "queueId" = $1 AND "number" = $2 AND "sha" = $3`, [
        queueId,
        ...head,
      ]),
      this.read('reports', `SELECT * FROM "CommitStatus" WHERE "repositoryId" = $1 AND "sha" = ANY($2)`, [
        repositoryId,
        runs.flatMap(({ commit }) => commit ?? []),
      ]),
      this.read('outcomes', `SELECT * FROM "ForecastOutcome" WHERE "queueId" = $1`, [queueId]),
      this.countAhead(entry),
    ]);
    requireAtRest(notReady, unanswered, uploaded, computed, reports, outcomes);
    const waitingFor = run ? waitsForStatus(run) : waitsForTurn(line.length + ahead);
    return pullRequestAnswer(entry, entry, { queue, waitingFor, hasImpactedTargets: uploaded.length > 0 });
  }

  async isKnown(token: string): Promise<boolean> {
    const hash = createHash('sha256').update(token).digest('hex');
    const known = await this.read('token', `SELECT * FROM "ApiToken" WHERE "hash" = $1 AND "revokedAt" IS NULL`, [
      hash,
    ]);
    return known.length > 0;
  }

  private async find(repo: Question['repo'], branch: string): Promise<QueueRow> {
    const [queue] = await this.read<QueueRow>(
      'queue',
      `SELECT q.*, r."organizationId" FROM "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId"
       WHERE r."host" = $1 AND r."lookupName" = $2 AND q."liveBranch" = $3`,
      [repo.host, `${repo.owner}/${repo.name}`, branch],
    );
    return queue!;
  }

  private async countAhead({ queueId, submittedOrder, place }: EntryRow): Promise<number> {
    if (place !== null) return 0;
    const [ahead] = await this.read<{ count: number }>(
      'ahead',
      `SELECT count(*) FROM "Entry" WHERE "queueId" = $1 AND "state" = 'pending' AND "place" IS NULL AND "search" IS NULL
         AND "standing" IS NULL AND "submittedOrder" < $2`,
      [queueId, submittedOrder],
    );
    return ahead!.count;
  }

  private async read<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return (await this.pool.query({ name, text, values })).rows as Row[];
  }
}

const ENTRY = `
  SELECT e.*, p."title", p."author", p."baseBranch", p."mergeability"
  FROM "Entry" e JOIN "PullRequest" p ON p."id" = e."pullRequestId"`;

async function answer(answers: Answers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const send = (status: number, body: object): void => {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
    response.end(bytes);
  };
  if (!(await answers.isKnown(String(request.headers['x-api-token'])))) return send(401, {});
  const question = JSON.parse(Buffer.concat(chunks).toString()) as Question;
  if (request.url === '/v1/getQueue') return send(200, await answers.getQueue(question));
  if (request.url === '/v1/getSubmittedPullRequest') return send(200, await answers.getSubmittedPullRequest(question));
  send(404, {});
}

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: POOL_SIZE });
const answers = new Answers(pool);
const server = createServer((request, response) => {
  answer(answers, request, response).catch((error: unknown) => {
    process.stderr.write(`${String((error as Error).stack)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once('message', () => {
  server.closeAllConnections();
  void pool.end().then(() => process.exit(0));
});
