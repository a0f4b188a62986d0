import type { PullRequestObservation } from '../../../src/domain/code-host.port';
import { decide } from '../../../src/engine/decide';
import type { QueueEvent } from '../../../src/engine/events';
import type { Landing, TestRun } from '../../../src/engine/model';
import { FLOW_AT_START } from '../../../src/engine/flow-state';
import { lockQueue } from '../../../src/processing/decisions/queue-lock';
import { QueueProcessor } from '../../../src/processing/decisions/queue-processor';
import { saveDecision } from '../../../src/processing/decisions/store/save-decision';
import { SnapshotLoader } from '../../../src/processing/decisions/store/snapshot-loader';
import { newId } from '../../../src/platform/ids';
import type { World } from '../../support/world';

/** `flow with areas`: waiting entries may be passed over, because they share areas with entries under test. */
export const BENCH_MODES = ['single', 'parallel', 'flow', 'flow with areas'] as const;
export type BenchMode = (typeof BENCH_MODES)[number];

/** Slots of a queue. In flow scheduling the pool has one more. */
const SLOTS: Record<BenchMode, number> = { single: 3, parallel: 3, flow: 2, 'flow with areas': 2 };
const FLOW = { scheduling: 'flow', canOptimisticallyMerge: true, bisectionConcurrency: 1 } as const;
/** Every pull request impacts its own target and one of the shared targets. */
const SHARED_TARGETS = 50;

/**
 * A queue with `depth` waiting entries while three more are tested. The benchmark drives the queue, and no command
 * reaches a host.
 */
export class DeepQueue {
  readonly millisecondsPerDecision: number[] = [];
  /** A function that is called around every decision. A benchmark may replace it. */
  around = async (_event: QueueEvent, decide: () => Promise<void>): Promise<void> => decide();
  private next: number;

  private constructor(
    private readonly world: World,
    readonly depth: number,
    readonly mode: BenchMode,
    private readonly id: string,
    private readonly branch: string,
    first: number,
  ) {
    this.next = first + depth + 1_000;
  }

