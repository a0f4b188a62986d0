import * as fc from 'fast-check';
import { DAY_MS, dayOf, startOfDay, type TimeRange } from '../../src/modules/test-health/rules/days';
import { sumDay } from '../../src/modules/test-health/storage/days/day-sums';
import { failingPage } from '../../src/modules/test-health/storage/queries/failing-tests';
import { openPage, pageInfo } from '../../src/modules/test-health/http/lists/paging';
import { type GivenResult, type GivenUpload, TestResultsRig } from './test-results-rig';

const HOUR_MS = 3_600_000;
const FIRST_DAY = startOfDay('2026-11-12').getTime();
const TODAY = FIRST_DAY + 8 * DAY_MS;
const MESSAGES = ['expected two widgets', 'timed out', 'connection refused', 'no such file', 'no widget', 'nothing'];
const TESTS = ['adds', 'removes', 'paints', 'never fails', 'moves', 'sells', 'ships'];
const PAGE_SIZE = 3;

const now = fc
  .oneof(fc.constantFrom(0, 1, 2 * HOUR_MS, DAY_MS - 1), fc.integer({ min: 0, max: DAY_MS - 1 }))
  .map((ms) => new Date(TODAY + ms));

/**
 * A time in the nine days before `at`. Many times are close to the end of a day, close to the end of a window of `at`,
 * or on one busy day.
 */
function instant(at: Date): fc.Arbitrary<Date> {
  const edges = [at.getTime(), at.getTime() - DAY_MS, at.getTime() - 7 * DAY_MS];
  const midnights = Array.from({ length: 9 }, (_, day) => FIRST_DAY + day * DAY_MS);
  const near = fc
    .tuple(fc.constantFrom(...edges, ...midnights), fc.integer({ min: -1, max: 1 }))
    .map(([edge, by]) => edge + by);
  const busy = fc.integer({ min: TODAY - 2 * DAY_MS, max: TODAY - DAY_MS });
  return fc.oneof(near, busy, fc.integer({ min: FIRST_DAY, max: at.getTime() })).map((ms) => new Date(ms));
}

function upload(at: Date): fc.Arbitrary<GivenUpload> {
  const result: fc.Arbitrary<GivenResult> = fc.record({
    test: fc.constantFrom(...TESTS),
    at: instant(at).filter((time) => time.getTime() <= at.getTime() + 1),
    outcome: fc.constantFrom('failed', 'failed', 'passed', 'passed', 'skipped'),
    message: fc.constantFrom(...MESSAGES, ...Array<string>(8).fill(MESSAGES[0]!)),
  });
  return fc.record({
    results: fc.array(result, { minLength: 20, maxLength: 60 }),
    receivedAt: fc.constant(at),
    prNumber: fc.constantFrom(null, 1, 2, 3),
    branchClass: fc.constantFrom('queue', 'pull_request', 'stable'),
  });
}

function range(at: Date): fc.Arbitrary<TimeRange> {
  return fc.tuple(instant(at), fc.oneof(instant(at), fc.constant(null))).map(([one, other]): TimeRange => {
    // Half of the ranges are short. The result for a short range must not depend on where a group ends.
    const second = other ?? new Date(one.getTime() + HOUR_MS);
    const [start, end] = one < second ? [one, second] : [second, one];
    return { start, end: new Date(Math.min(end.getTime(), start.getTime() + 7 * DAY_MS)) };
  });
}

const story = now.chain((at) =>
  fc.record({
    at: fc.constant(at),
    early: fc.array(upload(at), { minLength: 4, maxLength: 6 }),
    summed: fc.subarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 3 }),
    late: fc.array(upload(at), { minLength: 2, maxLength: 3 }),
    ranges: fc.array(range(at), { minLength: 5, maxLength: 5 }),
  }),
);

interface PlainFailure {
  readonly summary: string;
  readonly times: number;
  readonly last: Date;
}

/** All uploads as one array, from which the expected lists are computed. */
class PlainResults {
  private readonly results: readonly (GivenResult & { readonly prNumber?: number | null })[];

