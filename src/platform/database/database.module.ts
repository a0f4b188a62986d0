import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { ConnectionPool } from './connection-pool';
import { DatabaseOutage } from './database-outage';
import { PrismaService } from './prisma.service';
import { Sql } from './sql';

const POOL = {
  provide: ConnectionPool,
  inject: [Config, DatabaseOutage],
  useFactory: ({ databaseUrl }: Config, outage: DatabaseOutage) =>
    new ConnectionPool(databaseUrl, (error) => outage.noteLost(error)),
};
const PROVIDERS = [DatabaseOutage, PrismaService, Sql];

@Global()
@Module({ providers: [POOL, ...PROVIDERS], exports: PROVIDERS })
export class DatabaseModule {}
