import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module';
import { MemoryHostAdapter } from '../../src/code-hosts/memory/memory-host.adapter';
import { configureMergeQueue } from '../../src/create-merge-queue';
import { Clock } from '../../src/platform/clock/clock';
import { Config } from '../../src/platform/config/config';
import { ConnectionPool } from '../../src/platform/database/connection-pool';
import { DatabaseOutage } from '../../src/platform/database/database-outage';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { Background } from '../../src/platform/lifecycle/background';
import type { ManualClock } from './manual-clock';
import type { RecordingLogger } from './recording-logger';
import { poolOfTests, prismaOfTests } from './shared-connections';

export interface ApplicationParts {
  readonly config: Config;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly extensions?: readonly Type[];
  /** In-memory hosts that several instances share. If absent, the hosts of the extension are used. */
  readonly memory?: MemoryHostAdapter;
  /** The port; any free port if absent. */
  readonly port?: number;
}

export interface StartedApplication {
  readonly app: NestExpressApplication;
  readonly url: string;
}

/** The real application, listening on a free port. Time stands still, and no background job runs automatically. */
export async function startApplication(parts: ApplicationParts): Promise<StartedApplication> {
  const { config, clock, logger, extensions = [], memory, port: wanted = 0 } = parts;
  const builder = Test.createTestingModule({ imports: [AppModule.with(config, extensions)] })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(Background)
    .useValue({ isOn: false })
    .overrideProvider(ConnectionPool)
    .useFactory({ factory: poolOfTests, inject: [Config, DatabaseOutage] })
    .overrideProvider(PrismaService)
    .useFactory({ factory: prismaOfTests, inject: [ConnectionPool] })
    .setLogger(logger);
  if (memory) builder.overrideProvider(MemoryHostAdapter).useValue(memory);
  const module = await builder.compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
  try {
    configureMergeQueue(app, config);
    await app.listen(wanted, '127.0.0.1');
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}` };
}
