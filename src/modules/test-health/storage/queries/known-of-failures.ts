import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { HealthStatus } from '../../rules/settings';

/** The described history: a week for a healthy test, a month for other tests. */
const DAYS = { healthy: 7, other: 30 } as const;
/**
 * The maximum number of runs for each test, so that a test that runs in every pull request does not cost more than
 * other tests.
 */
const MOST_RUNS = 1_000;

/** The known history of a test that failed in an upload, and the message of the failure. */
export interface KnownOfFailure {
  readonly id: string;
  /** The start of the test's quarantine, or else of its status. */
  readonly since: Date;
  readonly reason: string;
  /** Whether the test passed on a retry in the same upload. */
  readonly passedOnRetry: boolean;
  readonly owners: readonly string[];
  /** `ran` and `failed` count earlier runs in this number of days; `ran` is at most 1,000. */
  readonly days: number;
  readonly ran: number;
  readonly failed: number;
  /** The time of the test's latest earlier failure outside pull requests. */
  readonly lastFailedAt: Date | null;
  /** The branch of that failure; null: a testing branch. */
  readonly lastFailedOn: string | null;
  /**
   * The message without secrets; empty when the report has no message, or when more tests failed than messages are
   * kept.
   */
  readonly message: string;
  readonly stack: string;
}

interface Failed {
  readonly id: string;
  readonly status: string;
  readonly quarantined: boolean;
}

/** The known history by test id. `upload`: the id of the upload, which grows with time. */
export async function knownOfFailures(
  prisma: PrismaService,
  upload: { readonly id: bigint; readonly receivedAt: Date },
  tests: readonly Failed[],
): Promise<ReadonlyMap<string, KnownOfFailure>> {
  if (tests.length === 0) return new Map();
  const days = tests.map(({ status, quarantined }) => daysOf(status as HealthStatus, quarantined));
  const rows = await prisma.$queryRaw<KnownOfFailure[]>`/* known-of-failures knownOfFailures */
    SELECT t."id", coalesce(t."quarantinedAt", t."statusChangedAt") AS "since", t."statusReason" AS "reason",
      t."codeowners" AS "owners", k.days AS "days", history.ran AS "ran", history.failed AS "failed",
      last.at AS "lastFailedAt", last.branch AS "lastFailedOn",
      coalesce(m.message, '') AS "message", coalesce(m.stack, '') AS "stack",
      EXISTS (SELECT 1 FROM test_results.result r
        WHERE r.test_case_id = k.id AND r.upload_id = ${upload.id} AND r.outcome = 0) AS "passedOnRetry"
    FROM unnest(${tests.map(({ id }) => id)}::uuid[], ${days}::int[]) AS k (id, days) JOIN "TestCase" t ON t."id" = k.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS ran, (count(*) FILTER (WHERE latest.outcome = 1))::int AS failed FROM (
        SELECT r.outcome FROM test_results.result r
        WHERE r.test_case_id = k.id AND r.upload_id < ${upload.id} AND r.outcome <> 2 AND r.counted
          AND r.occurred_at > ${upload.receivedAt}::timestamptz - make_interval(days => k.days)
        ORDER BY r.occurred_at DESC LIMIT ${MOST_RUNS}
      ) latest
    ) history
    LEFT JOIN LATERAL (
      SELECT r.occurred_at AS at, CASE r.branch_class WHEN 2 THEN u."branch" END AS branch
      FROM test_results.result r LEFT JOIN "TestUpload" u ON u."id" = r.upload_id
      WHERE r.test_case_id = k.id AND r.upload_id < ${upload.id} AND r.outcome = 1 AND r.counted AND r.branch_class <> 1
      ORDER BY r.occurred_at DESC LIMIT 1
    ) last ON true
    LEFT JOIN LATERAL (
      SELECT f.message, f.stack FROM test_results.failure_message f
      WHERE f.test_case_id = k.id AND f.upload_id = ${upload.id} ORDER BY f.failed_at DESC LIMIT 1
    ) m ON true`;
  return new Map(rows.map((row) => [row.id, row]));
}

function daysOf(status: HealthStatus, quarantined: boolean): number {
  return status === 'healthy' && !quarantined ? DAYS.healthy : DAYS.other;
}
