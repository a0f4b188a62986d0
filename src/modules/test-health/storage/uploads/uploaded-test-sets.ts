import type { ReportedOutcome, ReportedResult } from '../../reports/reported-result';
import { patternOf } from '../../rules/random-parts';
import { testCaseId } from '../../rules/test-identity';
import { addToAll, TestSet, without } from '../../rules/test-set';
import type { Workspace } from '../../rules/workspace';

/** More tests are cut off together only when nothing runs. */
const MOST_CUT_OFF = 1_000;

interface TestContext {
  readonly repositoryId: string;
  readonly variant: string;
  readonly workspace: Workspace;
}

/** A test that was cut off, by its report. */
export interface CutOffTest {
  readonly file: string;
  readonly result: ReportedResult;
}

/** The tests of an upload, and which of them ran. */
export class UploadedTestSets {
  readonly all = new TestSet();
  private readonly ran = new TestSet();
  private readonly both = [this.all, this.ran];
  private readonly cutOffTests = new Map<string, CutOffTest>();
  /** Tests cut off in the current report. */
  private cutOffNow = new Map<string, ReportedResult>();

  /** Returns a function that drops everything that the report will have added. */
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
    if (outcome === 'skipped') this.all.add(id);
    else addToAll(this.both, id);
  }

  addCutOff(result: ReportedResult, { repositoryId, variant, workspace }: TestContext): void {
    if (this.cutOffTests.size + this.cutOffNow.size >= MOST_CUT_OFF) return;
    const test = workspace.identityOf(result, variant);
    // By the id under which other uploads would compare it.
    this.cutOffNow.set(testCaseId(repositoryId, patternOf(test) ?? test), result);
  }

  /** Without tests that ran by another report of the upload. */
  cutOff(): readonly CutOffTest[] {
    return [...this.cutOffTests].filter(([id]) => !this.ran.has(id)).map(([, test]) => test);
  }

  /** The tests that were only skipped, in the form of `TestSet`; null: too many tests. */
  skipped(): Buffer | null {
    const [all, ran] = [this.all.toBytes(), this.ran.toBytes()];
    return all === null || ran === null ? null : without(all, ran);
  }
}
