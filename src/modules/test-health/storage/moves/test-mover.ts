import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { changeRecorded } from '../../../../platform/audit/audit-log';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService, type Tx } from '../../../../platform/database/prisma.service';
import { BackgroundJob } from '../../../../platform/lifecycle/background-job';
import { Lifecycle } from '../../../../platform/lifecycle/lifecycle';
import { DAY_MS } from '../../rules/days';
import { findMovedTests, mistakenMoves, MOST_PAIRS } from './find-moved-tests';
import { moveTest } from './move-test';
import { undoMove } from './undo-move';

const EVERY_MS = 3_600_000;
const ACTIVE_FOR_MS = 2 * DAY_MS;
const BY_SERVICE = { actor: 'sluice', channel: 'service', address: null } as const;

interface MovedRepository {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/**
 * Moves tests with exactly one candidate, every hour, and undoes automatic moves that turn out to be mistakes. Any
 * number of instances may run it at once: each move is one transaction, and a second process finds no test to move.
 */
@Injectable()
export class TestMover implements OnApplicationBootstrap {
  private readonly logger = new Logger(TestMover.name);
  private inProgress?: Promise<void>;
  /** The number of pairs per search. Further pairs are found when these tests have moved. */
  protected readonly mostPairs: number = MOST_PAIRS;

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('moved tests', async () => this.inProgress);
  }

  /** A call during a run joins that run. */
  @BackgroundJob({ name: 'moved tests', everyMs: EVERY_MS })
  run(): Promise<void> {
    this.inProgress ??= this.moveAll().finally(() => (this.inProgress = undefined));
    return this.inProgress;
  }

  private async moveAll(): Promise<void> {
    const active = new Date(this.clock.now().getTime() - ACTIVE_FOR_MS);
    const repositories = await this.prisma.$queryRaw<MovedRepository[]>`/* test-mover moveAll */
      SELECT r."id", r."organizationId", r."host" || '/' || r."owner" || '/' || r."name" AS name FROM "Repository" r
      WHERE EXISTS (SELECT 1 FROM "TestUpload" u WHERE u."repositoryId" = r."id" AND u."receivedAt" > ${active})
      ORDER BY r."id"`;
    for (const repository of repositories) {
      if (this.lifecycle.isStopping) return;
      try {
        await this.undoMistakes(repository);
        await this.moveTests(repository);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.logger.warn(`Could not look for moved tests of ${repository.name}; trying again in an hour: ${message}`);
      }
    }
  }

  private async moveTests(repository: MovedRepository): Promise<void> {
    while (!this.lifecycle.isStopping && (await this.moveFound(repository)) > 0);
  }

  /** @returns the number of moved tests */
  private async moveFound(repository: MovedRepository): Promise<number> {
    let moved = 0;
    const found = await findMovedTests(this.prisma, repository.id, this.clock.now(), this.mostPairs);
    for (const { from, to, line } of found.filter((one) => one.isOnlyCandidate && one.line !== '')) {
      const reason = `a test of the same name and class ran on ${line} in its place`;
      await this.prisma.$transaction(async (tx) => {
        const now = this.clock.now();
        const wanted = { repositoryId: repository.id, from, to, actor: null, reason, line, now };
        const outcome = await moveTest(tx, wanted);
        if (outcome.type !== 'moved') return;
        await this.record(tx, repository, 'test.moved', { from, to, reason });
        moved++;
      });
    }
    return moved;
  }

  private async undoMistakes(repository: MovedRepository): Promise<void> {
    const reason = 'tests of both names ran since';
    for (const id of await mistakenMoves(this.prisma, repository.id))
      await this.prisma.$transaction(async (tx) => {
        const wanted = { repositoryId: repository.id, id, actor: null, reason, now: this.clock.now() };
        const outcome = await undoMove(tx, wanted);
        if (outcome.type !== 'undone') return;
        await this.record(tx, repository, 'test.move_undone', { from: outcome.from, to: outcome.to, reason });
      });
  }

  private async record(
    tx: Tx,
    { id: repositoryId, organizationId, name }: MovedRepository,
    action: 'test.moved' | 'test.move_undone',
    { from, to, reason }: { readonly from: string; readonly to: string; readonly reason: string },
  ): Promise<void> {
    const [before, after] = action === 'test.moved' ? [to, from] : [from, to];
    await tx.$executeRaw(
      changeRecorded({
        ...{ at: this.clock.now(), by: BY_SERVICE, organizationId, repositoryId, action },
        ...{ subject: `${name} ${from}`, from: { test_case_id: before }, to: { test_case_id: after, reason } },
      }),
    );
  }
}