  /** `first` is the number of the queue's first pull request. The queue's other pull requests have the next numbers. */
  static async fill(world: World, depth: number, mode: BenchMode, first: number): Promise<DeepQueue> {
    const branch = `${mode.replaceAll(' ', '-')}-${depth}`;
    world.memory.branches.set(branch, world.memory.tip('main').commit);
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: SLOTS[mode], ...settingsOf(mode) }, branch);
    const made = await world.prisma.queue.findFirstOrThrow({ where: { branch } });
    return DeepQueue.fillMade(world, made, depth, mode, first);
  }

  /** Fills an existing empty queue, which has the settings of the mode. */
  static async fillMade(
    world: World,
    { id, branch }: { readonly id: string; readonly branch: string },
    depth: number,
    mode: BenchMode,
    first: number,
  ): Promise<DeepQueue> {
    const slots = SLOTS[mode];
    const queue = new DeepQueue(world, depth, mode, id, branch, first);
    await queue.decideOn({ type: 'targetSeen', tip: { commit: newCommit(), tree: newCommit() }, seenAt: 1 });
    await queue.insertWaiting(first + slots, first + slots + depth - 1);
    if (mode === 'flow with areas') await queue.shareAreas();
    for (let number = first; number < first + slots; number++) {
      await queue.submit(number);
      await queue.pushRuns();
    }
    return queue;
  }

  /**
   * Makes four decisions, in which one pull request arrives, one lands, and the next one starts. The backlog stays the
   * same. In flow scheduling, every second passing pull request awaits a combined test, and lands with the next one.
   */
  async cycle(): Promise<void> {
    await this.submit(this.next++, 'timed');
    const passed = await this.passOldest();
    await this.decideOn({ type: 'statusReported', commit: passed.commit! }, 'timed');
    const landed = await this.landed(passed);
    if (landed) await this.decideOn(landed, 'timed');
    await this.pushRuns('timed');
    await this.world.prisma.outboxTask.deleteMany({ where: { queueId: this.id, settledAt: null } });
  }

  /**
   * The number of rows that PostgreSQL reads to decide on one submission and save the decision, from tables with a row
   * per waiting entry. Other tables may be read completely: their size depends only on work in progress.
   */
  async rowsRead(): Promise<number> {
    const observed = this.observation(this.next++);
    const event = this.submission(observed);
    const { app, sql, clock } = this.world;
    await this.observe(observed);
    return sql.transaction(
      async (tx) => {
        const lock = (await lockQueue(tx, this.id))!;
        const before = await counted();
        const snapshot = await app.get(SnapshotLoader).loadForDecision(lock, event, clock.now());
        const decision = decide(snapshot, event, clock.now().getTime());
        if (decision.type === 'refused') throw new Error(decision.refusal.message);
        await saveDecision(lock, snapshot, event, decision, clock.now());
        return (await counted()) - before;

        async function counted(): Promise<number> {
          const [row] = await tx.rows<{ rows: number }>`
          SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS "rows" FROM pg_stat_xact_user_tables
          WHERE relname IN ('Entry', 'PullRequest', 'ImpactedTargets')`;
          return row!.rows;
        }
      },
      { planner: 'by index' },
    );
  }

  private async submit(number: number, timed?: 'timed'): Promise<void> {
    const observed = this.observation(number);
    if (this.hasTargets) await this.giveTargets(number, number);
    await this.handle(this.submission(observed), [observed], timed);
  }

  private submission({ observedAt, ...seen }: PullRequestObservation): QueueEvent {
    const facts = { ...seen, seenAt: observedAt.getTime() };
    const { hasTargets } = this;
    return { type: 'pullRequestSubmitted', newEntryId: newId(), facts, hasTargets, via: 'api', actor: 'bench' };
  }

  private observation(number: number): PullRequestObservation {
    const said = { title: `Change ${number}`, body: '', author: 'ann', authorEmail: null, url: null };
    const stands = { state: 'open', draft: false, mergeability: 'mergeable' } as const;
    const observedAt = this.world.clock.now();
    return { number, ...said, ...stands, head: headOf(number), headBranch: null, base: this.branch, observedAt };
  }

  private async observe({ observedAt, stack: _none, ...seen }: PullRequestObservation): Promise<void> {
    const { head: headSha, base: baseBranch, ...same } = seen;
    if (this.hasTargets) await this.giveTargets(seen.number, seen.number);
    const repositoryId = await this.repositoryId();
    await this.world.prisma.pullRequest.create({
      data: { ...same, unmet: [], id: newId(), repositoryId, headSha, baseBranch, observedAt },
    });
  }

  private async passOldest(): Promise<TestRun> {
    const { snapshot } = await this.view();
    const run = [...snapshot.runs].sort((a, b) => a.place - b.place)[0];
    if (!run?.commit) throw new Error('Nothing is tested.');
    const now = this.world.clock.now();
    const report = { kind: 'status', name: 'tests', state: 'success', hostId: '1', hostTime: now, receivedAt: now };
    const repositoryId = await this.repositoryId();
    await this.world.prisma.commitStatus.create({ data: { ...report, repositoryId, sha: run.commit } });
    return run;
  }

  private async landed(run: TestRun): Promise<QueueEvent | null> {
    const { landing } = (await this.world.prisma.queue.findUniqueOrThrow({
      where: { id: this.id },
    })) as unknown as { landing: Landing | null };
    if (!landing && 'scheduling' in settingsOf(this.mode)) return null;
    if (!landing) throw new Error('No landing was ordered.');
    const tip = { commit: newCommit(), tree: run.tree! };
    const commits = (landing.changes ?? run.own).map(({ number }) => ({ number, ...tip }));
    return { type: 'landed', landing: landing.number, tip, commits, at: this.world.clock.now().getTime() };
  }

  private async pushRuns(timed?: 'timed'): Promise<void> {
    const { snapshot } = await this.view();
    for (const { number: run } of snapshot.runs.filter((other) => other.phase === 'building')) {
      const made = { branch: `sluice-merge/${run}`, commit: newCommit(), tree: newCommit() };
      const statuses = { requiredStatuses: ['tests'], source: 'merge_instance' } as const;
      const at = this.world.clock.now().getTime();
      await this.decideOn({ type: 'runPushed', run, ...made, ...statuses, at, seen: [] }, timed);
    }
  }

  private get hasTargets(): boolean {
    return this.mode === 'parallel' || this.mode === 'flow with areas';
  }

  /** Pretends that the queue has learned from two entries with a common area. */
  private async shareAreas(): Promise<void> {
    const flow = { ...FLOW_AT_START, learned: { ...FLOW_AT_START.learned, together: { yes: 0, no: 2 } } };
    await this.world.prisma.$executeRaw`
      UPDATE "Queue" SET "flow" = ${JSON.stringify(flow)}::jsonb WHERE "id" = ${this.id}::uuid`;
  }

  private decideOn(event: QueueEvent, timed?: 'timed'): Promise<void> {
    return this.handle(event, [], timed);
  }

  private async handle(
    event: QueueEvent,
    observed: readonly PullRequestObservation[],
    timed: 'timed' | undefined,
  ): Promise<void> {
    const processor = this.world.app.get(QueueProcessor);
    await this.around(event, async () => {
      const began = performance.now();
      const handled = await processor.processEvent(this.id, { event, observed });
      if (timed) this.millisecondsPerDecision.push(performance.now() - began);
      if (handled.type !== 'decided') throw new Error(`${event.type} was not decided on`);
    });
  }

  private view(): ReturnType<QueueProcessor['view']> {
    return this.world.app.get(QueueProcessor).view(this.id, { numbers: [] });
  }

  private async repositoryId(): Promise<string> {
    return (await this.world.prisma.queue.findUniqueOrThrow({ where: { id: this.id } })).repositoryId;
  }

  /** Pretends that these pull requests were submitted one after another. */
  private async insertWaiting(from: number, to: number): Promise<void> {
    const { prisma, clock } = this.world;
    const repositoryId = await this.repositoryId();
    const now = clock.now();
    await prisma.$executeRaw`
      INSERT INTO "PullRequest" ("id", "repositoryId", "number", "title", "body", "author", "headSha", "baseBranch",
        "state", "draft", "mergeability", "observedAt")
      SELECT gen_random_uuid(), ${repositoryId}::uuid, n, 'Change ' || n, '', 'ann', lpad(to_hex(n), 40, '0'),
        ${this.branch}, 'open', false, 'mergeable', ${now}
      FROM generate_series(${from}::int, ${to}::int) n`;
    await prisma.$executeRaw`
      INSERT INTO "Entry" ("id", "queueId", "pullRequestId", "number", "attempt", "state", "stateChangedAt", "head",
        "priority", "usedDefaultPriority", "noBatch", "pendingRank", "returnedOrder", "submittedOrder", "placeIndex",
        "urgentInLine", "submittedAt", "evaluatedMode", "timesAsked", "pendingSince", "firstPendingAt")
      SELECT gen_random_uuid(), ${this.id}::uuid, p."id", p."number", 1, 'pending', ${now}, p."headSha", 100, true,
        false, 2, 0, p."number", 0, false, ${now}, ${this.mode === 'parallel' ? 'parallel' : 'single'}, 0, ${now}, ${now}
      FROM "PullRequest" p WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" BETWEEN ${from} AND ${to}`;
    await prisma.queue.update({ where: { id: this.id }, data: { nextOrder: to + 1 } });
    await this.giveTargets(from, to);
  }

  private async giveTargets(from: number, to: number): Promise<void> {
    const repositoryId = await this.repositoryId();
    await this.world.prisma.$executeRaw`
      INSERT INTO "ImpactedTargets" ("repositoryId", "number", "sha", "all", "targetCount", "names", "hashes", "updatedAt")
      SELECT ${repositoryId}::uuid, n, lpad(to_hex(n), 40, '0'), false, 2, '{}',
        ARRAY[n % ${SHARED_TARGETS}::int, 1000000 + n]::bigint[], ${this.world.clock.now()}
      FROM generate_series(${from}::int, ${to}::int) n`;
  }
}

function settingsOf(mode: BenchMode): object {
  return mode === 'single' || mode === 'parallel' ? { mode } : FLOW;
}

function headOf(number: number): string {
  return number.toString(16).padStart(40, '0');
}

function newCommit(): string {
  return `${newId()}${newId()}`.replaceAll('-', '').slice(0, 40);
}
