import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../rules/days';

/** This many remembered tests take about 30 MB. */
const MOST_REMEMBERED = 100_000;
/** After this time a remembered test is written again, so that the database knows that the test is still in use. */
export const SEEN_EVERY_MS = DAY_MS / 2;

export interface KnownTest {
  readonly id: string;
  /**
   * The id by which runs are compared: of the test's pattern, or of its identity. This id is the same in each run, even
   * if the test's id differs.
   */
  readonly comparedAs: string;
  /** The owners in the notation of `arrayText`; '' when no upload named an owner. */
  readonly owners: string;
}

interface RememberedTest extends KnownTest {
  readonly since: number;
}

/**
 * Caches stored tests by their identity in reports, so that an upload neither computes their ids nor writes them again.
 * Only tests that have not been seen for a long time are deleted, so the cache stays correct. Each process starts with
 * an empty cache, and clears it when it is full.
 */
@Injectable()
export class KnownTests {
  private readonly tests = new Map<string, RememberedTest>();

  find(key: string, at: Date): KnownTest | undefined {
    const test = this.tests.get(key);
    return test === undefined || at.getTime() - test.since > SEEN_EVERY_MS ? undefined : test;
  }

  /** Call this method after the tests are committed. */
  remember(tests: ReadonlyMap<string, KnownTest>, at: Date): void {
    if (this.tests.size + tests.size > MOST_REMEMBERED) this.tests.clear();
    const since = at.getTime();
    // V8 gives each object of a spread a hidden class of its own, which takes more memory than the object.
    for (const [key, { id, comparedAs, owners }] of tests) this.tests.set(key, { id, comparedAs, owners, since });
  }
}
