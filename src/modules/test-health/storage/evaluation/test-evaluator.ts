import { Injectable } from '@nestjs/common';
import type { TestAlarm, TestMute } from '../../../../generated/prisma/client';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService, type Tx } from '../../../../platform/database/prisma.service';
import { type Alarm, evaluateTest } from '../../rules/evaluate-test';
import { quarantineOf } from '../../rules/quarantine';
import type { UnhealthyStatus } from '../../rules/settings';
import { evidenceOf } from '../evidence';
import { lockSettingsToRead, readSettings } from '../settings';
import { type ClaimedTest, claimDueTests, claimTests } from './due-tests';
import { readFacts } from './read-facts';
import { type EvaluatedClaim, writeEvaluations } from './write-evaluations';

/** Tests per transaction, so that each transaction takes well under a second. */
const BATCH = 200;

/** Evaluates tests. When a transaction fails, its tests stay due. */
@Injectable()
export class TestEvaluator {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  /** Evaluates the given tests now. Skips tests that another transaction has locked; skipped tests stay due. */
  async evaluate(testCaseIds: readonly string[]): Promise<void> {
    for (let first = 0; first < testCaseIds.length; first += BATCH) {
      const ids = testCaseIds.slice(first, first + BATCH);
      await this.evaluateClaimedBy((tx) => claimTests(tx, ids));
    }
  }

  /**
   * Evaluates at most `limit` due tests and returns their number. Fewer than `limit`: all other tests are locked, or
   * not due.
   */
  evaluateDue(limit = BATCH): Promise<number> {
    return this.evaluateClaimedBy((tx, now) => claimDueTests(tx, limit, now));
  }

  private evaluateClaimedBy(claim: (tx: Tx, now: Date) => Promise<readonly ClaimedTest[]>): Promise<number> {
    const now = this.clock.now();
    return this.prisma.$transaction(async (tx) => {
      await lockSettingsToRead(tx);
      const tests = await claim(tx, now);
      await evaluateClaimed(tx, tests, now);
      return tests.length;
    });
  }
}

/** Evaluates tests that the transaction has locked. Writes changed alarms, statuses and quarantines. */
export async function evaluateClaimed(tx: Tx, tests: readonly ClaimedTest[], now: Date): Promise<void> {
  if (tests.length === 0) return;
  const ids = tests.map(({ id }) => id);
  await tx.testMute.deleteMany({ where: { testCaseId: { in: ids }, until: { lte: now } } });
  const alarms = byTest(await tx.testAlarm.findMany({ where: { testCaseId: { in: ids } } }));
  const mutes = byTest(await tx.testMute.findMany({ where: { testCaseId: { in: ids } } }));
  for (const repositoryId of new Set(tests.map((test) => test.repositoryId))) {
    const own = tests.filter((test) => test.repositoryId === repositoryId);
    await writeEvaluations(tx, await evaluateRepository(tx, { repositoryId, tests: own, alarms, mutes, now }), now);
  }
}

interface Claim {
  readonly repositoryId: string;
  readonly tests: readonly ClaimedTest[];
  readonly alarms: ReadonlyMap<string, readonly TestAlarm[]>;
  readonly mutes: ReadonlyMap<string, readonly TestMute[]>;
  readonly now: Date;
}

async function evaluateRepository(tx: Tx, claim: Claim): Promise<EvaluatedClaim[]> {
  const { repositoryId, tests, now } = claim;
  const settings = await readSettings(tx, repositoryId);
  const facts = await readFacts(tx, { repositoryId, ids: tests.map(({ id }) => id), now }, settings.monitors);
  return tests.map((test) => {
    const alarms = (claim.alarms.get(test.id) ?? []).map(alarmOf);
    const before = { ...test, alarms, mutes: claim.mutes.get(test.id) ?? [] };
    const after = evaluateTest(settings.monitors, before, facts.get(test.id)!, now);
    const standing = { ...after, isOutsideTests: test.isOutsideTests };
    return { before, after, quarantine: quarantineOf(test.quarantineSetting, standing, settings) };
  });
}

function alarmOf({ testCaseId: _testCaseId, verdict, evidence, ...alarm }: TestAlarm): Alarm {
  return { ...alarm, verdict: verdict as UnhealthyStatus, evidence: evidenceOf(evidence) };
}

function byTest<Row extends { readonly testCaseId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) found.set(row.testCaseId, [...(found.get(row.testCaseId) ?? []), row]);
  return found;
}
