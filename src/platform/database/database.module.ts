import { Global, Module } from '@nestjs/common';
import { DirectConnections } from './direct-connections';
import { DatabaseOutage } from './database-outage';
import { PrismaService } from './prisma.service';

const PROVIDERS = [DatabaseOutage, PrismaService, DirectConnections];

@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class DatabaseModule {}
