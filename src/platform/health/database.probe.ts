import { setTimeout as after } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseOutage } from '../database/database-outage';
import { PrismaService } from '../database/prisma.service';
import { HealthProbes, type ProbeResult } from './health-probes';

const LIMIT_MS = 2_000;

@Injectable()
export class DatabaseProbe implements OnModuleInit {
  constructor(
    private readonly probes: HealthProbes,
    private readonly prisma: PrismaService,
    private readonly outage: DatabaseOutage,
  ) {}

  onModuleInit(): void {
    this.probes.register('database', () => this.ask());
  }

  private async ask(): Promise<ProbeResult> {
    // The service refuses requests until the outage ends.
    if (this.outage.isOn) return { problem: 'does not answer' };
    const limit = new AbortController();
    const late = after(LIMIT_MS, { problem: 'does not answer' } as const, { signal: limit.signal });
    late.catch(() => undefined); // aborted below
    try {
      return await Promise.race([
        this.prisma.$queryRaw`/* database.probe ask */ SELECT 1`.then(() => 'ok' as const),
        late,
      ]);
    } finally {
      limit.abort();
    }
  }
}
