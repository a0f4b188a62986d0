import fc from 'fast-check';
import { leastShare } from '../../src/modules/test-health/rules/confidence';
import { matchesGlob } from '../../src/domain/glob-set';
import { branchFilter } from '../../src/modules/test-health/rules/branches';
import {
  DEFAULT_MONITORS,
  DEFAULT_TEST_HEALTH_SETTINGS,
  type FailureCountMonitor,
  type FailureRateMonitor,
  type Monitor,
} from '../../src/modules/test-health/rules/settings';
import { lockSettingsToWrite, writeSettings } from '../../src/modules/test-health/storage/settings';
import { MonitoredTests, type Outcome, type Result, shaOf, START } from './monitored-tests';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETRY = DEFAULT_MONITORS[0]!;

const RATE: FailureRateMonitor = {
  type: 'failure_rate',
  name: 'often on main',
  enabled: true,
  windowHours: 24,
  threshold: 0.5,
  minimumRuns: 4,
  branches: ['main', 'release/*'],
  verdict: 'broken',
};
const COUNT: FailureCountMonitor = {
  type: 'failure_count',
  name: 'in the queue',
  enabled: true,
  windowHours: 6,
  threshold: 2,
  minimumRuns: 1,
  branches: ['queue'],
  verdict: 'flaky',
};

