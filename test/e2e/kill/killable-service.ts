import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../../src/app.module';
import { configureMergeQueue } from '../../../src/create-merge-queue';
import { Clock } from '../../../src/platform/clock/clock';
import { readConfig } from '../../../src/platform/config/read-config';
import { type CrashPoint, CrashPoints } from '../../../src/platform/lifecycle/crash-points';
import { createLogger } from '../../../src/platform/logging/logger';

/** Input for one process of the service: its production environment, and the point at which it dies. */
export interface KillableSettings {
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The time by which the clock of this process is ahead. It is so long that the leases of the killed process have
   * expired.
   */
  readonly clockAheadMs: number;
  /** The process kills itself like kill -9 when it reaches this point for the n-th time. */
  readonly killAt?: { readonly point: CrashPoint; readonly time: number };
}

class ClockAhead extends Clock {
  constructor(private readonly byMs: number) {
    super();
  }

  now(): Date {
    return new Date(Date.now() + this.byMs);
  }
}

class DeadlyCrashPoints extends CrashPoints {
  private times = 0;

  constructor(private readonly killAt: KillableSettings['killAt']) {
    super();
  }

  override reach(point: CrashPoint): void {
    if (point !== this.killAt?.point) return;
    this.times += 1;
    if (this.times === this.killAt.time) process.kill(process.pid, 'SIGKILL');
  }
}

async function serve(settings: KillableSettings): Promise<void> {
  const config = readConfig(settings.environment);
  const module = await Test.createTestingModule({ imports: [AppModule.with(config)] })
    .overrideProvider(Clock)
    .useValue(new ClockAhead(settings.clockAheadMs))
    .overrideProvider(CrashPoints)
    .useValue(new DeadlyCrashPoints(settings.killAt))
    .setLogger(createLogger(config.logLevel))
    .compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
  configureMergeQueue(app, config);
  await app.listen(config.port, '127.0.0.1');
  process.stdout.write(`ready ${await app.getUrl()}\n`);
}

void serve(JSON.parse(process.argv[2] ?? '{}') as KillableSettings);
