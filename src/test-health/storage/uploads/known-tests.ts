import { Injectable } from '@nestjs/common';

/** Some 30 MB. */
const MOST_REMEMBERED = 100_000;

export interface KnownTest {
  readonly id: string;
  /** As `arrayText` writes them; '' when nothing was said about them. */
  readonly owners: string;
}

/**
 * Tests that are stored, by what tells them apart, so that an upload need neither work out their ids nor say again what
 * every upload of them says. Nothing deletes tests: what was stored once is stored. A process begins without any, and
 * forgets all when they get too many.
 */
@Injectable()
export class KnownTests {
  private readonly tests = new Map<string, KnownTest>();

  find(key: string): KnownTest | undefined {
    return this.tests.get(key);
  }

  /** To be called once they are stored for good. */
  remember(tests: ReadonlyMap<string, KnownTest>): void {
    if (this.tests.size + tests.size > MOST_REMEMBERED) this.tests.clear();
    for (const [key, test] of tests) this.tests.set(key, test);
  }
}
