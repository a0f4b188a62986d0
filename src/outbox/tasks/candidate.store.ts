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

  of(runId: string): Promise<Candidate | null> {
    return this.prisma.candidate.findUnique({ where: { runId } });
  }

  async notePullRequest(runId: string): Promise<void> {
    await this.prisma.candidate.update({ where: { runId }, data: { hasPullRequest: true } });
  }

  async branchesOf(runIds: readonly string[]): Promise<string[]> {
    const rows = await this.prisma.candidate.findMany({
      where: { runId: { in: [...runIds] } },
      select: { branch: true },
    });
    return rows.map((row) => row.branch);
  }

  /** The latest commit date among candidates of other runs with that tree; null when there are none. */
  async latestOfTree(repositoryId: string, tree: string, exceptRun: string): Promise<Date | null> {
    const latest = await this.prisma.candidate.findFirst({
      where: { repositoryId, tree, runId: { not: exceptRun } },
      orderBy: { committedAt: 'desc' },
      select: { committedAt: true },
    });
    return latest?.committedAt ?? null;
  }

  /** Replaces a candidate that an earlier try stored and never pushed. 'taken': another run has that commit. */
  async write(repositoryId: string, candidate: NewCandidate, now: Date): Promise<'written' | 'taken'> {
    const data = { ...candidate, repositoryId, createdAt: now };
    return this.prisma.$transaction(async (tx) => {
      await tx.candidate.deleteMany({ where: { runId: candidate.runId } });
      const { count } = await tx.candidate.createMany({ data, skipDuplicates: true });
      return count === 1 ? 'written' : 'taken';
    });
  }
}
