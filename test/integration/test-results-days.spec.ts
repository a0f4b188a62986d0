import { Client } from 'pg';
import { dayLockKey } from '../../src/modules/test-health/storage/days/day-lock';
import { DAY_MS } from '../../src/modules/test-health/rules/days';
import { sumDay } from '../../src/modules/test-health/storage/days/day-sums';
import { addRefusedUpload } from '../../src/modules/test-health/storage/queries/test-counts';
import { type GivenResult, TestResultsRig } from './test-results-rig';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const YESTERDAY = '2026-11-19';
const KEPT_DAYS = 10;
const SUMS_KEPT_DAYS = 30;

describe('A day of test results', () => {
  let rig: TestResultsRig;

  beforeAll(async () => {
    rig = await TestResultsRig.open(NOW, { testRetentionDays: KEPT_DAYS, retentionDays: SUMS_KEPT_DAYS });
  });

  beforeEach(async () => {
    rig.clock.advance(NOW.getTime() - rig.clock.now().getTime());
    await rig.empty();
    for (const partition of await rig.partitions()) {
      await rig.prisma.$executeRawUnsafe(`DROP TABLE test_results.${partition}`);
    }
  });

  afterAll(() => rig.close());

  const at = (time: string): Date => new Date(`${time}Z`);
  const result = (time: string, outcome: GivenResult['outcome'] = 'passed', test = 'adds'): GivenResult => ({
    test,
    at: at(time),
    outcome,
  });
  const upload = (results: readonly GivenResult[], more = {}) =>
    rig.upload({ results, receivedAt: rig.clock.now(), ...more });
  const totals = () => rig.prisma.$queryRaw<object[]>`
    SELECT day::text AS "day", branch_class::int AS "branch", passed, failed, skipped
    FROM test_results.day_total ORDER BY 1, 2`;
  const summedDays = async () => {
    const rows = await rig.prisma.$queryRaw<{ day: string }[]>`
      SELECT day::text AS "day" FROM test_results.summed_day ORDER BY 1`;
    return rows.map(({ day }) => day);
  };

  it('is summed by test and class of branch two hours after it is over', async () => {
    await upload([result('2026-11-19T00:00:00'), result('2026-11-19T23:59:59.999', 'failed')]);
    await upload([result('2026-11-19T10:00:00', 'skipped')], { branchClass: 'pull_request' });
    await upload([result('2026-11-18T23:59:59.999'), result('2026-11-20T00:00:00')]);
    rig.clock.advance(at('2026-11-20T01:59:59.999').getTime() - NOW.getTime());
    await rig.rollup.run();
    expect(await summedDays()).toEqual(['2026-11-18']);
    rig.clock.advance(1);
    await rig.rollup.run();
    expect(await summedDays()).toEqual(['2026-11-18', YESTERDAY]);
    expect(await totals()).toEqual([
      { day: '2026-11-18', branch: 2, passed: 1, failed: 0, skipped: 0 },
      { day: YESTERDAY, branch: 1, passed: 0, failed: 0, skipped: 1 },
      { day: YESTERDAY, branch: 2, passed: 1, failed: 1, skipped: 0 },
    ]);
  });

  it('includes late results in its sums, and counts no result twice', async () => {
    await upload([result('2026-11-19T10:00:00')]);
    await rig.rollup.run();
    await upload([result('2026-11-19T10:00:00', 'failed'), result('2026-11-19T11:00:00')]);
    await rig.rollup.run();
    expect(await totals()).toEqual([{ day: YESTERDAY, branch: 2, passed: 2, failed: 1, skipped: 0 }]);
  });

  it('is a day in UTC', async () => {
    const edges = [result('2026-11-19T00:00:00'), result('2026-11-19T23:59:59.999', 'failed')];
    await upload([...edges, result('2026-11-18T23:59:59.999')]);
    await sumDay(rig.sql, YESTERDAY, NOW);
    expect(await totals()).toEqual([{ day: YESTERDAY, branch: 2, passed: 1, failed: 1, skipped: 0 }]);
    await upload([...edges, result('2026-11-20T00:00:00')]);
    expect(await totals()).toEqual([{ day: YESTERDAY, branch: 2, passed: 2, failed: 2, skipped: 0 }]);
  });

  it('loses no result and counts none twice during parallel uploads and sums of two instances', async () => {
    await upload([result('2026-11-19T10:00:00')]);
    const results = Array.from({ length: 200 }, (_, i) => result('2026-11-19T10:00:00', 'passed', `test ${i}`));
    const some = (count: number) => Array.from({ length: count }, () => upload(results));
    const sums = () => Array.from({ length: 2 }, () => sumDay(rig.sql, YESTERDAY, NOW));
    await Promise.all([...some(6), ...sums(), ...some(6), ...sums()]);
    const [summed] = await rig.prisma.$queryRaw<{ passed: number }[]>`
      SELECT sum(passed)::int AS "passed" FROM test_results.day_total`;
    expect([await summedDays(), summed]).toEqual([[YESTERDAY], { passed: 12 * 200 + 1 }]);
  });

  it('is summed only after the uploads with its results have ended', async () => {
    await upload([result('2026-11-19T10:00:00')]);
    const holder = new Client({ connectionString: process.env.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock_shared($1)', [dayLockKey(YESTERDAY)]);
    const summing = sumDay(rig.sql, YESTERDAY, NOW);
    await Promise.race([summing, untilSomebodyWaits(holder)]);
    await holder.query(
      `INSERT INTO test_results.result (test_case_id, occurred_at, upload_id, outcome, branch_class, counted)
       VALUES (gen_random_uuid(), '2026-11-19T10:00:00Z', 1, 1, 2, true)`,
    );
    expect((await holder.query('SELECT 1 FROM test_results.summed_day')).rowCount).toBe(0);
    await holder.query('COMMIT');
    await holder.end();
    expect(await summing).toBe('done');
    const [sums] = await rig.prisma.$queryRaw<object[]>`
      SELECT sum(passed)::int AS "passed", sum(failed)::int AS "failed" FROM test_results.day_total`;
    expect(sums).toEqual({ passed: 1, failed: 1 });
  });

  async function untilSomebodyWaits(client: Client): Promise<void> {
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    while ((await client.query(waiting)).rowCount === 0);
  }

  it('is deleted with its groups of failures and its uploads when its days are over; its sums are kept longer', async () => {
    const old = '2026-11-10T10:00:00';
    rig.clock.advance(at(old).getTime() - NOW.getTime());
    await upload([result(old, 'failed'), result('2026-11-09T23:59:59.999')]);
    const { id } = await rig.prisma.testCase.findFirstOrThrow();
    const change = { testCaseId: id, at: at(old), reason: 'it failed' };
    await rig.prisma.testStatusChange.create({ data: { ...change, from: 'healthy', to: 'flaky' } });
    await rig.prisma.testQuarantineChange.create({
      data: { ...change, actor: null, setting: 'unspecified', quarantined: true },
    });
    await addRefusedUpload(rig.prisma, rig.repository.id, at(old));
    const kept = async () => {
      const [row] = await rig.prisma.$queryRaw<object[]>`
        SELECT (SELECT count(*)::int FROM test_results.failure_group) AS "groups",
          (SELECT count(*)::int FROM test_results.failure_message) AS "messages",
          (SELECT count(*)::int FROM test_results.refused_upload) AS "refused",
          (SELECT count(*)::int FROM test_results.upload_failure) AS "failures",
          (SELECT count(*)::int FROM "TestUpload") AS "uploads",
          (SELECT count(*)::int FROM test_results.day_total) AS "sums",
          (SELECT count(*)::int FROM "TestStatusChange") + (SELECT count(*)::int FROM "TestQuarantineChange") AS "history"`;
      return row;
    };

    const everything = { groups: 1, messages: 1, refused: 0, failures: 1, uploads: 1, sums: 2, history: 2 };
    rig.clock.advance(KEPT_DAYS * DAY_MS);
    await rig.rollup.run();
    expect([await rig.partitions(), await kept()]).toEqual([['result_20261110'], everything]);

    rig.clock.advance(14 * 3_600_000);
    await rig.rollup.run();
    expect([await rig.partitions(), await kept()]).toEqual([
      [],
      { groups: 0, messages: 0, refused: 0, failures: 0, uploads: 0, sums: 2, history: 2 },
    ]);

    rig.clock.advance((SUMS_KEPT_DAYS - KEPT_DAYS) * DAY_MS);
    await rig.rollup.run();
    expect(await kept()).toEqual({ groups: 0, messages: 0, refused: 0, failures: 0, uploads: 0, sums: 0, history: 0 });
    expect(await summedDays()).toEqual([]);
  });

  it('is deleted later if somebody is reading it', async () => {
    const old = '2026-11-01T10:00:00';
    rig.clock.advance(at(old).getTime() - NOW.getTime());
    await upload([result(old)]);
    rig.clock.advance((KEPT_DAYS + 2) * DAY_MS);
    const reader = new Client({ connectionString: process.env.DATABASE_URL });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM test_results.result');
    await rig.rollup.run();
    expect(await rig.partitions()).toEqual(['result_20261101']);
    await reader.query('COMMIT');
    await reader.end();
    await rig.rollup.run();
    expect(await rig.partitions()).toEqual([]);
  });

  it('is not deleted once the service stops', async () => {
    const rigOfAnother = await TestResultsRig.open(NOW, { testRetentionDays: KEPT_DAYS });
    await rigOfAnother.upload({ results: [result('2026-11-19T10:00:00')], receivedAt: NOW });
    await rigOfAnother.lifecycle.drain();
    await rigOfAnother.rollup.run();
    expect(await summedDays()).toEqual([]);
    await rigOfAnother.close();
  });
});
