import { Injectable } from '@nestjs/common';

/** About 30 MB. */
const MOST_REMEMBERED = 100_000;

export interface KnownTest {
  readonly id: string;
  /** In the notation of `arrayText`; '' when no upload named any. */
  readonly owners: string;
}

/**
 * Remembers stored tests by their identity, so that an upload neither computes their ids nor writes them again. Tests are
 * never deleted, so what is remembered stays true. Each process starts empty and forgets everything when it gets too much.
 */
@Injectable()
export class KnownTests {
  private readonly tests = new Map<string, KnownTest>();

  find(key: string): KnownTest | undefined {
    return this.tests.get(key);
  }

  /** Call it after the tests are committed. */
  remember(tests: ReadonlyMap<string, KnownTest>): void {
    if (this.tests.size + tests.size > MOST_REMEMBERED) this.tests.clear();
    for (const [key, test] of tests) this.tests.set(key, test);
  }
}
