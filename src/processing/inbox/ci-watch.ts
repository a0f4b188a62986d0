import { Injectable } from '@nestjs/common';
import type { CiProgress, CodeHost, HostRepository } from '../../domain/code-host.port';
import type { CiEnd, JobName } from '../../engine/model';
import { Clock } from '../../platform/clock/clock';
import { Sql } from '../../platform/database/sql';
import { QueueProcessor } from '../decisions/queue-processor';

interface AwaitedRun {
  readonly queueId: string;
  readonly commit: string;
  readonly ciEnd: CiEnd | null;
  /** The required statuses of the run that nobody has reported. */
  readonly missing: readonly string[];
}

/** The first look comes this long after a push, because CI needs a moment to notice the push. */
const FIRST_LOOK_MS = 60_000;
const RUNS_LOOKED_AT = 50;
const MOST_NAMES = 20;
/** Matches URLs of jobs at GitHub, Gitea and Forgejo, and at GitLab. */
const ADDRESS_OF_A_JOB = String.raw`/actions/runs/[0-9]+/jobs?/[0-9]+|/-/jobs/[0-9]+`;

/**
 * Asks code hosts whether CI has finished with commits that lack required statuses, and reports changes to the queues.
 */
@Injectable()
export class CiWatch {
  constructor(
    private readonly sql: Sql,
    private readonly processor: QueueProcessor,
    private readonly clock: Clock,
  ) {}

  /** Looks at the test runs of a repository. Throws HostUnavailable. */
  async look(host: CodeHost, repository: HostRepository): Promise<void> {
    if (host.readCiProgress === undefined) return;
    for (const run of await this.awaited(repository.id)) {
      const progress = await host.readCiProgress(repository, run.commit, run.missing);
      if (progress === null || isKnown(run, progress)) continue;
      const end = progress.isDone ? await this.endOf(repository.id, run, progress) : null;
      await this.processor.processEvent(run.queueId, { event: { type: 'ciSeen', commit: run.commit, end } });
    }
  }

  private async awaited(repositoryId: string): Promise<readonly AwaitedRun[]> {
    const pushedBy = new Date(this.clock.now().getTime() - FIRST_LOOK_MS);
    const runs = await this.sql.rows<AwaitedRun>`/* ci-watch awaited */
      SELECT r."queueId", r."commit", r."ciEnd", ARRAY(
        SELECT wanted."name" FROM unnest(r."requiredStatuses") AS wanted("name") WHERE NOT EXISTS (
          SELECT 1 FROM "CommitStatus" s WHERE s."repositoryId" = ${repositoryId}::uuid AND s."sha" = r."commit"
            AND s."name" = wanted."name" AND s."state" <> 'superseded')) AS "missing"
      FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id" AND r."live"
      WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
        AND r."phase" = 'testing' AND r."commit" IS NOT NULL AND r."pushedAt" <= ${pushedBy}
      ORDER BY r."queueId", r."number"`;
    return runs.filter(({ missing }) => missing.length > 0);
  }

  private async endOf(repositoryId: string, run: AwaitedRun, progress: CiProgress): Promise<CiEnd> {
    const reported = await this.sql.rows<{ name: string }>`/* ci-watch endOf */
      SELECT DISTINCT "name" FROM "CommitStatus" WHERE "repositoryId" = ${repositoryId}::uuid AND "sha" = ${run.commit}
      ORDER BY "name" LIMIT ${MOST_NAMES}`;
    return {
      at: this.clock.now().getTime(),
      runs: progress.runs,
      reported: reported.map(({ name }) => name),
      jobs: await this.jobsAmong(repositoryId, run, progress),
    };
  }

  /**
   * A required status belongs to a job if its name has the form of a job, or if a job reported it last for an earlier
   * run.
   */
  private async jobsAmong(
    repositoryId: string,
    { queueId, missing }: AwaitedRun,
    { namesOfJobs }: CiProgress,
  ): Promise<readonly JobName[]> {
    const known = await this.sql.rows<{ name: string; isOfJob: boolean; delay: number }>`/* ci-watch jobsAmong */
      SELECT s."name", bool_or(coalesce(s."url" ~ ${ADDRESS_OF_A_JOB}, false)) AS "isOfJob",
        max(greatest(extract(epoch FROM s."hostTime" - r."pushedAt") * 1000, 0))::float8 AS "delay"
      FROM (SELECT "commit", "pushedAt" FROM "TestRun" WHERE "queueId" = ${queueId}::uuid AND "pushedAt" IS NOT NULL
          ORDER BY "number" DESC LIMIT ${RUNS_LOOKED_AT}) r
        JOIN "CommitStatus" s ON s."repositoryId" = ${repositoryId}::uuid AND s."sha" = r."commit" AND s."name" = ANY(${[...missing]})
      GROUP BY s."name"`;
    return missing.flatMap((name) => {
      const before = known.find((row) => row.name === name);
      const isOfJob = before?.isOfJob === true || namesOfJobs.includes(name);
      return isOfJob ? [{ name, longestDelayMs: before === undefined ? null : Math.round(before.delay) }] : [];
    });
  }
}

/** Whether the queue already knows this progress: whether CI has finished, and the number of its runs. */
function isKnown({ ciEnd }: AwaitedRun, { isDone, runs }: CiProgress): boolean {
  return isDone ? ciEnd?.runs === runs : ciEnd === null;
}