  constructor(uploads: readonly GivenUpload[]) {
    this.results = uploads.flatMap(({ results, prNumber }) => results.map((result) => ({ ...result, prNumber })));
  }

  failing({ start, end }: TimeRange): string[] {
    const failed = this.results.filter(({ outcome, at }) => outcome === 'failed' && at >= start && at < end);
    return [...new Set(failed.map(({ test }) => test))];
  }

  failures(test: string, { start, end }: TimeRange): PlainFailure[] {
    const own = this.of(test).filter(({ outcome, at }) => outcome === 'failed' && at >= start && at < end);
    const groups = MESSAGES.map((summary): PlainFailure => {
      const times = own.filter(({ message }) => message === summary).map(({ at }) => at.getTime());
      return { summary, times: times.length, last: new Date(Math.max(...times)) };
    });
    const order = (a: PlainFailure, b: PlainFailure) =>
      b.times - a.times || b.last.getTime() - a.last.getTime() || (a.summary < b.summary ? -1 : 1);
    return groups
      .filter(({ times }) => times > 0)
      .sort(order)
      .slice(0, 5);
  }

  rate(test: string, at: Date, days: number): number {
    const ran = this.lately(test, at, days).filter(({ outcome }) => outcome !== 'skipped');
    return ran.length === 0 ? 0 : ran.filter(({ outcome }) => outcome === 'failed').length / ran.length;
  }

  pullRequests(test: string, at: Date): number {
    const failed = this.lately(test, at, 7).filter(({ outcome }) => outcome === 'failed');
    return new Set(failed.map(({ prNumber }) => prNumber).filter((number) => number !== null)).size;
  }

  private lately(test: string, now: Date, days: number) {
    return this.of(test).filter(({ at }) => at.getTime() > now.getTime() - days * DAY_MS && at <= now);
  }

  private of(test: string) {
    return this.results.filter((result) => result.test === test);
  }
}

describe('The lists of tests, for random results and ranges', () => {
  let rig: TestResultsRig;

  beforeAll(async () => {
    rig = await TestResultsRig.open(new Date(TODAY));
  });

  afterAll(() => rig.close());

  /** Reads the whole list page by page. */
  async function listed(wanted: TimeRange): Promise<string[]> {
    const found: string[] = [];
    for (let page_token: string | undefined; page_token !== '';) {
      const open = openPage({ page_size: PAGE_SIZE, page_token }, []);
      const page = await failingPage(rig.prisma, rig.repository.id, wanted, open);
      found.push(...page.ids);
      page_token = pageInfo(open, page).next_page_token;
      if (page_token === '') expect(found).toHaveLength(page.total);
    }
    return found;
  }

  it('equal lists that this spec counts one by one', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ at, early, summed, late, ranges }) => {
        await rig.empty();
        for (const each of early) await rig.upload(each);
        for (const day of summed) await sumDay(rig.sql, dayOf(new Date(FIRST_DAY + day * DAY_MS)), at);
        for (const each of late) await rig.upload(each);
        const plain = new PlainResults([...early, ...late]);
        const lists = rig.listsAt(at);
        for (const wanted of ranges) {
          const failing = plain.failing(wanted);
          const ids = await listed(wanted);
          expect(ids).toEqual(failing.map((test) => rig.idOf(test)).sort());
          const items = await lists.describeFailing(rig.repository, ids, wanted);
          const expected = failing.map((test) => ({
            name: test,
            failure_rate_last_7d: plain.rate(test, at, 7),
            failure_rate_last_24h: plain.rate(test, at, 1),
            pull_requests_impacted_last_7d: plain.pullRequests(test, at),
            most_common_failures: plain.failures(test, wanted).map(({ summary, times, last }) => ({
              summary,
              occurrence_count: times,
              last_occurrence: last.toISOString(),
            })),
          }));
          expect(items).toMatchObject(expected.sort((a, b) => (rig.idOf(a.name) < rig.idOf(b.name) ? -1 : 1)));
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});
