import { Global, Module } from '@nestjs/common';
import { DirectConnections } from './direct-connections';
import { PrismaService } from './prisma.service';

@Global()
@Module({ providers: [PrismaService, DirectConnections], exports: [PrismaService, DirectConnections] })
export class DatabaseModule {}
