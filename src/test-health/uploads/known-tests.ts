import { Injectable } from '@nestjs/common';

/** Some 40 MB. */
const MOST_REMEMBERED = 300_000;

/**
 * Tests that are stored, with their owners, so that an upload need not say again what every upload of them says. Nothing
 * deletes tests: what was stored once is stored. A process begins without any, and forgets all when they get too many.
 */
@Injectable()
export class KnownTests {
  private owners = new Map<string, string>();

  /** `owners` as `arrayText` writes them; '' when nothing is said about them. */
  has(id: string, owners: string): boolean {
    const known = this.owners.get(id);
    return known !== undefined && (owners === '' || owners === known);
  }

  /** To be called once they are stored for good. */
  remember(tests: ReadonlyMap<string, string>): void {
    if (this.owners.size + tests.size > MOST_REMEMBERED) this.owners.clear();
    for (const [id, owners] of tests) this.owners.set(id, owners);
  }
}
