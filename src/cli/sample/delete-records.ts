import type { Database } from '../database-session';

type Statements = Pick<Database, '$executeRawUnsafe'>;

/**
 * Tables with the rows of a queue. Rows of a table refer to rows of later tables only. The forecast job locks the row
 * of `ForecastTurn` while it writes, so this table comes first.
 */
const OF_QUEUE = [
  ...['ForecastTurn', 'EntryNeed', 'ForecastCourse', 'ForecastOutcome', 'ForecastDay', 'CulpritSearch', 'LandedChange'],
  ...['QueueDay', 'QueueLog', 'CopiedQueueLog', 'TracedQueueLog', 'ExtensionCursor', 'TargetsConfiguration'],
  ...['ComputedTargets', 'StatusReporter', 'WorkflowWarning', 'OutboxTask', 'Entry'],
] as const;

/** Tables with the rows of a repository, without its queues, in an order like `OF_QUEUE`. */
const OF_REPOSITORY = [
  ...['Candidate', 'CheckRun', 'CommitStatus', 'UploadFact', 'ImpactedTargets', 'InboxDelivery'],
  ...['PullRequest', 'PullRequestHead', 'TestHealthSettings', 'Webhook'],
] as const;

/**
 * Deletes a repository with everything about its queues. Uploaded test results must not exist. The queues are locked
 * first, because background jobs of the service add rows to every queue that they find.
 */
export async function deleteRepositoryRecords(tx: Statements, repositoryId: string): Promise<void> {
  const queues = `SELECT "id" FROM "Queue" WHERE "repositoryId" = $1::uuid`;
  const runs = `SELECT "id" FROM "TestRun" WHERE "queueId" IN (${queues})`;
  const statements = [
    `SELECT FROM "Queue" WHERE "repositoryId" = $1::uuid ORDER BY "id" FOR UPDATE`,
    ...OF_QUEUE.map((table) => `DELETE FROM "${table}" WHERE "queueId" IN (${queues})`),
    `DELETE FROM "Candidate" WHERE "runId" IN (${runs})`,
    `DELETE FROM "TestRunMember" WHERE "runId" IN (${runs})`,
    `DELETE FROM "TestRun" WHERE "queueId" IN (${queues})`,
    `DELETE FROM "Queue" WHERE "repositoryId" = $1::uuid`,
    ...OF_REPOSITORY.map((table) => `DELETE FROM "${table}" WHERE "repositoryId" = $1::uuid`),
    `DELETE FROM "Repository" WHERE "id" = $1::uuid`,
  ];
  for (const statement of statements) await tx.$executeRawUnsafe(statement, repositoryId);
}
