import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service';

export interface NewCandidate {
  readonly runId: string;
  readonly branch: string;
  readonly commit: string;
  readonly tree: string;
  readonly committedAt: Date;
}

export interface Candidate extends NewCandidate {
  /** The service may have opened a pull request for its branch. */
  readonly hasPullRequest: boolean;
}

/** The commit of each test run. Stored before the branch is pushed, so that a later try knows it. */
@Injectable()
export class CandidateStore {
  constructor(private readonly prisma: PrismaService) {}

  async of(runId: string): Promise<Candidate | null> {
    const [row] = await this.prisma.queryDirectly<Candidate>`
      SELECT "runId", "branch", "commit", "tree", "committedAt", "hasPullRequest" FROM "Candidate"
      WHERE "runId" = ${runId}::uuid`;
    return row ?? null;
  }

  async notePullRequest(runId: string): Promise<void> {
    await this.prisma.candidate.update({ where: { runId }, data: { hasPullRequest: true } });
  }

  async branchesOf(runIds: readonly string[]): Promise<string[]> {
    const rows = await this.prisma.queryDirectly<{ branch: string }>`
      SELECT "branch" FROM "Candidate" WHERE "runId" = ANY(${[...runIds]}::uuid[])`;
    return rows.map((row) => row.branch);
  }

  /** The latest commit date among candidates of other runs with that tree; null when there are none. */
  async latestOfTree(repositoryId: string, tree: string, exceptRun: string): Promise<Date | null> {
    const [latest] = await this.prisma.queryDirectly<{ committedAt: Date }>`
      SELECT "committedAt" FROM "Candidate"
      WHERE "repositoryId" = ${repositoryId}::uuid AND "tree" = ${tree} AND "runId" <> ${exceptRun}::uuid
      ORDER BY "committedAt" DESC LIMIT 1`;
    return latest?.committedAt ?? null;
  }

  /** Replaces a candidate that an earlier try stored and never pushed. 'taken': another run has that commit. */
  async write(repositoryId: string, candidate: NewCandidate, now: Date): Promise<'written' | 'taken'> {
    const { runId, branch, commit, tree, committedAt } = candidate;
    return this.prisma.directTransaction(async (tx) => {
      await tx.$executeRaw`DELETE FROM "Candidate" WHERE "runId" = ${runId}::uuid`;
      const count = await tx.$executeRaw`
        INSERT INTO "Candidate" ("runId", "repositoryId", "branch", "commit", "tree", "committedAt", "createdAt")
        VALUES (${runId}::uuid, ${repositoryId}::uuid, ${branch}, ${commit}, ${tree}, ${committedAt}, ${now})
        ON CONFLICT DO NOTHING`;
      return count === 1 ? 'written' : 'taken';
    });
  }
}
