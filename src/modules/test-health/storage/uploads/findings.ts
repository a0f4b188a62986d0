import { cutTo } from '../../reports/limits';
import type { ReportCounts, ReportedResult } from '../../reports/reported-result';
import { withoutSecrets } from '../../reports/without-secrets';
import type { RefusedFile, UploadFindings } from '../../rules/whole-upload';
import type { CutOffTest } from './uploaded-test-sets';

const MOST_REFUSED = 100;
const MOST_LISTED = 20;
const MOST_CHARACTERS = 500;

/** Collects findings while the reports of an upload are read. */
export class Findings {
  private readonly refused: RefusedFile[] = [];
  private refusedCount = 0;
  private readonly emptyFiles: string[] = [];
  private readonly outsideTests: UploadFindings['outsideTests'][number][] = [];
  private readonly unmetTotals: UploadFindings['unmetTotals'][number][] = [];
  private readonly cutOff: UploadFindings['cutOff'][number][] = [];
  private cutOffCount = 0;

  refuse(file: string, line: number | null, reason: string): void {
    this.refusedCount++;
    if (this.refused.length === MOST_REFUSED) return;
    this.refused.push({ file: cut(file), line, reason: cut(reason) });
  }

  /** Adds a completely read report, with the number of its failures outside tests. */
  addReport(file: string, { results, unmetTotals = [] }: ReportCounts, outside: readonly ReportedResult[]): void {
    if (results === 0) add(this.emptyFiles, [cut(file)]);
    const failed = outside.slice(0, MOST_LISTED).map(({ name, classname, line, failure }) => {
      const message = [name || classname, failure?.message].filter(Boolean).join(': ');
      return { file: cut(file), line, message: cut(message || 'a failure without a name') };
    });
    add(this.outsideTests, failed);
    add(
      this.unmetTotals,
      unmetTotals.map(({ line, message }) => ({ file: cut(file), line, message: cut(message) })),
    );
  }

  addCutOff(tests: readonly CutOffTest[]): void {
    this.cutOffCount += tests.length;
    const named = tests.slice(0, MOST_LISTED).map(({ file, result: { name, classname, line } }) => {
      return { file: cut(file), line, message: cut(name || classname || 'a test without a name') };
    });
    add(this.cutOff, named);
  }

  toJSON(): UploadFindings {
    const { refused, refusedCount, emptyFiles, outsideTests, unmetTotals, cutOff, cutOffCount } = this;
    return { refused, refusedCount, emptyFiles, outsideTests, unmetTotals, cutOff, cutOffCount };
  }
}

function add<T>(list: T[], more: readonly T[]): void {
  list.push(...more.slice(0, MOST_LISTED - list.length));
}

/** One line without secrets. A JSON report may contain U+0000 and lone surrogates, which PostgreSQL cannot store. */
function cut(text: string): string {
  const line = withoutSecrets(text).replaceAll('\0', '\uFFFD').replace(/\s+/g, ' ').trim();
  return cutTo(MOST_CHARACTERS, Buffer.from(line).toString());
}
