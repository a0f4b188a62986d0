import { Injectable } from '@nestjs/common';
import type { BranchPush } from '../../domain/code-host.port';
import { Config } from '../../platform/config/config';
import { Sql } from '../../platform/database/sql';
import { QueueProcessor } from '../decisions/queue-processor';

interface BranchPlace {
  readonly repositoryId: string;
  readonly branch: string;
}

interface TestOnBranch {
  readonly queueId: string;
  readonly commit: string;
}

/**
 * Handles pushes by others to testing branches. The service pushes each testing branch once, and removes it when its
 * test run ends.
 */
@Injectable()
export class TestingBranches {
  constructor(
    private readonly sql: Sql,
    private readonly processor: QueueProcessor,
    private readonly config: Config,
  ) {}

  async onPush(place: BranchPlace, moved: BranchPush | undefined): Promise<void> {
    if (moved === undefined || !place.branch.startsWith(`${this.config.brand}-merge/`)) return;
    const tested = await this.testOn(place);
    if (tested === null || tested.commit === moved.commit) return;
    const event = { type: 'testingBranchMoved', commit: tested.commit, moved } as const;
    await this.processor.processEvent(tested.queueId, { event });
  }

  /** The test run on the branch; null if no run awaits statuses there. */
  private async testOn({ repositoryId, branch }: BranchPlace): Promise<TestOnBranch | null> {
    const [run] = await this.sql.rows<TestOnBranch>`/* testing-branches testOn */
      SELECT r."queueId", r."commit" FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id" AND r."live"
      WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL AND r."phase" = 'testing' AND r."branch" = ${branch}
      LIMIT 1`;
    return run ?? null;
  }
}
