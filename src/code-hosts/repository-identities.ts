import { Injectable, Logger } from '@nestjs/common';
import { changeRecorded } from '../platform/audit/audit-log';
import { Clock } from '../platform/clock/clock';
import { isUniqueViolation } from '../platform/database/database-errors';
import { PrismaService } from '../platform/database/prisma.service';
import { repositoryKey, type RepositoryPath } from './repository-path';

/** A repository under its present or an earlier name. `hostId` stays the same after a rename or transfer. */
export interface IdentifiedRepository extends RepositoryPath {
  /** The host's own id of the repository. Null if a delivery does not contain it; then only the name counts. */
  readonly hostId: string | null;
}

/** A repository in the service's database. */
export interface RegisteredRepository extends RepositoryPath {
  readonly id: string;
}

interface Row extends RegisteredRepository {
  readonly organizationId: string;
  readonly host: string;
  readonly hostId: string | null;
}

const SELECTED = { id: true, organizationId: true, host: true, owner: true, name: true, hostId: true } as const;

/**
 * Identifies registered repositories by the host's own id. The first id that the host gives for a registered name is
 * stored. If the repository with this id is renamed, its row gets the new name. If another repository takes the old
 * name, that repository is not the registered one.
 */
@Injectable()
export class RepositoryIdentities {
  private readonly logger = new Logger(RepositoryIdentities.name);

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether `found`, which the host shows under the name in the row, is the registered repository. If it is and has
   * been renamed, the row gets the new name.
   */
  async isSame(rowId: string, found: IdentifiedRepository): Promise<boolean> {
    const row = await this.prisma.repository.findUnique({ where: { id: rowId }, select: SELECTED });
    return row === null || this.follow(row, found);
  }

  /**
   * The rows of the repository in a delivery. There are several if their names differ only in letter case. No row is
   * changed, because the delivery may be old.
   */
  async rowsOf(host: string, { owner, name, hostId }: IdentifiedRepository): Promise<readonly RegisteredRepository[]> {
    const rows = await this.prisma.$queryRaw<Row[]>`/* repository-identities rowsOf */
      SELECT "id", "organizationId", "host", "owner", "name", "hostId" FROM "Repository"
      WHERE "host" = ${host} AND ("hostId" = ${hostId} OR (lower("owner") = lower(${owner}) AND lower("name") = lower(${name})))
      ORDER BY "id"`;
    return rows.filter((row) => hostId === null || row.hostId === null || row.hostId === hostId);
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
    if (!isSameName(row, { owner, name })) await this.rename(row, { owner, name });
    return true;
  }

  private async rename(row: Row, { owner, name }: RepositoryPath): Promise<void> {
    const { id: repositoryId, organizationId, host } = row;
    const [from, to] = [`${row.owner}/${row.name}`, `${owner}/${name}`];
    const change = { organizationId, repositoryId, subject: `${host}/${to}`, from: { name: from }, to: { name: to } };
    const by = { actor: host, channel: 'service', address: null } as const;
    try {
      await this.prisma.$transaction(async (tx) => {
        const where = { id: repositoryId, owner: row.owner, name: row.name };
        const { count } = await tx.repository.updateMany({
          where,
          data: { owner, name, lookupName: to.toLowerCase() },
        });
        if (count === 1)
          await tx.$executeRaw(changeRecorded({ ...change, action: 'repository.renamed', at: this.clock.now(), by }));
      });
      this.logger.log(`${from} was renamed to ${to}`);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.logger.error(`${from} was renamed to ${to}, but that name is registered already`);
    }
  }
}

/** Whether the names are equal. Code hosts ignore letter case. */
export function isSameName(one: RepositoryPath, other: RepositoryPath): boolean {
  return repositoryKey(one) === repositoryKey(other);
}
