import { setTimeout as after } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PrismaService } from '../database/prisma.service';
import { HealthProbes, type ProbeResult } from './health-probes';

const LIMIT_MS = 2_000;

@Injectable()
export class DatabaseProbe implements OnModuleInit {
  constructor(
    private readonly probes: HealthProbes,
    private readonly prisma: PrismaService,
  ) {}

  onModuleInit(): void {
    this.probes.register('database', () => this.ask());
  }

  private async ask(): Promise<ProbeResult> {
    const limit = new AbortController();
    const late = after(LIMIT_MS, { problem: 'does not answer' } as const, { signal: limit.signal });
    late.catch(() => undefined); // aborted below
    try {
      return await Promise.race([this.prisma.$queryRaw`SELECT 1`.then(() => 'ok' as const), late]);
    } finally {
      limit.abort();
    }
  }
}
