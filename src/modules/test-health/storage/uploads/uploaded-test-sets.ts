import type { ReportedOutcome, ReportedResult } from '../../reports/reported-result';
import { patternOf } from '../../rules/random-parts';
import { testCaseId } from '../../rules/test-identity';
import { TestSet } from '../../rules/test-set';
import type { Workspace } from '../../rules/workspace';

/** The maximum number of kept tests that were cut off. More tests are cut off together only when no test can run. */
const MOST_CUT_OFF = 1_000;

export interface TestContext {
  readonly repositoryId: string;
  readonly variant: string;
  readonly workspace: Workspace;
}

/** A test that a report marks as cut off. */
export interface CutOffTest {
  readonly file: string;
  readonly result: ReportedResult;
}

/** The tests of an upload, and which of them ran. */
export class UploadedTestSets {
  readonly all = new TestSet();
  /** For each index in `all`: 1 if the test ran. */
  private ran = new Uint8Array(1_024);
  private earlierTests = 0;
  /** Tests of earlier reports that first ran in the current one. */
  private ranAfterAll: number[] = [];
  private readonly cutOffTests = new Map<string, CutOffTest>();
  /** Tests cut off in the current report. */
  private cutOffNow = new Map<string, ReportedResult>();

  /** Returns a function that drops everything that the report has added. */
  beginReport(): () => void {
    const { size } = this.all;
    this.earlierTests = size;
    this.ranAfterAll = [];
    this.cutOffNow = new Map();
    return () => {
      this.all.cutTo(size);
      this.ran.fill(0, size);
      for (const index of this.ranAfterAll) this.ran[index] = 0;
      this.cutOffNow = new Map();
    };
  }

  endReport(file: string): void {
    for (const [id, result] of this.cutOffNow) this.cutOffTests.set(id, { file, result });
    this.cutOffNow = new Map();
  }

  add(id: string, outcome: ReportedOutcome): void {
    const index = this.all.add(id);
    if (outcome === 'skipped' || index < 0 || this.hasRun(index)) return;
    if (index >= this.ran.length) {
      const larger = new Uint8Array(index * 2);
      larger.set(this.ran);
      this.ran = larger;
    }
    this.ran[index] = 1;
    if (index < this.earlierTests) this.ranAfterAll.push(index);
  }

  addCutOff(result: ReportedResult, { repositoryId, variant, workspace }: TestContext): void {
    if (this.cutOffTests.size + this.cutOffNow.size >= MOST_CUT_OFF) return;
    const test = workspace.identityOf(result, variant);
    // The key is the id by which other uploads are compared.
    this.cutOffNow.set(testCaseId(repositoryId, patternOf(test) ?? test), result);
  }

  /** The cut-off tests, without tests that ran in another report of the upload. */
  cutOff(): readonly CutOffTest[] {
    return [...this.cutOffTests].filter(([id]) => !this.hasRun(this.all.indexOf(id))).map(([, test]) => test);
  }

  /** The tests that were only skipped, in the form of `TestSet`; null: too many tests. */
  skipped(): Buffer | null {
    return this.all.toBytes((index) => !this.hasRun(index));
  }

  private hasRun(index: number): boolean {
    return this.ran[index] === 1;
  }
}
