import type { Tx } from '../../../../platform/database/prisma.service';
import { DAY_MS } from '../../rules/days';
import { retiredBefore } from '../../rules/live-tests';
import { evaluateTest } from '../../rules/evaluate-test';
import { type HealthStatus, MAX_WINDOW_DAYS, type Monitor } from '../../rules/settings';
import { readFacts } from './read-facts';

/** Tests per query, so that each query takes well under a second. */
const BATCH = 200;
/** The maximum number of tests in a preview, which takes a few seconds. */
const MOST_TESTS = 5_000;

export interface PreviewedTest extends Row {
  readonly wouldBe: HealthStatus;
  readonly reason: string;
}

export interface Preview {
  /** Every test that is not healthy now, or would not be healthy with the new monitors; ordered by id. */
  readonly tests: readonly PreviewedTest[];
  readonly evaluated: number;
  readonly isComplete: boolean;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: HealthStatus;
}

/**
 * Evaluates monitors on the stored results. Changes nothing. All tests without a recent failure are healthy, so they
 * are not evaluated.
 */
export async function previewMonitors(
  tx: Tx,
  repositoryId: string,
  monitors: readonly Monitor[],
  now: Date,
): Promise<Preview> {
  const failedAfter = new Date(now.getTime() - MAX_WINDOW_DAYS * DAY_MS);
  const rows = await tx.$queryRaw<Row[]>`/* preview previewMonitors */
    SELECT "id", "name", "status" FROM "TestCase"
    WHERE "repositoryId" = ${repositoryId}::uuid AND "lastSeenAt" > ${retiredBefore(now)}
      AND ("status" <> 'healthy' OR "lastFailedAt" > ${failedAfter})
    ORDER BY "id" LIMIT ${MOST_TESTS + 1}`;
  const looked = rows.slice(0, MOST_TESTS);
  const tests: PreviewedTest[] = [];
  for (let first = 0; first < looked.length; first += BATCH) {
    tests.push(...(await previewBatch(tx, repositoryId, looked.slice(first, first + BATCH), { monitors, now })));
  }
  return { tests, evaluated: looked.length, isComplete: rows.length <= MOST_TESTS };
}

async function previewBatch(
  tx: Tx,
  repositoryId: string,
  rows: readonly Row[],
  { monitors, now }: { readonly monitors: readonly Monitor[]; readonly now: Date },
): Promise<PreviewedTest[]> {
  const ids = rows.map(({ id }) => id);
  const facts = await readFacts(tx, { repositoryId, ids, now }, monitors);
  const mutes = await tx.testMute.findMany({ where: { testCaseId: { in: ids } } });
  return rows.flatMap(({ id, name, status }) => {
    const own = mutes.filter(({ testCaseId }) => testCaseId === id);
    const before = { status, statusReason: '', isFromPullRequests: false, alarms: [], mutes: own };
    const { status: wouldBe, statusReason: reason } = evaluateTest(monitors, before, facts.get(id)!, now);
    return status === 'healthy' && wouldBe === 'healthy' ? [] : [{ id, name, status, wouldBe, reason }];
  });
}
