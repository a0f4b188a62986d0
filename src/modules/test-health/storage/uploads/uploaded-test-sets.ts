import type { ReportedOutcome, ReportedResult } from '../../reports/reported-result';
import { patternOf } from '../../rules/random-parts';
import { testCaseId } from '../../rules/test-identity';
import { TestSet, without } from '../../rules/test-set';
import type { Workspace } from '../../rules/workspace';

/** More are cut off together only where nothing runs. */
const MOST_CUT_OFF = 1_000;

interface TestContext {
  readonly repositoryId: string;
  readonly variant: string;
  readonly workspace: Workspace;
}

/** A test that a report shows to be cut off. */
export interface CutOffTest {
  readonly file: string;
  readonly result: ReportedResult;
}

/** Which tests an upload has, and which of them ran. */
export class UploadedTestSets {
  readonly all = new TestSet();
  private readonly ran = new TestSet();
  private readonly cutOffTests = new Map<string, CutOffTest>();
  /** Of the report that is read. */
  private cutOffNow = new Map<string, ReportedResult>();

  /** Returns what drops all that the report will have added. */
  beginReport(): () => void {
    const [all, ran] = [this.all.size, this.ran.size];
    this.cutOffNow = new Map();
    return () => {
      this.all.cutTo(all);
      this.ran.cutTo(ran);
      this.cutOffNow = new Map();
    };
  }

  endReport(file: string): void {
    for (const [id, result] of this.cutOffNow) this.cutOffTests.set(id, { file, result });
    this.cutOffNow = new Map();
  }

  add(id: string, outcome: ReportedOutcome): void {
    this.all.add(id);
    if (outcome !== 'skipped') this.ran.add(id);
  }

  addCutOff(result: ReportedResult, { repositoryId, variant, workspace }: TestContext): void {
    if (this.cutOffTests.size + this.cutOffNow.size >= MOST_CUT_OFF) return;
    const test = workspace.identityOf(result, variant);
    // As which it would be compared with the tests of other uploads.
    this.cutOffNow.set(testCaseId(repositoryId, patternOf(test) ?? test), result);
  }

  /** Without those that another report of the upload shows to have run. */
  cutOff(): readonly CutOffTest[] {
    return [...this.cutOffTests].filter(([id]) => !this.ran.has(id)).map(([, test]) => test);
  }

  /** The tests that were only skipped, as a `TestSet` writes them; null: there are too many tests. */
  skipped(): Buffer | null {
    const [all, ran] = [this.all.toBytes(), this.ran.toBytes()];
    return all === null || ran === null ? null : without(all, ran);
  }
}
