import { Injectable, Logger } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database/database-errors';
import { PrismaService } from '../../platform/database/prisma.service';
import type { RepositoryPath } from './client/routes';

/** A repository as GitHub names it now. `hostId` stays when it is renamed or transferred. */
export interface IdentifiedRepository extends RepositoryPath {
  /** Null: the delivery does not say. Then the name alone counts. */
  readonly hostId: string | null;
}

interface Row extends RepositoryPath {
  readonly id: string;
  readonly hostId: string | null;
}

const SELECTED = { id: true, owner: true, name: true, hostId: true } as const;

/**
 * The registered repositories by GitHub's own ids. The first id that is seen under a name is kept. A repository with that
 * id is followed to its new name; another one that gets the old name is not the registered one.
 */
@Injectable()
export class RepositoryIdentities {
  private readonly logger = new Logger(RepositoryIdentities.name);

  constructor(private readonly prisma: PrismaService) {}

  /** Whether the repository that GitHub has under the name of our row is the one that was registered. */
  async isSame(rowId: string, found: IdentifiedRepository): Promise<boolean> {
    const row = await this.prisma.repository.findUnique({ where: { id: rowId }, select: SELECTED });
    return row === null || this.follow(row, found);
  }

  /** Ids of our rows of the repository; more than one where two rows name it in different letter case. */
  async rowsOf(host: string, found: IdentifiedRepository): Promise<readonly string[]> {
    const { owner, name, hostId } = found;
    const rows = await this.prisma.$queryRaw<Row[]>`
      SELECT "id", "owner", "name", "hostId" FROM "Repository"
      WHERE "host" = ${host} AND ("hostId" = ${hostId} OR (lower("owner") = lower(${owner}) AND lower("name") = lower(${name})))
      ORDER BY "id"`;
    const same: string[] = [];
    for (const row of rows) if (await this.follow(row, found)) same.push(row.id);
    return same;
  }

  private async follow(row: Row, { owner, name, hostId }: IdentifiedRepository): Promise<boolean> {
    const { id } = row;
    if (hostId === null) return true;
    if (row.hostId === null) await this.prisma.repository.updateMany({ where: { id, hostId: null }, data: { hostId } });
    else if (row.hostId !== hostId) {
      this.logger.warn(
        `${owner}/${name} is not the repository that was registered: its id is ${hostId}, not ${row.hostId}`,
      );
      return false;
    }
    const [from, to] = [`${row.owner}/${row.name}`, `${owner}/${name}`];
    if (from.toLowerCase() !== to.toLowerCase()) await this.rename(id, from, { owner, name });
    return true;
  }

  private async rename(id: string, from: string, { owner, name }: RepositoryPath): Promise<void> {
    const lookupName = `${owner}/${name}`.toLowerCase();
    try {
      await this.prisma.repository.update({ where: { id }, data: { owner, name, lookupName } });
      this.logger.log(`${from} is ${owner}/${name} now`);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.logger.error(`${from} is ${owner}/${name} now, but that name is registered already`);
    }
  }
}
