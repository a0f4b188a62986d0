import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { readReport } from '../../src/modules/test-health/reports/read-report';
import type { ReportedResult } from '../../src/modules/test-health/reports/reported-result';
import { TOO_MANY_TESTS } from '../../src/modules/test-health/rules/live-tests';
import { DEFAULT_TEST_HEALTH_SETTINGS } from '../../src/modules/test-health/rules/settings';
import { testCaseId } from '../../src/modules/test-health/rules/test-identity';
import { previewMonitors } from '../../src/modules/test-health/storage/evaluation/preview';
import { BEGINNING, testsPage } from '../../src/modules/test-health/storage/queries/listed-page';
import { knownTests } from '../../src/modules/test-health/storage/queries/named-tests';
import { TestResultsRig } from './test-results-rig';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Part = Partial<ReportedResult>;

describe('A test in uploaded results', () => {
  let rig: TestResultsRig;

  beforeAll(async () => (rig = await TestResultsRig.open(NOW)));
  beforeEach(() => rig.empty());
  afterAll(() => rig.close());

  const later = (ms: number) => new Date(NOW.getTime() + ms);

  function upload(parts: readonly Part[], receivedAt = NOW, workspace?: string) {
    const results = parts.map(({ name = 'adds', outcome = 'passed', ...reported }) => {
      return { test: name, outcome, at: receivedAt, reported };
    });
    return rig.upload({ results, receivedAt, ...(workspace === undefined ? {} : { workspace }) });
  }

  const idOf = (part: Part) =>
    testCaseId(rig.repository.id, { file: '', classname: '', parent: '', name: 'adds', variant: '', ...part });

  const tests = () => rig.prisma.testCase.findMany({ orderBy: [{ parent: 'asc' }, { name: 'asc' }] });

  /** The outcomes of each test, as the letters 'P', 'F' and 'S'. */
  async function outcomes(): Promise<Record<string, string>> {
    const rows = await rig.prisma.$queryRaw<{ name: string; codes: string }[]>`
      SELECT t."name", string_agg(substr('PFS', r.outcome + 1, 1), '' ORDER BY r.occurred_at, r.upload_id, r.outcome) AS codes
      FROM test_results.result r JOIN "TestCase" t ON t."id" = r.test_case_id GROUP BY 1 ORDER BY 1`;
    return Object.fromEntries(rows.map(({ name, codes }) => [name, codes]));
  }

  describe('whose name changed because of new naming rules', () => {
    const IN_CHROMIUM = { parent: 'chromium > a.spec.ts', formerly: { parent: 'a.spec.ts' } };
    const IN_FIREFOX = { parent: 'firefox > a.spec.ts', formerly: { parent: 'a.spec.ts' } };

    it('keeps its id, and another test with the earlier name gets a new id', async () => {
      await upload([{ parent: 'a.spec.ts' }]);
      await upload([IN_CHROMIUM, { ...IN_FIREFOX, outcome: 'failed' }], later(DAY_MS));
      await upload([IN_CHROMIUM, { ...IN_FIREFOX, outcome: 'failed' }], later(2 * DAY_MS));
      const known = await tests();
      expect(known.map(({ parent }) => parent)).toEqual(['chromium > a.spec.ts', 'firefox > a.spec.ts']);
      expect(known.map(({ id }) => id)).toContain(idOf({ parent: 'a.spec.ts' }));
      const rows = await rig.prisma.$queryRaw<{ parent: string; results: number }[]>`
        SELECT t."parent", count(*)::int AS "results" FROM test_results.result r
        JOIN "TestCase" t ON t."id" = r.test_case_id GROUP BY 1 ORDER BY 1`;
      expect(rows.map(({ results }) => results).sort()).toEqual([2, 3]);
    });

    it('keeps its id also in a process without memory, in any order', async () => {
      await upload([{ parent: 'a.spec.ts' }]);
      const { storedAs } = await upload([IN_FIREFOX], later(DAY_MS));
      expect([...storedAs.values()]).toEqual([idOf({ parent: 'a.spec.ts' })]);
      await upload([IN_CHROMIUM, IN_FIREFOX], later(3 * DAY_MS));
      const { storedAs: again } = await upload([IN_CHROMIUM, IN_FIREFOX], later(5 * DAY_MS));
      expect([...again]).toEqual([...storedAs]);
    });

    it('keeps the settings of the earlier test, which stood for several tests', async () => {
      await upload([{ parent: 'a.spec.ts' }]);
      const set = { quarantineSetting: 'always_quarantine', quarantined: true, ticketUrl: 'https://tickets.example/7' };
      await rig.prisma.testCase.updateMany({ data: set });
      await upload([IN_CHROMIUM, IN_FIREFOX], later(DAY_MS));
      expect(await tests()).toMatchObject([set, set]);
      const changes = await rig.prisma.testQuarantineChange.findMany();
      expect(changes.map(({ actor, reason }) => [actor, reason])).toEqual([
        [null, `set for the test ${idOf({ parent: 'a.spec.ts' })}, which stood for this one, too`],
      ]);
    });

    it('does not take the id of the earlier test if the earlier test still runs', async () => {
      await upload([{ parent: 'a.spec.ts' }]);
      await upload([{ parent: 'a.spec.ts' }, IN_CHROMIUM], later(DAY_MS));
      expect((await tests()).map(({ id, parent }) => [id, parent])).toEqual([
        [idOf({ parent: 'a.spec.ts' }), 'a.spec.ts'],
        [idOf({ parent: IN_CHROMIUM.parent }), IN_CHROMIUM.parent],
      ]);
    });

    it('is one test for concurrent uploads', async () => {
      await upload([{ parent: 'a.spec.ts' }]);
      await Promise.all([1, 2, 3, 4].map(() => upload([IN_CHROMIUM, IN_FIREFOX], later(DAY_MS))));
      expect((await tests()).map(({ parent }) => parent)).toEqual([IN_CHROMIUM.parent, IN_FIREFOX.parent]);
      expect((await outcomes())['adds']).toBe('P'.repeat(9));
    });
  });

  describe('whose file has another absolute path in each checkout', () => {
    it('is one test, with the id from the first checkout', async () => {
      await upload([{ file: '/srv/ci/1/a.ts' }]);
      await upload([{ file: '/srv/ci/1/a.ts' }], later(DAY_MS), '/srv/ci/1');
      await upload([{ file: '/srv/ci/2/a.ts' }], later(2 * DAY_MS), '/srv/ci/2/');
      await upload([{ file: 'a.ts' }], later(3 * DAY_MS));
      expect((await tests()).map(({ id, filePath }) => [id, filePath])).toEqual([
        [idOf({ file: '/srv/ci/1/a.ts' }), 'a.ts'],
      ]);
      expect(await outcomes()).toEqual({ adds: 'PPPP' });
    });

    it('has its failures in one group, whatever the checkout', async () => {
      const failed = (at: number) => ({
        outcome: 'failed' as const,
        failure: { message: `cannot read /srv/ci/${at}/data.json`, text: '' },
      });
      await upload([failed(1)], NOW, '/srv/ci/1');
      await upload([failed(2)], later(1_000), '/srv/ci/2');
      const groups = await rig.prisma.$queryRaw<{ summary: string }[]>`SELECT summary FROM test_results.failure_group`;
      expect(groups).toEqual([{ summary: 'cannot read data.json' }]);
    });
  });

  describe('whose name occurs twice in a run', () => {
    it('is failed if one of the two results is failed, so that no test looks as if it was retried', async () => {
      await upload([{}, {}]);
      await upload([{ outcome: 'failed' }, {}], later(1_000));
      await upload([{}, { outcome: 'failed' }], later(2_000));
      expect(await outcomes()).toEqual({ adds: 'PFF' });
    });

    it('is failed, too, if the name was not known before', async () => {
      await upload([{ outcome: 'failed' }, {}, { name: 'other' }]);
      expect(await outcomes()).toEqual({ adds: 'F', other: 'P' });
    });

    it('counts as retried if the name never occurred twice before', async () => {
      await upload([{}]);
      await upload([{ outcome: 'failed' }, { outcome: 'failed' }, {}], later(1_000));
      expect(await outcomes()).toEqual({ adds: 'PPFF' });
    });

    it('has all of its attempts if the report marks them as attempts', async () => {
      await upload([{ outcome: 'failed', isAttempt: true }, {}]);
      expect(await outcomes()).toEqual({ adds: 'PF' });
    });
  });

  describe('with a random part in its name', () => {
    const random = (hour: number, outcome: 'passed' | 'failed' = 'passed') => ({
      name: `keeps ${hour.toString().padStart(8, 'a')}-e0d2-45a4-bc81-5e8f6e2bde79`,
      outcome,
    });
    const literal = { name: 'knows 123e4567-e89b-12d3-a456-426614174000' };

    it('is one test once similar names came once and never again in eight different hours', async () => {
      for (let hour = 0; hour < 8; hour++) await upload([random(hour), literal], later(hour * HOUR_MS));
      const before = await rig.prisma.testCase.count();
      for (let hour = 8; hour < 30; hour++) await upload([random(hour), literal], later(hour * HOUR_MS));
      expect(await rig.prisma.testCase.count()).toBe(before);
      const found = await outcomes();
      expect(found['keeps <uuid>']).toBe('P'.repeat(22));
      expect(found[literal.name]).toBe('P'.repeat(30));
    });

    it('is failed if one of several such names in a run failed', async () => {
      for (let hour = 0; hour < 8; hour++) await upload([random(hour)], later(hour * HOUR_MS));
      await upload([random(20), random(21, 'failed'), random(22)], later(9 * HOUR_MS));
      expect((await outcomes())['keeps <uuid>']).toBe('F');
      const groups = await rig.prisma.$queryRaw<{ name: string }[]>`
        SELECT t."name" FROM test_results.upload_failure f JOIN "TestCase" t ON t."id" = f.test_case_id`;
      expect(groups).toEqual([{ name: 'keeps <uuid>' }]);
    });

    it('keeps a test of its own if the name comes again, because such a name only looks random', async () => {
      const names = Array.from({ length: 9 }, (_, hour) => random(hour));
      for (const [hour, name] of names.entries()) await upload([name], later(hour * HOUR_MS));
      for (const name of names.slice(0, 3)) await upload([name], later(HOUR_MS * 10));
      await rig.prisma.testCase.updateMany({ data: { seenAgain: true } });
      for (const name of names.slice(0, 8)) await upload([name], later(HOUR_MS * 11));
      expect((await outcomes())[names[7]!.name]).toBe('PP');
    });

    it('keeps its own test if it was stored before random parts were recognised', async () => {
      await upload([literal]);
      await rig.prisma.testCase.updateMany({ data: { patternId: null } });
      for (let hour = 0; hour < 9; hour++) {
        await upload([{ name: random(hour).name.replace('keeps', 'knows') }], later(hour * HOUR_MS));
      }
      await upload([literal], later(DAY_MS));
      expect((await outcomes())[literal.name]).toBe('PP');
    });

    it('is not recognised as random by eight shards of the same run', async () => {
      for (let shard = 0; shard < 12; shard++) await upload([random(shard)], later(shard * 1_000));
      expect(Object.keys(await outcomes())).toHaveLength(12);
    });
  });

  it('of a repository with too many tests: new tests are stored as one test, never quarantined, and counted', async () => {
    const of = (names: string, at: number) =>
      rig.upload({
        results: [...names].map((test) => ({ test, outcome: test === 'f' ? 'failed' : 'passed', at: later(at) })),
        receivedAt: later(at),
        mostTests: 3,
      });
    expect((await of('ab', 0)).setAside).toBe(0);
    expect((await of('abcfe', 1)).setAside).toBe(2);
    expect((await of('abcfe', 2)).setAside).toBe(2);
    const known = await outcomes();
    expect(Object.keys(known).filter((name) => name.length === 1)).toHaveLength(3);
    expect(known[TOO_MANY_TESTS.name]).toMatch(/^[PF]{2}$/);
    const many = await rig.prisma.testCase.findFirstOrThrow({ where: { name: TOO_MANY_TESTS.name } });
    expect(many.quarantineSetting).toBe('never_quarantine');
    // Retired tests do not count against the limit.
    await rig.prisma.testCase.updateMany({ data: { lastSeenAt: later(-40 * DAY_MS) } });
    expect((await of('xyz', 3)).setAside).toBe(0);
  });

  describe('that did not run for a long time', () => {
    const listed = async (days: number) => {
      const of = { repositoryId: rig.repository.id, now: later(days * DAY_MS) };
      const wanted = { position: BEGINNING, size: 10 };
      const pages = [
        await testsPage(rig.prisma, of, { status: 'flaky' }, wanted),
        await testsPage(rig.prisma, of, { quarantined: true }, wanted),
      ];
      const previewed = await rig.prisma.$transaction((tx) =>
        previewMonitors(tx, rig.repository.id, DEFAULT_TEST_HEALTH_SETTINGS.monitors, of.now),
      );
      return [...pages.map(({ total }) => total), previewed.evaluated];
    };

    it('is retired, and returns with all its facts when it runs again', async () => {
      await upload([{ outcome: 'failed' }]);
      await rig.prisma.testCase.updateMany({ data: { status: 'flaky', quarantined: true } });
      expect([await listed(30), await listed(32)]).toEqual([
        [1, 1, 1],
        [0, 0, 0],
      ]);
      await upload([{}], later(33 * DAY_MS));
      expect(await listed(34)).toEqual([1, 1, 1]);
      expect((await tests())[0]).toMatchObject({ id: idOf({}), firstSeenAt: NOW, status: 'flaky' });
    });

    it('is deleted with its sums, unless it has manual settings; a random name is deleted with its results', async () => {
      await upload([{ name: 'gone' }, { name: 'set' }, { name: 'keeps 7ec8d748-e0d2-45a4-bc81-5e8f6e2bde79' }]);
      await rig.prisma.testCase.updateMany({
        where: { name: 'set' },
        data: { quarantineSetting: 'never_quarantine' },
      });
      const names = async (days: number) => {
        rig.clock.advance(later(days * DAY_MS).getTime() - rig.clock.now().getTime());
        await rig.rollup.run();
        return (await tests()).map(({ name }) => name);
      };
      expect(await names(44)).toHaveLength(3);
      expect(await names(46)).toEqual(['gone', 'set']);
      expect(await names(401)).toEqual(['set']);
      rig.clock.advance(NOW.getTime() - rig.clock.now().getTime());
    });
  });

  describe('for which CI asks by name', () => {
    const ask = async (...names: readonly Part[]) => {
      const known = await knownTests(rig.prisma, rig.repository.id, rig.repository, names);
      return known.map(({ row }) => row?.id ?? null);
    };

    it('is found in every checkout, and under the name of the earlier naming rules', async () => {
      await upload([{ file: '/builds/acme/widgets/a.ts' }]);
      const [id] = (await tests()).map((test) => test.id);
      expect(await ask({ name: 'adds', file: 'a.ts' }, { name: 'adds', file: '/builds/acme/widgets/a.ts' })).toEqual([
        id,
        id,
      ]);
      expect(await ask({ name: 'adds', file: 'b.ts' })).toEqual([null]);
    });

    it('attack 17: is not another test that took its earlier name', async () => {
      await upload([{ parent: 'a.spec.ts' }]);
      await upload([{ parent: 'chromium > a.spec.ts', formerly: { parent: 'a.spec.ts' } }], later(DAY_MS));
      expect(await ask({ name: 'adds', parent: 'a.spec.ts' })).toEqual([null]);
      expect(await ask({ name: 'adds', parent: 'chromium > a.spec.ts' })).toEqual([idOf({ parent: 'a.spec.ts' })]);
    });

    it('is the test of the pattern once similar random names are joined', async () => {
      const name = (hour: number) => `is saved in /tmp/cart-${hour}`;
      for (let hour = 0; hour < 8; hour++) await upload([{ name: name(hour) }], later(hour * HOUR_MS));
      expect(await ask({ name: name(99) })).toEqual([idOf({ name: 'is saved in <tmp>' })]);
      expect(await ask({ name: name(3) })).toEqual([idOf({ name: name(3) })]);
    });
  });

  describe('of a real report', () => {
    async function uploadFile(path: string, at: number): Promise<void> {
      const results: ReportedResult[] = [];
      const file = createReadStream(join(__dirname, '../fixtures/reports', path));
      for await (const some of readReport(file, { fileName: path })) results.push(...some);
      await upload(
        results.map(({ reportedAt: _reportedAt, ...result }) => result),
        later(at),
      );
    }

    it('by jest-junit: of two tests with the same name one fails, and neither counts as retried', async () => {
      await uploadFile('jest-junit/same-name.xml', 0);
      expect(await outcomes()).toEqual({
        'the cart adds widgets': 'F',
        ' holds widgets': 'P',
        'with retries loads in time': 'P',
      });
      expect((await tests()).map(({ filePath }) => filePath)).toEqual(Array(3).fill('src/cart.test.js'));
    });

    it('by pytest: a test that failed, and whose fixture failed as well, counts as one failure', async () => {
      await uploadFile('pytest/teardown-and-ids.xml', 0);
      expect((await outcomes())['test_closes']).toBe('F');
    });

    it('by Vitest and pytest: random names are joined, and a name with a constant UUID is not', async () => {
      await uploadFile('vitest/random-1.xml', 0);
      await uploadFile('vitest/random-2.xml', HOUR_MS);
      await uploadFile('pytest/teardown-and-ids.xml', 0);
      const known = await rig.prisma.testCase.findMany({ where: { patternId: { not: null } } });
      const again = known.filter(({ seenAgain }) => seenAgain).map(({ name }) => name);
      expect(again).toEqual(['the cart > knows the order 123e4567-e89b-12d3-a456-426614174000']);
      expect(new Set(known.map(({ patternId }) => patternId)).size).toBe(6);
    });

    it('by Playwright: the same test in each project is a test of its own', async () => {
      await uploadFile('playwright/projects.xml', 0);
      const rows = await tests();
      expect(rows.map(({ parent }) => parent)).toEqual([
        ...Array<string>(4).fill('chromium > cart.spec.ts'),
        ...Array<string>(4).fill('firefox > cart.spec.ts'),
      ]);
    });

    it('by mocha under Cypress: two files with the same tests are different tests', async () => {
      await uploadFile('mocha-junit-reporter/cypress-cart.xml', 0);
      await uploadFile('mocha-junit-reporter/cypress-basket.xml', 1);
      await uploadFile('mocha-junit-reporter/mocha.xml', 2);
      const files = (await tests()).map(({ filePath }) => filePath).sort();
      expect(files).toEqual([
        ...['cypress/e2e/basket.cy.js', 'cypress/e2e/basket.cy.js', 'cypress/e2e/cart.cy.js', 'cypress/e2e/cart.cy.js'],
        ...['test/cart.spec.js', 'test/cart.spec.js', 'test/shelf.spec.js', 'test/shelf.spec.js'],
      ]);
    });
  });

  it('is stored as seen twice a day, also if another transaction has locked its row', async () => {
    await upload([{}]);
    const seen = async () => (await tests())[0]!.lastSeenAt;
    await upload([{}], later(6 * HOUR_MS));
    expect(await seen()).toEqual(NOW);
    await rig.prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT "id" FROM "TestCase" FOR NO KEY UPDATE`;
      await upload([{}], later(13 * HOUR_MS));
    });
    expect(await seen()).toEqual(NOW);
    await upload([{}], later(14 * HOUR_MS));
    expect(await seen()).toEqual(later(14 * HOUR_MS));
  });
});
