import { Injectable } from '@nestjs/common';
import { type Candidate as CandidateColumns, Prisma } from '../../../generated/prisma/client';
import { isUniqueViolation } from '../../../platform/database/database-errors';
import { isOneOf } from '../../../platform/database/one-of';
import { PrismaService } from '../../../platform/database/prisma.service';
import { Sql } from '../../../platform/database/sql';

export type NewCandidate = Pick<CandidateColumns, 'runId' | 'branch' | 'commit' | 'tree' | 'committedAt'>;

export interface Candidate extends NewCandidate {
  /** Whether the service may have opened a pull request for the testing branch. */
  readonly hasPullRequest: boolean;
}

/** Selects the testing branches of these runs, as a list. */
export function storedBranches(runIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`ARRAY(
    SELECT "branch" FROM "Candidate" WHERE ${isOneOf(Prisma.sql`"runId"`, runIds, Prisma.sql`uuid`)})`;
}

/** Stores the commit of each test run, before its branch is pushed, so that a later attempt knows the commit. */
@Injectable()
export class CandidateStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
  ) {}

  async of(runId: string): Promise<Candidate | null> {
    const [row] = await this.sql.rows<Candidate>`/* candidate.store of */
      SELECT "runId", "branch", "commit", "tree", "committedAt", "hasPullRequest" FROM "Candidate"
      WHERE "runId" = ${runId}::uuid`;
    return row ?? null;
  }

  async notePullRequest(runId: string): Promise<void> {
    await this.prisma.candidate.update({ where: { runId }, data: { hasPullRequest: true } });
  }

  async branchesOf(runIds: readonly string[]): Promise<string[]> {
    const [row] = await this.sql.rows<{
      branches: string[];
    }>`/* candidate.store branchesOf */ SELECT ${storedBranches(runIds)} AS "branches"`;
    return row!.branches;
  }

  /** The latest commit date among other runs' candidates with this tree; null if there are none. */
  async latestOfTree(repositoryId: string, tree: string, exceptRun: string): Promise<Date | null> {
    const [latest] = await this.sql.rows<{ committedAt: Date }>`/* candidate.store latestOfTree */
      SELECT "committedAt" FROM "Candidate"
      WHERE "repositoryId" = ${repositoryId}::uuid AND "tree" = ${tree} AND "runId" <> ${exceptRun}::uuid
      ORDER BY "committedAt" DESC LIMIT 1`;
    return latest?.committedAt ?? null;
  }

  /**
   * Stores a candidate, and replaces a candidate that an earlier attempt stored and never pushed. 'taken': another run
   * has the same commit, or a commit with the same tree that is not older.
   */
  async write(repositoryId: string, candidate: NewCandidate, now: Date): Promise<'written' | 'taken'> {
    const { runId, branch, commit, tree, committedAt } = candidate;
    const count = await this.sql.execute`/* candidate.store write */
      INSERT INTO "Candidate" AS known ("runId", "repositoryId", "branch", "commit", "tree", "committedAt", "createdAt")
      SELECT ${runId}::uuid, ${repositoryId}::uuid, ${branch}, ${commit}, ${tree}, ${committedAt}::timestamptz, ${now}::timestamptz
      WHERE NOT EXISTS (
          SELECT 1 FROM "Candidate" c
          WHERE c."repositoryId" = ${repositoryId}::uuid AND c."commit" = ${commit} AND c."runId" <> ${runId}::uuid)
        AND NOT EXISTS (
          SELECT 1 FROM "Candidate" c
          WHERE c."repositoryId" = ${repositoryId}::uuid AND c."tree" = ${tree} AND c."committedAt" >= ${committedAt}
            AND c."runId" <> ${runId}::uuid)
      ON CONFLICT ("runId") DO UPDATE SET "branch" = EXCLUDED."branch", "commit" = EXCLUDED."commit", "tree" = EXCLUDED."tree",
        "committedAt" = EXCLUDED."committedAt", "createdAt" = EXCLUDED."createdAt", "hasPullRequest" = false`.catch(
      (error: unknown) => {
        // Another run has got this commit in the meantime.
        if (isUniqueViolation(error)) return 0;
        throw error;
      },
    );
    return count === 1 ? 'written' : 'taken';
  }
}
