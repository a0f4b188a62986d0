import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { PrismaService, type Tx } from '../../../platform/database/prisma.service';
import { keepSettings } from '../settings';
import { type ClaimedTest, claimDueTests, claimTests } from './due-tests';
import { judgeClaimed } from './evaluate-claimed';

/** Tests of one transaction: it is over in well under a second. */
const BATCH = 200;
const LIMITS = { maxWait: 10_000, timeout: 30_000 };

/** Judges tests by what arrived for them. What a transaction claims and does not finish is due as before. */
@Injectable()
export class MonitorsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  /**
   * Judges these tests at once, those left out that another transaction holds: they stay due. For an upload, right after
   * it has committed.
   */
  async judge(testCaseIds: readonly string[]): Promise<void> {
    for (let first = 0; first < testCaseIds.length; first += BATCH) {
      const ids = testCaseIds.slice(first, first + BATCH);
      await this.judgeClaimedBy((tx) => claimTests(tx, ids));
    }
  }

  /** Judges at most so many of the tests that are due now. Fewer than that: no others are, or they are held. */
  judgeDue(limit = BATCH): Promise<number> {
    return this.judgeClaimedBy((tx, now) => claimDueTests(tx, limit, now));
  }

  private judgeClaimedBy(claim: (tx: Tx, now: Date) => Promise<readonly ClaimedTest[]>): Promise<number> {
    const now = this.clock.now();
    return this.prisma.$transaction(async (tx) => {
      await keepSettings(tx);
      const tests = await claim(tx, now);
      await judgeClaimed(tx, tests, now);
      return tests.length;
    }, LIMITS);
  }
}
