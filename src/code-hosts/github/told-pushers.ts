import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service';

/** A pull request of ours, by the row of its repository, at a head. */
export interface PushedHead {
  readonly repositoryId: string;
  readonly number: number;
  readonly head: string;
}

/** Who pushed the heads of pull requests, as deliveries told. */
@Injectable()
export class ToldPushers {
  constructor(private readonly prisma: PrismaService) {}

  /** A login; null when no delivery told. Of a head that the pull request was opened with it is who opened it. */
  async of({ repositoryId, number, head }: PushedHead): Promise<string | null> {
    const where = { repositoryId_number: { repositoryId, number } };
    const known = await this.prisma.pullRequestHead.findUnique({ where });
    return known?.head === head ? known.pushedBy : null;
  }
}
