import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { knownTests } from '../../src/modules/test-health/storage/queries/named-tests';
import { findMovedTests } from '../../src/modules/test-health/storage/moves/find-moved-tests';
import { moveTest } from '../../src/modules/test-health/storage/moves/move-test';
import { TestMover } from '../../src/modules/test-health/storage/moves/test-mover';
import { undoMove } from '../../src/modules/test-health/storage/moves/undo-move';
import { DEFAULT_TEST_HEALTH_SETTINGS } from '../../src/modules/test-health/rules/settings';
import { testCaseId } from '../../src/modules/test-health/rules/test-identity';
import { TestEvaluator } from '../../src/modules/test-health/storage/evaluation/test-evaluator';
import { writeSettings } from '../../src/modules/test-health/storage/settings';
import type { GivenResult, GivenUpload } from './test-results-rig';
import { TestResultsRig } from './test-results-rig';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('A test that moved', () => {
  let rig: TestResultsRig;
  let uploads: number;

  beforeAll(async () => (rig = await TestResultsRig.open(NOW)));
  beforeEach(async () => {
    await rig.empty();
    rig.clock.advance(NOW.getTime() - rig.clock.now().getTime());
    uploads = 0;
    await rig.prisma.$transaction((tx) =>
      writeSettings(tx, rig.repository.id, { ...DEFAULT_TEST_HEALTH_SETTINGS, quarantineEnabled: true }),
    );
  });
  afterAll(() => rig.close());

  const identity = (file: string) => ({ file, classname: 'Cart', parent: '', name: 'adds', variant: '' });
  const idOf = (file: string) => testCaseId(rig.repository.id, identity(file));
  const [OLD, NEW] = ['old/cart.spec.ts', 'new/cart.spec.ts'];

  type Result = Partial<GivenResult> & { readonly file: string; readonly classname?: string };

  const uploadNamed = (name: string, file: string, more: Partial<Result>): Promise<void> =>
    upload([{ file, reported: { name }, ...more }]);

  /**
   * Uploads the results on their own commit, a minute after the previous upload. `more` may name another commit or
   * time.
   */
  async function upload(results: readonly Result[], more: Partial<GivenUpload> = {}): Promise<void> {
    uploads += 1;
    rig.clock.advance(60_000);
    const receivedAt = rig.clock.now();
    const commit = createHash('sha1').update(String(uploads)).digest('hex');
    const given = results.map(
      ({ file, classname = 'Cart', outcome = 'passed', message = 'no', reported }): GivenResult => {
        return { test: 'adds', at: receivedAt, outcome, message, reported: { file, classname, ...reported } };
      },
    );
    await rig.upload({ receivedAt, commit, job: 'unit', ...more, results: given });
  }

  const move = (from = idOf(OLD), to = idOf(NEW)) =>
    rig.prisma.$transaction((tx) =>
      moveTest(tx, {
        ...{ repositoryId: rig.repository.id, from, to, actor: 'ada', reason: 'new folder', line: '' },
        now: rig.clock.now(),
      }),
    );
  const undo = (id: string) =>
    rig.prisma.$transaction((tx) =>
      undoMove(tx, { repositoryId: rig.repository.id, id, actor: 'ada', reason: 'no', now: rig.clock.now() }),
    );
  const moved = async (from?: string, to?: string): Promise<string> => ((await move(from, to)) as { id: string }).id;
  const mover = () => new TestMover(rig.prisma, rig.clock, rig.lifecycle);
  const found = () => findMovedTests(rig.prisma, rig.repository.id, rig.clock.now());

  /** For each test id, the file of the test, and the test's outcomes in the order of their uploads. */
  async function tests(): Promise<Record<string, string>> {
    const rows = await rig.prisma.$queryRaw<{ id: string; file: string; codes: string | null }[]>`
      SELECT t."id", t."filePath" AS file,
        string_agg(substr('PFS', r.outcome + 1, 1), '' ORDER BY r.upload_id, r.outcome) AS codes
      FROM "TestCase" t LEFT JOIN test_results.result r ON t."id" = r.test_case_id GROUP BY 1, 2`;
    return Object.fromEntries(rows.map(({ id, file, codes }) => [nameOf(id), `${file} ${codes ?? ''}`]));
  }
  const nameOf = (id: string) => (id === idOf(OLD) ? 'old' : id === idOf(NEW) ? 'new' : 'other');

  /** All counts of the tests, without times and uploads. */
  async function counted(): Promise<object> {
    const [groups, messages, sums, failures] = await Promise.all([
      rig.prisma.$queryRaw<object[]>`SELECT test_case_id, day::text, summary, failures, first_at, last_at
        FROM test_results.failure_group ORDER BY 1, 2, 3`,
      rig.prisma.$queryRaw<
        object[]
      >`SELECT test_case_id, summary, upload_id FROM test_results.failure_message ORDER BY 1, 2`,
      rig.prisma.$queryRaw<object[]>`SELECT * FROM test_results.day_total ORDER BY test_case_id, day, branch_class`,
      rig.prisma.$queryRaw<object[]>`SELECT * FROM test_results.upload_failure ORDER BY upload_id, test_case_id`,
    ]);
    return { groups, messages, sums, failures };
  }
  const rowOf = (id: string) => rig.prisma.testCase.findUnique({ where: { id } });

  it('keeps its id, and has the results under both names, from before and after the move', async () => {
    await upload([{ file: OLD, outcome: 'failed' }]);
    await upload([{ file: NEW }]);
    expect(await move()).toMatchObject({ type: 'moved' });
    expect(await tests()).toEqual({ old: `${NEW} FP` });
    for (const file of [NEW, OLD, NEW]) await upload([{ file, outcome: 'failed' }]);
    expect(await tests()).toEqual({ old: `${NEW} FPFFF` });
    const asked = [OLD, NEW].map(identity);
    const known = await knownTests(rig.prisma, rig.repository.id, rig.repository, [...asked, { id: idOf(NEW) }]);
    expect(known.map(({ row }) => row?.id)).toEqual([idOf(OLD), idOf(OLD), idOf(OLD)]);
  });

  it('is found under its new name also by a process that knew that name before the move', async () => {
    await upload([{ file: OLD }]);
    for (let times = 0; times < 3; times++) await upload([{ file: NEW }]);
    await move();
    await upload([{ file: NEW, outcome: 'failed' }]);
    expect(await tests()).toEqual({ old: `${NEW} PPPPF` });
  });

  it('keeps the results of both attempts in one report, a failure and a pass', async () => {
    await upload([{ file: OLD }]);
    await upload([{ file: NEW }]);
    await move();
    await upload([{ file: NEW, outcome: 'failed', reported: { isAttempt: true } }, { file: NEW }]);
    expect(await tests()).toEqual({ old: `${NEW} PPPF` });
  });

  it('has the daily sums of both names', async () => {
    const results: readonly Result[] = [
      { file: OLD, outcome: 'failed' },
      { file: NEW, outcome: 'failed' },
      { file: NEW },
    ];
    for (const result of results) await upload([result]);
    rig.clock.advance(2 * DAY_MS);
    await rig.rollup.run();
    await move();
    const sums = await rig.prisma.$queryRaw`SELECT test_case_id, passed, failed FROM test_results.day_total`;
    expect(sums).toEqual([{ test_case_id: idOf(OLD), passed: 1, failed: 2 }]);
  });

  it('needs no additional statement per upload if many tests moved', async () => {
    const statementsOf = async (file: string, other: string): Promise<number> => {
      const sent = jest.spyOn(Client.prototype, 'query');
      await upload([{ file }, { file: other }]);
      const { length } = sent.mock.calls;
      sent.mockRestore();
      return length;
    };
    for (const files of [
      ['a', 'b'],
      ['c', 'd'],
      ['a', 'c'],
      ['b', 'd'],
    ])
      await upload(files.map((file) => ({ file })));
    await upload([{ file: 'a2' }, { file: 'b2' }]);
    await move(idOf('a'), idOf('a2'));
    await upload([{ file: 'a2' }, { file: 'b2' }]);
    const withOne = await statementsOf('a2', 'b2');
    await move(idOf('b'), idOf('b2'));
    await upload([{ file: 'a2' }, { file: 'b2' }]);
    expect(await statementsOf('a2', 'b2')).toBe(withOne);
    expect(await rig.prisma.testMoveUpload.count()).toBeGreaterThan(4);
  });

  it('keeps status, quarantine, ticket and history', async () => {
    await upload([{ file: OLD, outcome: 'failed' }], { commit: 'b'.repeat(40) });
    await rig.prisma.testCase.update({
      where: { id: idOf(OLD) },
      data: { quarantineSetting: 'always_quarantine', ticketUrl: 'https://tickets.example/7' },
    });
    await new TestEvaluator(rig.prisma, rig.clock).evaluate([idOf(OLD)]);
    await upload([{ file: NEW }]);
    await move();
    expect(await rowOf(idOf(OLD))).toMatchObject({
      ...{ filePath: NEW, quarantined: true, quarantineSetting: 'always_quarantine' },
      ticketUrl: 'https://tickets.example/7',
    });
    expect(await rowOf(idOf(NEW))).toBeNull();
    const changes = await rig.prisma.testQuarantineChange.findMany({ where: { testCaseId: idOf(OLD) } });
    expect(changes.at(-1)).toMatchObject({ actor: 'ada', reason: 'moved here from another name: new folder' });
  });

  it('is never quarantined if somebody forbade the quarantine for either name', async () => {
    for (const [first, second] of [
      ['always_quarantine', 'never_quarantine'],
      ['never_quarantine', 'always_quarantine'],
    ] as const) {
      await rig.empty();
      for (const [file, quarantineSetting] of [
        [OLD, first],
        [NEW, second],
      ] as const) {
        await upload([{ file }]);
        await rig.prisma.testCase.update({ where: { id: idOf(file) }, data: { quarantineSetting } });
      }
      await move();
      expect((await rowOf(idOf(OLD)))?.quarantineSetting).toBe('never_quarantine');
    }
  });

  describe('after an undo', () => {
    it('is two tests again, each with its own results, sums and settings', async () => {
      const results: readonly Result[] = [
        { file: OLD, outcome: 'failed' },
        { file: NEW, outcome: 'failed' },
        { file: NEW },
      ];
      for (const result of results) await upload([result]);
      await rig.prisma.testCase.update({
        where: { id: idOf(OLD) },
        data: { quarantineSetting: 'always_quarantine', quarantined: true },
      });
      await rig.rollup.run();
      rig.clock.advance(2 * DAY_MS);
      await rig.rollup.run();
      const [rows, before] = [await tests(), await counted()];
      const id = await moved();
      expect(await tests()).toEqual({ old: `${NEW} FFP` });
      expect(await undo(id)).toMatchObject({ type: 'undone' });
      expect([await tests(), await counted()]).toEqual([rows, before]);
      expect(await rowOf(idOf(NEW))).toMatchObject({
        quarantined: false,
        quarantineSetting: 'unspecified',
        status: 'healthy',
      });
      expect(await rowOf(idOf(OLD))).toMatchObject({ quarantined: true, quarantineSetting: 'always_quarantine' });
    });

    it('has each later upload under the name that the upload used', async () => {
      await upload([{ file: OLD }]);
      await upload([{ file: NEW }]);
      const id = await moved();
      for (const [file, outcome] of [
        [NEW, 'failed'],
        [OLD, 'failed'],
        [NEW, 'passed'],
      ] as const)
        await upload([{ file, outcome }]);
      await undo(id);
      expect(await tests()).toEqual({ old: `${OLD} PF`, new: `${NEW} PFP` });
      for (const file of [OLD, NEW]) await upload([{ file, outcome: 'failed' }]);
      expect(await tests()).toEqual({ old: `${OLD} PFF`, new: `${NEW} PFPF` });
    });

    it('has the quarantine setting that each name had before the move', async () => {
      for (const file of [OLD, NEW]) await upload([{ file }]);
      await rig.prisma.testCase.update({ where: { id: idOf(NEW) }, data: { quarantineSetting: 'always_quarantine' } });
      const id = await moved();
      expect((await rowOf(idOf(OLD)))?.quarantineSetting).toBe('always_quarantine');
      await undo(id);
      const settings = await Promise.all([OLD, NEW].map(async (file) => (await rowOf(idOf(file)))?.quarantineSetting));
      expect(settings).toEqual(['unspecified', 'always_quarantine']);
    });

    it('has the uploads under the new name that came after the move', async () => {
      for (const file of [OLD, NEW]) await upload([{ file }]);
      const id = await moved();
      rig.clock.advance(DAY_MS);
      for (let times = 0; times < 2; times++) await upload([{ file: NEW }]);
      await undo(id);
      expect(await tests()).toEqual({ old: `${OLD} P`, new: `${NEW} PPP` });
    });

    it('keeps later settings, each for the test for which it was set', async () => {
      await upload([{ file: OLD }]);
      await upload([{ file: NEW }]);
      const id = await moved();
      rig.clock.advance(1_000);
      const at = rig.clock.now();
      await rig.prisma.testCase.update({ where: { id: idOf(OLD) }, data: { quarantineSetting: 'never_quarantine' } });
      await rig.prisma.testQuarantineChange.create({
        data: { testCaseId: idOf(OLD), at, actor: 'bob', setting: 'never_quarantine', quarantined: false, reason: 'x' },
      });
      await undo(id);
      expect((await rowOf(idOf(OLD)))?.quarantineSetting).toBe('never_quarantine');
      expect((await rowOf(idOf(NEW)))?.quarantineSetting).toBe('unspecified');
    });

    it('cannot be undone a second time, and of several moves the last is undone first', async () => {
      const third = 'third/cart.spec.ts';
      for (const file of [OLD, NEW]) await upload([{ file }]);
      const first = await moved();
      await upload([{ file: third }]);
      const second = await moved(idOf(OLD), idOf(third));
      expect(await tests()).toEqual({ old: `${third} PPP` });
      await upload([{ file: NEW }]);
      expect(await tests()).toEqual({ old: `${third} PPPP` });
      expect(await undo(first)).toEqual({ type: 'moved_again', id: second });
      await undo(second);
      await undo(first);
      expect(await undo(first)).toEqual({ type: 'no_move' });
      expect(await tests()).toEqual({ old: `${OLD} P`, new: `${NEW} PP`, other: `${third} P` });
    });
  });

  it('is refused if both names ran on one commit, for failures outside of tests, and for missing tests', async () => {
    const commit = 'c'.repeat(40);
    await upload([{ file: OLD }], { commit });
    await upload([{ file: NEW }], { commit, job: 'other' });
    expect(await move()).toEqual({ type: 'both_ran', commit });
    const nobody = '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11';
    expect(await move(idOf(OLD), nobody)).toEqual({ type: 'no_test', id: nobody });
    await rig.prisma.testCase.update({ where: { id: idOf(NEW) }, data: { outsideTests: true } });
    expect(await move()).toEqual({ type: 'no_single_test', id: idOf(NEW) });
  });

  it('has the worst result of both names in an upload with both', async () => {
    await upload([{ file: OLD }]);
    await upload([{ file: NEW }]);
    await move();
    await upload([{ file: OLD, outcome: 'failed' }, { file: NEW }]);
    expect(await tests()).toEqual({ old: `${NEW} PPF` });
  });

  it('has its results under one id, also if an upload is stored during the move', async () => {
    await upload([{ file: OLD }]);
    await upload([{ file: NEW }]);
    await Promise.all([move(), ...[1, 2, 3].map(() => upload([{ file: NEW }]))]);
    expect(await tests()).toEqual({ old: `${NEW} PPPPP` });
  });

  describe('is suggested', () => {
    const pair = { from: '', to: '' };
    beforeEach(() => Object.assign(pair, { from: idOf(OLD), to: idOf(NEW) }));

    it('when a new test has the same name in another file, in a pull request as well', async () => {
      await upload([{ file: OLD }]);
      await upload([{ file: NEW }], { branchClass: 'pull_request', prNumber: 7, line: '' });
      expect(await found()).toEqual([{ ...pair, isOnlyCandidate: true, line: '' }]);
    });

    it('together with all tests of the same name, or not at all, because one candidate alone could be wrong', async () => {
      await upload([{ file: OLD }, { file: 'third.spec.ts' }]);
      for (const file of [OLD, NEW]) await uploadNamed('pays', file, { classname: 'Basket' });
      await upload([{ file: NEW }]);
      const within = (pairs: number) => findMovedTests(rig.prisma, rig.repository.id, rig.clock.now(), pairs);
      expect((await within(3)).map(({ to, isOnlyCandidate }) => [to, isOnlyCandidate])).toEqual([
        [idOf(NEW), false],
        [idOf(NEW), false],
      ]);
      // If a name has too many pairs, this does not delay other names.
      expect((await within(2)).map(({ isOnlyCandidate }) => isOnlyCandidate)).toEqual([true]);
    });

    it('before newer tests whose earlier name still runs, if there are too many candidates', async () => {
      const other = { classname: 'Basket' };
      await upload([{ file: OLD }]);
      await uploadNamed('pays', OLD, other);
      rig.clock.advance(4 * DAY_MS);
      await upload([{ file: NEW }]);
      await uploadNamed('pays', OLD, other);
      await uploadNamed('pays', NEW, other);
      const [first, ...others] = await findMovedTests(rig.prisma, rig.repository.id, rig.clock.now(), 1);
      expect([first, others]).toEqual([{ ...pair, isOnlyCandidate: true, line: '' }, []]);
      expect(await found()).toHaveLength(2);
    });

    it('only if no commit ran both names, and only until the move is undone', async () => {
      await upload([{ file: OLD }]);
      await upload([{ file: OLD }, { file: NEW }]);
      expect(await found()).toEqual([]);
      await rig.empty();
      await upload([{ file: OLD }]);
      await upload([{ file: NEW }]);
      await undo(await moved());
      expect(await found()).toEqual([]);
    });
  });

  describe('moves automatically', () => {
    const run = async () => {
      await mover().run();
      return Object.keys(await tests()).sort();
    };

    it('once two commits of a target branch have the new name instead of the earlier name', async () => {
      await upload([{ file: OLD }]);
      await upload([{ file: NEW }], { branchClass: 'pull_request', prNumber: 7, line: '' });
      await upload([{ file: NEW }]);
      expect(await run()).toEqual(['new', 'old']);
      await upload([{ file: NEW }]);
      expect(await run()).toEqual(['old']);
      const [event] = await rig.prisma.auditEvent.findMany({ where: { action: { startsWith: 'test.' } } });
      expect(event).toMatchObject({ actor: 'sluice', channel: 'service', action: 'test.moved' });
    });

    it.each([
      ['another class', { classname: 'Basket' }, {}],
      ['another job', {}, { job: 'nightly' }],
      ['another branch', {}, { line: 'release/1' }],
    ] as const)('only without %s', async (_, of, on) => {
      await upload([{ file: OLD }]);
      for (let times = 0; times < 2; times++) await upload([{ file: NEW, ...of }], on);
      expect(await run()).toHaveLength(2);
    });

    it('for all moved tests in one run, however many pairs one search returns', async () => {
      const names = Array.from({ length: 3 }, (_, i) => `case ${i}`);
      for (const file of [OLD, NEW, NEW]) await upload(names.map((name) => ({ file, reported: { name } })));
      await Object.assign(mover(), { mostPairs: 1 }).run();
      expect(await rig.prisma.testCase.count()).toBe(3);
    });

    it('only if the job has a name', async () => {
      for (const file of [OLD, NEW, NEW]) await upload([{ file }], { job: '' });
      expect(await run()).toEqual(['new', 'old']);
    });

    it('only if the earlier name no longer runs and no other test could be the moved test', async () => {
      await upload([{ file: OLD }]);
      for (const file of [NEW, OLD, NEW]) await upload([{ file }]);
      expect(await run()).toEqual(['new', 'old']);
      await rig.empty();
      await upload([{ file: OLD }]);
      for (let times = 0; times < 2; times++) await upload([{ file: NEW }, { file: 'third.spec.ts' }]);
      expect(await run()).toEqual(['new', 'old', 'other']);
    });

    it.each([
      ['the earlier name is back on the branch', async () => upload([{ file: OLD }])],
      ['one upload has both names', async () => upload([{ file: OLD }, { file: NEW }])],
      [
        'a commit has both names',
        async () => {
          const of = { branchClass: 'pull_request', prNumber: 7, line: '', commit: 'd'.repeat(40) } as const;
          await upload([{ file: OLD }], of);
          await upload([{ file: NEW }], of);
        },
      ],
    ] as const)('until it moves back, which happens if %s', async (_, then) => {
      await upload([{ file: OLD }]);
      for (let times = 0; times < 2; times++) await upload([{ file: NEW }]);
      expect(await run()).toEqual(['old']);
      await then();
      expect(await run()).toEqual(['new', 'old']);
      expect(await run()).toEqual(['new', 'old']);
    });

    it('and does not move back when a branch without the move uploads the earlier name', async () => {
      await upload([{ file: OLD }]);
      for (let times = 0; times < 2; times++) await upload([{ file: NEW }]);
      await run();
      await upload([{ file: OLD }], { branchClass: 'pull_request', prNumber: 8, line: '' });
      await upload([{ file: OLD }], { line: 'release/1' });
      // A job that tests an older commit is run again.
      await upload([{ file: OLD }], { commit: createHash('sha1').update('1').digest('hex') });
      expect(await run()).toEqual(['old']);
    });
  });
});
