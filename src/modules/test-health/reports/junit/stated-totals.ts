import type { Attributes } from '../bounded-xml';
import type { UnmetTotal } from '../reported-result';

interface OpenTotal {
  readonly name: string;
  readonly line: number;
  /** Null: the suite states no number of failures. */
  readonly stated: number | null;
  /** The number of failures that were found before the suite began. */
  readonly before: number;
}

const MOST_LISTED = 20;

/**
 * Compares the number of failures that each suite states with the number of failures in the suite. Other totals are not
 * compared: runners count tests in different ways, and these totals cannot hide a failure of a command.
 */
export class StatedTotals {
  readonly unmet: UnmetTotal[] = [];
  private readonly open: OpenTotal[] = [];
  private found = 0;

  openSuite(attributes: Attributes, line: number): void {
    this.open.push({ name: attributes.name ?? '', line, stated: failuresOf(attributes), before: this.found });
  }

  addFailures(count: number): void {
    this.found += count;
  }

  closeSuite(): void {
    const suite = this.open.pop();
    if (suite?.stated == null || this.unmet.length === MOST_LISTED) return;
    const found = this.found - suite.before;
    if (suite.stated <= found) return;
    const message = `${JSON.stringify(suite.name)} states ${suite.stated} failures and errors, but ${found} are in it`;
    this.unmet.push({ line: suite.line, message });
  }
}

function failuresOf({ failures, errors }: Attributes): number | null {
  const counts = [failures, errors].filter((text) => text !== undefined && /^\d{1,9}$/.test(text)).map(Number);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
