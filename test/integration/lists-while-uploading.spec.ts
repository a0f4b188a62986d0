import * as fc from 'fast-check';
import { openPage, pageInfo } from '../../src/modules/test-health/http/lists/paging';
import { DAY_MS, type TimeRange } from '../../src/modules/test-health/rules/days';
import { failingPage } from '../../src/modules/test-health/storage/queries/failing-tests';
import { type ListedPage, testsPage, type WantedPage } from '../../src/modules/test-health/storage/queries/listed-page';
import { TestResultsRig } from './test-results-rig';

const NOW = new Date('2026-11-20T12:00:00Z');
const WEEK: TimeRange = { start: new Date(NOW.getTime() - 7 * DAY_MS), end: new Date(NOW.getTime() + DAY_MS) };
const TESTS = Array.from({ length: 40 }, (_, number) => `test ${number}`);
const some = fc.subarray(TESTS);

type ReadPage = (wanted: WantedPage) => Promise<ListedPage>;

/** A change of the results between the reads of two pages. */
interface Change {
  readonly come: readonly string[];
  readonly go: readonly string[];
}

const story = fc.record({
  first: fc.subarray(TESTS, { minLength: 8 }),
  changes: fc.array(fc.record({ come: some, go: some }), { minLength: 3, maxLength: 6 }),
  size: fc.integer({ min: 1, max: 7 }),
  wayOn: fc.constantFrom<Way>('next_page_token', 'prev_page_token'),
});
type Way = 'next_page_token' | 'prev_page_token';

describe('A list that is read page by page while it changes', () => {
  let rig: TestResultsRig;

  beforeAll(async () => {
    rig = await TestResultsRig.open(NOW);
  });

  afterAll(() => rig.close());

  const upload = (tests: readonly string[], outcome: 'failed' | 'passed') =>
    rig.upload({ results: tests.map((test) => ({ test, at: NOW, outcome })), receivedAt: NOW });

  const setFlaky = (tests: readonly string[], status: string) =>
    rig.prisma.testCase.updateMany({ where: { id: { in: tests.map((test) => rig.idOf(test)) } }, data: { status } });

  const failing: ReadPage = (wanted) => failingPage(rig.prisma, rig.repository.id, WEEK, wanted);
  const flaky: ReadPage = (wanted) =>
    testsPage(rig.prisma, { repositoryId: rig.repository.id, now: NOW }, { status: 'flaky' }, wanted);

  /** Reads all pages, forwards from the first or backwards from the last. */
  async function readAll(read: ReadPage, size: number, way: Way, between: () => Promise<void>): Promise<ListedPage[]> {
    const pages: ListedPage[] = [];
    let page_token = '';
    if (way === 'prev_page_token') {
      const first = openPage({ page_size: size }, []);
      page_token = pageInfo(first, await read(first)).last_page_token;
    }
    do {
      const open = openPage({ page_size: size, page_token }, []);
      const page = await read(open);
      const info = pageInfo(open, page);
      expect([info.page_index === 0, page.start === 0]).toEqual([info.prev_page_token === '', page.idBefore === null]);
      if (page.ids.length > 0) {
        expect(info.next_page_token === '').toBe(info.page_index === info.total_pages - 1);
      }
      pages.push(page);
      page_token = info[way];
      await between();
    } while (page_token !== '');
    return pages;
  }

  it('repeats no test, and contains all tests that had failed before the first page was read', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ first, changes, size, wayOn }) => {
        await rig.empty();
        await upload(first, 'failed');
        const uploads = changes.values();
        const pages = await readAll(failing, size, wayOn, async () => {
          const { done, value } = uploads.next();
          if (!done && value.come.length > 0) await upload(value.come, 'failed');
        });
        const ids = pages.flatMap((page) => page.ids);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(first.map((test) => rig.idOf(test))));
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('repeats no test, and contains all tests that stayed in the list, also while other tests are removed', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ first, changes, size, wayOn }) => {
        await rig.empty();
        await upload(TESTS, 'passed');
        await setFlaky(first, 'flaky');
        const left = new Set<string>();
        const happening = changes.values();
        const change = async ({ come, go }: Change) => {
          await setFlaky(come, 'flaky');
          await setFlaky(go, 'healthy');
          for (const test of go) left.add(test);
        };
        const pages = await readAll(flaky, size, wayOn, async () => {
          const { done, value } = happening.next();
          if (!done) await change(value);
        });
        const ids = pages.flatMap((page) => page.ids);
        const throughout = first.filter((test) => !left.has(test));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(throughout.map((test) => rig.idOf(test))));
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  it('has the same pages from either end while it does not change', async () => {
    await rig.empty();
    await upload(TESTS.slice(0, 11), 'failed');
    const nothing = () => Promise.resolve();
    const [on, back] = [
      await readAll(failing, 3, 'next_page_token', nothing),
      await readAll(failing, 3, 'prev_page_token', nothing),
    ];
    expect(on.map((page) => page.ids.length)).toEqual([3, 3, 3, 2]);
    expect(back.reverse()).toEqual(on);
  });
});
