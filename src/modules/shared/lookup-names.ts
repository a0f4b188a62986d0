import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { PrismaService } from '../../platform/database/prisma.service';

interface Hidden {
  readonly host: string;
  readonly lookupName: string;
}

/**
 * Corrects lookup names at the start, for repositories that were registered before letter case was ignored, or by a
 * command that did not know the kind of their code host. If two rows name one repository, requests find the older row.
 */
@Injectable()
export class LookupNames implements OnApplicationBootstrap {
  private readonly logger = new Logger(LookupNames.name);

  constructor(
    private readonly prisma: PrismaService,
    private readonly hosts: CodeHostRegistry,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const hosts = this.hosts.hostsIgnoringCase();
    if (hosts.length === 0) return;
    await this.prisma.$executeRaw`/* lookup-names onApplicationBootstrap */
      UPDATE "Repository" r SET "lookupName" = lower(r."lookupName")
      WHERE r."host" = ANY(${hosts}) AND r."lookupName" <> lower(r."lookupName") AND NOT EXISTS (
        SELECT 1 FROM "Repository" o
        WHERE o."host" = r."host" AND o."id" <> r."id" AND lower(o."lookupName") = lower(r."lookupName")
          AND (o."lookupName" = lower(o."lookupName") OR (o."createdAt", o."id") < (r."createdAt", r."id")))`;
    const hidden = await this.prisma.$queryRaw<Hidden[]>`/* lookup-names onApplicationBootstrap 2 */
      SELECT "host", "lookupName" FROM "Repository"
      WHERE "host" = ANY(${hosts}) AND "lookupName" <> lower("lookupName") ORDER BY 1, 2`;
    for (const { host, lookupName } of hidden)
      this.logger.warn(
        `${host}/${lookupName} is registered twice, in different letter case; requests find only one of the two repositories`,
      );
  }
}
