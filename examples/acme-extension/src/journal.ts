import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import {
  type Caller,
  type EntryMovedEvent,
  HealthProbes,
  OnQueueChange,
  PrismaService,
  type ProbeResult,
  processMetrics,
} from '@sluice-queue/sluice';

/** One per process, not per instance: a name can be registered only once. */
const moves = new Counter({
  name: 'acme_moves_total',
  help: 'Moves of pull requests, by the state they came into',
  labelNames: ['state'],
  registers: [processMetrics],
});

@Injectable()
export class Journal implements OnModuleInit {
  constructor(
    private readonly prisma: PrismaService,
    private readonly probes: HealthProbes,
  ) {}

  onModuleInit(): void {
    this.probes.register('acme journal', () => this.probe());
  }

  /** An event may be delivered again: its id makes the second delivery change only the count. */
  @OnQueueChange('entry_moved', { listener: 'acme.journal' })
  async onMove(event: EntryMovedEvent): Promise<void> {
    const { id, organization, queue, sequence, entryId, pullRequest, attempt, to, reason, at } = event;
    await this.prisma.$executeRaw`
      INSERT INTO ext_acme.move
        (event_id, organization, repository_id, queue_id, sequence, entry_id, number, attempt, state, reason, happened_at)
      VALUES (${id}, ${organization}, ${queue.repositoryId}::uuid, ${queue.id}::uuid, ${sequence}, ${entryId}::uuid,
        ${pullRequest.number}, ${attempt}, ${to}, ${reason}, ${new Date(at)})
      ON CONFLICT (event_id) DO UPDATE SET deliveries = ext_acme.move.deliveries + 1`;
    moves.inc({ state: to });
  }

  /** A token limited to repositories sees only their moves. */
  async latest(caller: Caller): Promise<{ number: number; state: string; at: string }[]> {
    const { organizationSlug, repositoryIds } = caller;
    const rows = await this.prisma.$queryRaw<{ number: number; state: string; happened_at: Date }[]>`
      SELECT number, state, happened_at FROM ext_acme.move
      WHERE organization = ${organizationSlug}
        AND (${repositoryIds}::uuid[] IS NULL OR repository_id = ANY (${repositoryIds}::uuid[]))
      ORDER BY happened_at DESC, sequence DESC LIMIT 100`;
    return rows.map(({ number, state, happened_at }) => ({ number, state, at: happened_at.toISOString() }));
  }

  /** The moves of one queue that the caller may see. */
  async latestOf(queueId: string): Promise<{ number: number; state: string; at: string }[]> {
    const rows = await this.prisma.$queryRaw<{ number: number; state: string; happened_at: Date }[]>`
      SELECT number, state, happened_at FROM ext_acme.move WHERE queue_id = ${queueId}::uuid
      ORDER BY happened_at DESC, sequence DESC LIMIT 100`;
    return rows.map(({ number, state, happened_at }) => ({ number, state, at: happened_at.toISOString() }));
  }

  /** An exception is also reported as a problem. */
  private async probe(): Promise<ProbeResult> {
    await this.prisma.$queryRaw`SELECT 1 FROM ext_acme.move LIMIT 1`;
    return 'ok';
  }
}
