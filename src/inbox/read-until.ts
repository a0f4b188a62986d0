import { Injectable } from '@nestjs/common';
import { PrismaService } from '../platform/database/prisma.service';

type Column = 'commentsReadTo' | 'labelsReadTo';

/** Up to when what people did in a repository was looked at, or need not be; survives restarts. */
@Injectable()
export class ReadUntil {
  constructor(private readonly prisma: PrismaService) {}

  async of(repositoryId: string, column: Column): Promise<Date | null> {
    const select = { commentsReadTo: true, labelsReadTo: true } as const;
    const row = await this.prisma.repository.findUnique({ where: { id: repositoryId }, select });
    return row?.[column] ?? null;
  }

  /** Never goes back: another instance may have looked later. */
  async set(repositoryId: string, column: Column, until: Date): Promise<void> {
    const isBefore = { OR: [{ [column]: null }, { [column]: { lt: until } }] };
    await this.prisma.repository.updateMany({ where: { id: repositoryId, ...isBefore }, data: { [column]: until } });
  }
}
