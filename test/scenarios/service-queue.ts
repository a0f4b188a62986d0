import type { EntryState, QueueState, RunKind, StateReason } from '../../src/engine/vocabulary';
import type { PrismaService } from '../../src/platform/database/prisma.service';
import type { ApiAnswer, ApiClient } from '../support/api-client';
import type { ScenarioRepository } from './service-host';
import type { SeenEntry, SeenRun } from './stage';

export interface QueueAddress {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly targetBranch: string;
  readonly repositoryId: string;
  readonly queueId: string;
}

interface TimelineItem {
  readonly state: EntryState;
  readonly reason: StateReason | null;
  readonly timestamp: string;
  readonly testRunId: string | null;
}

/** A queue as its clients see it. Clients do not see runs that are over, so this class reads runs from the database. */
export class ServiceQueue {
  private readonly commits = new Map<number, string>();
  /** Branches of the runs that the queue still needs. */
  private branches: ReadonlySet<string | null> = new Set();

  constructor(
    readonly address: QueueAddress,
    private readonly prisma: PrismaService,
    private readonly place: ScenarioRepository,
  ) {}

  ask(api: ApiClient, operation: string, more: object): Promise<ApiAnswer> {
    const { repo, targetBranch } = this.address;
    return api.post(operation, { repo, targetBranch, ...more });
  }

  async state(api: ApiClient): Promise<QueueState> {
    return (await this.ask(api, 'getQueue', {})).body.state as QueueState;
  }

  async entry(api: ApiClient, number: number): Promise<SeenEntry> {
    const { body } = await this.ask(api, 'getSubmittedPullRequest', { pr: { number }, includeTimeline: true });
    const timeline = body.timeline as readonly TimelineItem[];
    return {
      number,
      state: body.state as EntryState,
      reason: body.stateReason as StateReason | null,
      waitingFor: body.waitingFor as string | null,
      timeline: timeline.toReversed().map(({ state, reason, timestamp, testRunId }) => ({
        state,
        reason,
        hasRun: testRunId !== null,
        at: Date.parse(timestamp),
      })),
    };
  }

  async runs(): Promise<readonly SeenRun[]> {
    const rows = await this.prisma.testRun.findMany({
      where: { queueId: this.address.queueId, pushedAt: { not: null } },
      orderBy: { number: 'asc' },
      include: { members: { select: { position: true } } },
    });
    this.branches = new Set(rows.filter((row) => row.live).map((row) => row.branch));
    for (const row of rows) this.commits.set(row.number, row.commit ?? '');
    return rows.map((row): SeenRun => {
      const base = this.place.namesAt(row.baseCommit);
      return {
        number: row.number,
        kind: row.kind as RunKind,
        base,
        adds: this.place.namesAt(row.commit ?? '').filter((name) => !base.includes(name)),
        ownCount: row.members.length,
        requiredStatuses: row.requiredStatuses,
        pushedAt: row.pushedAt?.getTime() ?? 0,
        timeoutMinutes: Number(row.timeoutMinutes),
        standing: row.phase === 'testing' ? 'awaited' : row.live ? 'kept' : 'over',
      };
    });
  }

  async activeNumbers(): Promise<readonly number[]> {
    const { queueId } = this.address;
    const rows = await this.prisma.entry.findMany({ where: { queueId, concludedAt: null }, select: { number: true } });
    return rows.map((row) => row.number);
  }

  commitOf(run: number): string | undefined {
    return this.commits.get(run);
  }

  /**
   * Reports testing branches without a run. A branch is deleted after its run, but may still exist while tasks wait for
   * the host.
   */
  async orphanedBranches(): Promise<readonly string[]> {
    const orphans = this.place.testingBranches().filter((branch) => !this.branches.has(branch));
    if (orphans.length === 0) return [];
    const { queueId } = this.address;
    const waiting = await this.prisma.outboxTask.count({ where: { queueId, state: 'waiting' } });
    return waiting > 0 ? [] : [`testing branches without a run: ${orphans.join(' ')}`];
  }
}
