import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service';

/** A head of a pull request in a registered repository, which is named by the id of its row. */
export interface PushedHead {
  readonly repositoryId: string;
  readonly number: number;
  readonly head: string;
}

/** The pushers of pull request heads, according to deliveries. */
@Injectable()
export class ToldPushers {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * The login that pushed the head; null if no delivery named a login. For the first head of a pull request, the login
   * that opened it.
   */
  async of({ repositoryId, number, head }: PushedHead): Promise<string | null> {
    const where = { repositoryId_number: { repositoryId, number } };
    const known = await this.prisma.pullRequestHead.findUnique({ where });
    return known?.head === head ? known.pushedBy : null;
  }
}