describe('The monitors of a repository', () => {
  const world = new MonitoredTests();

  afterAll(() => world.connections.close());

  async function locksWaitedFor(): Promise<number> {
    const [row] = await world.prisma.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;
    return row!.waiting;
  }

  /** Makes the test flaky by a failure and a pass on one commit. */
  async function flake(test: string): Promise<void> {
    await world.result(test, 'failed', { commit: shaOf('flaky') });
    await world.result(test, 'passed', { commit: shaOf('flaky') });
  }

  describe('evaluate results', () => {
    beforeEach(() => world.empty({ quarantineEnabled: true, autoQuarantine: true }));

    it('of two jobs separately: a failure in one job and a pass in the other is no retry', async () => {
      const on = (job: string) => ({ commit: shaOf('1'), job });
      await world.result('clicks', 'failed', on('CI / test (windows)'));
      await world.result('clicks', 'passed', on('CI / test (linux)'));
      await world.result('clicks', 'passed', on(''));
      await world.evaluator.evaluate([world.idOf('clicks')]);
      expect(await world.statusOf('clicks')).toBe('healthy');
      await world.result('clicks', 'passed', on('CI / test (windows)'));
      await world.evaluator.evaluate([world.idOf('clicks')]);
      expect(await world.statusOf('clicks')).toBe('flaky');
    });

    it('of one attempt together: several failures in the attempt count as one', async () => {
      await world.settings({ monitors: [{ ...COUNT, branches: [] }] });
      for (const outcome of ['failed', 'failed', 'passed'] as const)
        await world.result('clicks', outcome, { attempt: '1/1' });
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('healthy');
      await world.result('clicks', 'failed', { attempt: '1/2' });
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('flaky');
    });

    it('with one failure for each condition of an attempt, however often a test failed in it', async () => {
      await world.settings({ monitors: [{ ...COUNT, branches: [] }] });
      for (const conditions of ['node 18.20', 'node 22.13']) {
        await world.result('one job', 'failed', { attempt: '1/1', conditions: 'node 18.20' });
        await world.result('two jobs', 'failed', { attempt: '1/1', conditions });
      }
      await world.evaluateAllDue();
      expect([await world.statusOf('one job'), await world.statusOf('two jobs')]).toEqual(['healthy', 'flaky']);
    });

    it('with a retry that lies behind many uploads of the same job with other conditions', async () => {
      const under = (conditions: string) => ({ commit: shaOf('busy'), conditions });
      await world.result('clicks', 'failed', under('node 18.20'));
      world.clock.advance(1_000);
      for (let upload = 0; upload < 100; upload++) await world.result('clicks', 'passed', under('node 22.13'));
      world.clock.advance(1_000);
      await world.result('clicks', 'passed', under('node 18.20'));
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('flaky');
    });

    it('of one attempt by its worst upload, and every upload if the attempt is unknown', async () => {
      await world.settings({ monitors: [{ ...RATE, branches: [], minimumRuns: 8, threshold: 0.6 }] });
      for (let run = 0; run < 8; run++) {
        for (const outcome of ['failed', 'passed', 'passed'] as const) {
          await world.result('one', outcome, { commit: shaOf(`${run}`), attempt: '1/1' });
          await world.result('each', outcome, { commit: shaOf(`${run}`), attempt: '' });
        }
      }
      await world.evaluateAllDue();
      expect([await world.statusOf('one'), await world.statusOf('each')]).toEqual(['broken', 'healthy']);
    });

    it('of a commit on which one matrix job fails as a failure, whatever else passed', async () => {
      const legs = async (test: string, commit: number, attempts: readonly (readonly [Outcome, string])[]) => {
        world.clock.advance(HOUR_MS);
        for (const [outcome, attempt] of attempts)
          await world.result(test, outcome, { commit: shaOf(`${commit}`), attempt });
      };
      for (let commit = 0; commit < 20; commit++)
        for (const test of ['legs', 'tries']) await legs(test, commit, [['passed', '1']]);
      for (let commit = 20; commit < 24; commit++) {
        await legs('legs', commit, [
          ['failed', '1'],
          ['passed', '1'],
          ['passed', '2'],
        ]);
        await legs('tries', commit, [
          ['failed', '1'],
          ['passed', '2'],
        ]);
      }
      await world.evaluateAllDue();
      expect([await world.statusOf('legs'), await world.statusOf('tries')]).toEqual(['broken', 'flaky']);
    });

    it('by storing status, history with a reason, and resulting quarantine in one transaction', async () => {
      await world.result('clicks', 'failed', { commit: shaOf('1') });
      await world.result('clicks', 'passed', { commit: shaOf('2') });
      await world.evaluator.evaluate([world.idOf('clicks')]);
      expect([await world.statusOf('clicks'), await world.history('clicks')]).toEqual(['healthy', []]);

      await world.result('clicks', 'passed', { commit: shaOf('1'), branch: 'other' });
      await world.evaluator.evaluate([world.idOf('clicks')]);
      const reason = `failed and passed on commit ${shaOf('1').slice(0, 7)}`;
      expect(await world.history('clicks')).toEqual([{ at: START, from: 'healthy', to: 'flaky', reason }]);
      expect(await world.prisma.testCase.findFirst()).toMatchObject({
        status: 'flaky',
        statusReason: reason,
        statusChangedAt: START,
        quarantined: true,
        quarantinedAt: START,
      });
      expect(await world.prisma.testQuarantineChange.findMany()).toMatchObject([
        { at: START, actor: null, setting: 'unspecified', quarantined: true },
      ]);
      expect(await world.due()).toBe(0);
    });

    it('with the same verdict if the pass arrives before the failure', async () => {
      await world.result('clicks', 'passed');
      await world.result('clicks', 'failed');
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('flaky');
    });

    it('except the results of an ignored upload', async () => {
      await world.result('clicks', 'failed');
      await world.result('clicks', 'passed', { counted: false });
      await world.evaluator.evaluate([world.idOf('clicks')]);
      expect(await world.statusOf('clicks')).toBe('healthy');
    });

    it('without changing the start time of the status "flaky" if only the quarantine changes', async () => {
      await world.settings({ quarantineEnabled: true });
      await flake('clicks');
      await world.evaluateAllDue();
      world.clock.advance(HOUR_MS);
      await world.settings({ quarantineEnabled: true, autoQuarantine: true });
      await world.evaluator.evaluate([world.idOf('clicks')]);
      expect(await world.prisma.testCase.findFirst()).toMatchObject({
        statusChangedAt: START,
        quarantined: true,
        quarantinedAt: new Date(START.getTime() + HOUR_MS),
      });
    });

    it('without a change when they evaluate the same results again', async () => {
      await world.settings({ monitors: [RETRY, { ...COUNT, threshold: 1, branches: [] }] });
      await flake('clicks');
      const rows = async () => [
        await world.prisma.testCase.findMany(),
        await world.prisma.testAlarm.findMany({ orderBy: { monitor: 'asc' } }),
        await world.history('clicks'),
        await world.prisma.testQuarantineChange.count(),
      ];
      await world.evaluateAllDue();
      const before = await rows();
      expect(before[1]).toHaveLength(2);
      await world.evaluator.evaluate([world.idOf('clicks')]);
      expect(await rows()).toEqual(before);
    });
  });

  describe('let a test recover after some time', () => {
    beforeEach(() => world.empty({ quarantineEnabled: true, autoQuarantine: true }));

    it('seven quiet days after it was flaky, and not earlier', async () => {
      await flake('clicks');
      await world.evaluateAllDue();
      world.clock.advance(7 * DAY_MS - 1);
      expect(await world.evaluator.evaluateDue()).toBe(0);
      world.clock.advance(1);
      expect(await world.evaluator.evaluateDue()).toBe(1);
      expect(await world.prisma.testCase.findFirst()).toMatchObject({
        status: 'healthy',
        statusReason: 'has not failed and passed on one commit for 7 days',
        quarantined: false,
        quarantinedAt: null,
      });
      expect((await world.history('clicks')).map(({ to }) => to)).toEqual(['flaky', 'healthy']);
      expect(await world.prisma.testQuarantineChange.count()).toBe(2);
      expect(await world.evaluator.evaluateDue()).toBe(0);
    });

    it('later if the test was flaky again meanwhile, although no evaluation ran then', async () => {
      await flake('clicks');
      await world.evaluateAllDue();
      world.clock.advance(3 * DAY_MS);
      await world.result('clicks', 'failed', { commit: shaOf('2') });
      await world.result('clicks', 'passed', { commit: shaOf('2') });
      await world.prisma.$executeRaw`DELETE FROM test_results.judgement_due`;
      world.clock.advance(4 * DAY_MS);
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('flaky');
      world.clock.advance(3 * DAY_MS);
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('healthy');
    });

    it('when its failures are older than the window of the monitor that counts failures', async () => {
      await world.settings({ monitors: [COUNT] });
      const inQueue = { branchClass: 'queue', branch: 'sluice-merge/pr-1/x' } as const;
      await world.result('clicks', 'failed', inQueue);
      world.clock.advance(HOUR_MS);
      await world.result('clicks', 'failed', inQueue);
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('flaky');
      world.clock.advance(5 * HOUR_MS);
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('healthy');
    });
  });

  describe('when they are muted', () => {
    beforeEach(() => world.empty());

    it('do not count until the mute ends, and then count at once', async () => {
      await world.result('clicks', 'failed');
      await world.mute('clicks', RETRY.name, new Date(START.getTime() + DAY_MS));
      await world.result('clicks', 'passed');
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('healthy');
      expect(await world.prisma.testAlarm.count()).toBe(1);
      world.clock.advance(DAY_MS - 1);
      expect(await world.evaluator.evaluateDue()).toBe(0);
      world.clock.advance(1);
      expect(await world.evaluator.evaluateDue()).toBe(1);
      expect(await world.statusOf('clicks')).toBe('flaky');
      expect(await world.prisma.testMute.count()).toBe(0);
      expect(await world.evaluator.evaluateDue()).toBe(0);
    });
  });

  describe('evaluated by several processes', () => {
    beforeEach(() => world.empty());

    it('evaluate a test only once', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `test ${index}`);
      const results = (outcome: Outcome) => names.map((test): Result => ({ test, outcome, at: START }));
      await world.upload({}, results('failed'));
      await world.upload({}, results('passed'));
      const ids = names.map((name) => world.idOf(name));
      const evaluated = await Promise.all([
        ...[1, 2, 3].map(() => world.evaluator.evaluateDue(30)),
        world.evaluator.evaluate(ids).then(() => 0),
      ]);
      await world.evaluateAllDue();
      expect(Math.max(...evaluated)).toBeLessThanOrEqual(30);
      expect(await world.prisma.testStatusChange.count()).toBe(40);
      expect(await world.prisma.testAlarm.count()).toBe(40);
    });

    it('skip a test that an upload has locked, without waiting, and evaluate it afterwards', async () => {
      await flake('held');
      await flake('free');
      const id = world.idOf('held');
      await world.prisma.$transaction(async (upload) => {
        await upload.$executeRaw`UPDATE "TestCase" SET "lastFailedAt" = ${START} WHERE "id" = ${id}::uuid`;
        expect(await world.evaluator.evaluateDue()).toBe(1);
        await world.evaluator.evaluate([id]);
      });
      expect([await world.statusOf('held'), await world.statusOf('free')]).toEqual(['healthy', 'flaky']);
      expect(await world.evaluator.evaluateDue()).toBe(1);
      expect(await world.statusOf('held')).toBe('flaky');
    });

    it('leave a test due if another upload with it is being stored', async () => {
      await flake('clicks');
      await world.prisma.$transaction(async (upload) => {
        await upload.$executeRaw`UPDATE test_results.judgement_due SET since = since`;
        expect(await world.evaluator.evaluateDue()).toBe(1);
      });
      expect(await world.due()).toBe(1);
      expect(await world.evaluator.evaluateDue()).toBe(1);
      expect(await world.due()).toBe(0);
    });

    it('evaluate with the settings that are being written, not with the earlier settings', async () => {
      await flake('clicks');
      const waiting = await world.prisma.$transaction(async (change) => {
        await lockSettingsToWrite(change);
        let evaluated = 0;
        const evaluating = world.evaluator.evaluateDue().then((count) => (evaluated += count));
        while ((await locksWaitedFor()) + evaluated === 0);
        await writeSettings(change, world.repositoryId, { ...DEFAULT_TEST_HEALTH_SETTINGS, monitors: [] });
        return { evaluating };
      });
      expect(await waiting.evaluating).toBe(1);
      expect(await world.statusOf('clicks')).toBe('healthy');
    });

    it('lose no evaluation if the database fails meanwhile', async () => {
      await flake('clicks');
      const dropped = 'ALTER TABLE "TestStatusChange" DROP CONSTRAINT IF EXISTS "broken"';
      await world.prisma.$executeRawUnsafe(
        `ALTER TABLE "TestStatusChange" ADD CONSTRAINT "broken" CHECK ("to" <> 'flaky')`,
      );
      try {
        await expect(world.evaluator.evaluateDue()).rejects.toThrow();
      } finally {
        await world.prisma.$executeRawUnsafe(dropped);
      }
      expect([await world.due(), await world.prisma.testAlarm.count()]).toEqual([1, 0]);
      await world.evaluateAllDue();
      expect(await world.statusOf('clicks')).toBe('flaky');
    });
  });

  describe('match the names of branches', () => {
    const part = fc.constantFrom(...'abÄह ि😀.+(){}[]^$|\\#/-*?1_', 'main', '***', '\\d', '(?i)');
    const names = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));

    it('with their patterns, for any characters', async () => {
      const pairs = fc.sample(fc.tuple(names, fc.oneof(names, fc.constant('main'))), 300).map(([pattern, name]) => ({
        pattern,
        // To make many pairs match, the name is often the pattern itself.
        name: fc.sample(fc.constantFrom(pattern, name, `b${name}`), 1)[0]!,
      }));
      const found = await world.prisma.$queryRaw<{ fits: boolean }[]>`
        SELECT name LIKE pattern AS fits FROM unnest(${pairs.map(({ name }) => name)}::text[],
          ${pairs.map(({ pattern }) => branchFilter([pattern])!.names[0])}::text[]) WITH ORDINALITY AS pair (name, pattern, place) ORDER BY place`;
      const fits = found.map((row) => row.fits);
      expect(fits).toEqual(pairs.map(({ name, pattern }) => matchesGlob(pattern, name, 'text')));
      expect(new Set(fits).size).toBe(2);
    });
  });

  describe('count results', () => {
    interface Run extends Result {
      readonly upload: number;
    }

    const NOW = new Date(START.getTime() + 10 * DAY_MS);
    const UPLOADS = Array.from({ length: 12 }, (_, index) => ({
      commit: shaOf(`commit ${index % 5}`),
      branch: ['main', 'release/1', 'fix', 'sluice-merge/pr-1/x'][index % 4]!,
      branchClass: (['stable', 'stable', 'pull_request', 'queue'] as const)[index % 4]!,
      counted: index % 7 !== 0,
    }));
    const MONITORS: readonly Monitor[] = [RETRY, { ...RATE, threshold: 0.4 }, COUNT];
    const STATUSES = ['healthy', 'flaky', 'broken'];

    /** A number of hours ago, often exactly at the edge of a window. */
    const hours = (max: number) => fc.double({ min: 0, max, noNaN: true });
    const hoursAgo = fc.oneof(fc.constantFrom(6, 24, 168, 336), hours(24), hours(24), hours(400));
    const runs = (test: string): fc.Arbitrary<Run[]> =>
      fc.array(
        fc.record({
          test: fc.constant(test),
          upload: fc.nat({ max: UPLOADS.length - 1 }),
          outcome: fc.constantFrom<Outcome>('passed', 'passed', 'failed', 'skipped'),
          at: hoursAgo.map((hours) => new Date(NOW.getTime() - Math.round(hours * HOUR_MS))),
        }),
        { maxLength: 30, size: 'max' },
      );

    it('with the same sums as a simple count, for any test and in any order of arrival', async () => {
      // A draw in which every status occurs, because fewer statuses would prove less.
      const drawn = fc.sample(fc.tuple(...Array.from({ length: 200 }, (_, index) => runs(`test ${index}`))), 20);
      const tests = drawn.find((own) => new Set(own.map((of) => naiveStatuses(of)[0])).size === STATUSES.length)!;
      const all = tests.flat();
      const expected = tests.map((own, index) => [`test ${index}`, naiveStatuses(own)] as const);
      await world.empty({ monitors: MONITORS });
      world.clock.advance(NOW.getTime() - world.clock.now().getTime());
      for (const index of fc.sample(fc.shuffledSubarray([...UPLOADS.keys()], { minLength: UPLOADS.length }), 1)[0]!) {
        const own = all.filter(({ upload }) => upload === index);
        await world.upload(UPLOADS[index]!, own);
        await world.evaluateAllDue(200);
      }
      const rows = await world.prisma.testCase.findMany({ select: { name: true, status: true } });
      const found = new Map(rows.map(({ name, status }) => [name, status]));
      expect(expected.filter(([name, allowed]) => !allowed.includes(found.get(name) ?? 'healthy'))).toEqual([]);
    });

    /**
     * The correct statuses. If the order of arrival decides, two statuses are correct: once the rate was certain, the
     * alarm ends only when the rate falls below the threshold.
     */
    function naiveStatuses(own: readonly Run[]): string[] {
      const [ran, failed] = ranOnMain(own);
      if (ran >= 4 && leastShare(failed, ran) >= 0.4) return ['broken'];
      const other = naiveStatusWithoutRate(own);
      return ran > 0 && failed / ran >= 0.4 ? [other, 'broken'] : [other];
    }

    function ranOnMain(own: readonly Run[]): [ran: number, failed: number] {
      const onMain = own.filter(({ upload, at, outcome }) => {
        const { counted, branch } = UPLOADS[upload]!;
        return counted && /^main$|^release\//.test(branch) && +NOW - +at < 24 * HOUR_MS && outcome !== 'skipped';
      });
      return [onMain.length, onMain.filter(({ outcome }) => outcome === 'failed').length];
    }

    function naiveStatusWithoutRate(own: readonly Run[]): string {
      const counted = own.filter(({ upload }) => UPLOADS[upload]!.counted);
      const within = (hours: number, of = counted) => of.filter(({ at }) => +NOW - +at < hours * HOUR_MS);
      const failures = (of: readonly Run[]) => of.filter(({ outcome }) => outcome === 'failed');
      const inQueue = within(
        6,
        counted.filter(({ upload }) => UPLOADS[upload]!.branchClass === 'queue'),
      );
      if (failures(inQueue).length >= 2) return 'flaky';
      const passedOn = (commit: string) =>
        within(14 * 24).some(({ outcome, upload }) => outcome === 'passed' && UPLOADS[upload]!.commit === commit);
      const retried = failures(within(7 * 24)).some(({ upload }) => passedOn(UPLOADS[upload]!.commit));
      return retried ? 'flaky' : 'healthy';
    }
  });
});
