import { readConfig } from '../../src/platform/config/read-config';
import { ConnectionPool } from '../../src/platform/database/connection-pool';
import { DatabaseOutage } from '../../src/platform/database/database-outage';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { Sql } from '../../src/platform/database/sql';

/** The ORM client and the SQL pool of a database, each with its own connections. Close both after use. */
export class Connections {
  readonly outage: DatabaseOutage;
  readonly prisma: PrismaService;
  readonly sql: Sql;
  private readonly pool: ConnectionPool;

  /** If `databaseUrl` is absent, connects to the database of the jest worker. */
  constructor(databaseUrl = process.env.DATABASE_URL) {
    this.outage = new DatabaseOutage(readConfig({ DATABASE_URL: databaseUrl }));
    this.pool = new ConnectionPool(databaseUrl, (error) => this.outage.noteLost(error));
    this.prisma = new PrismaService(this.pool);
    this.sql = new Sql(this.pool);
  }

  async close(): Promise<void> {
    await this.prisma.$disconnect();
    await this.pool.end();
  }
}
