import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keptFailure } from '../../reports/kept-failure';
import { normaliseMessage } from '../../reports/normalise-message';
import type { ReportedResult } from '../../reports/reported-result';
import { patternOf } from '../../rules/random-parts';
import { RepeatedNames } from '../../rules/repeated-names';
import { testCaseId, type TestIdentity } from '../../rules/test-identity';
import type { CodeOwners } from '../../rules/code-owners';
import { DistinctTests } from '../../rules/distinct-tests';
import { arrayText, COPY_NULL, copyText } from './copy';
import { dayOf } from '../../rules/days';
import { timeOfResult } from '../../rules/upload-checks';
import type { KnownTest, KnownTests } from './known-tests';
import { Findings } from './findings';
import { UploadedTestSets, type TestContext } from './uploaded-test-sets';
import { ATTEMPT, OWN_RESULT, repeatedNamesIn } from './repeated-results';
import { SpoolFile } from './spool-file';
import type { StoredTests } from './stored-tests';

/** The number of new tests that one upload caches. A test beyond it may be written twice, which does no harm. */
const MOST_REMEMBERED = 60_000;
/** The number of messages that an upload keeps, one for each test and group. Only failing machines cause more. */
const MOST_MESSAGES = 1_000;
/** Only failing machines cause more failures outside tests. */
const MOST_OUTSIDE = 1_000;
const OUTCOMES = { passed: 0, failed: 1, skipped: 2 } as const;

interface UploadContext extends TestContext {
  readonly receivedAt: Date;
  /** How many days results are kept. A time in a report that is older is ignored. */
  readonly keptDays: number;
  readonly known: KnownTests;
}

/**
 * Collects the results of an upload in files, in the text format of COPY. Nothing reaches the database before the whole
 * upload was read, and memory use stays small.
 */
export class UploadSpool {
  readonly days = new Set<string>();
  /** The times of the first and the last result; invalid dates if there are no results. */
  earliest = new Date(NaN);
  latest = new Date(NaN);
  passed = 0;
  failed = 0;
  skipped = 0;
  distinct = new DistinctTests();
  /** The tests of the upload, without failures outside tests. */
  readonly testSets = new UploadedTestSets();
  readonly findings = new Findings();
  /** Ids of failures outside tests, including failures in dropped reports. */
  readonly outsideTests = new Set<string>();
  private readonly withMessage = new Set<string>();
  /** Whether any line of `tests` has a former id, and whether any line has a pattern. */
  readonly has = { former: false, pattern: false };
  names = new RepeatedNames();
  private readonly newTests = new Map<string, KnownTest>();
  /** Keys of the tests that are new in this report. */
  private newOfReport: string[] = [];
  private readonly keysBegin: string;
  private written = { time: NaN, text: '' };

  private constructor(
    /**
     * test_case_id, name, variant, file, parent, classname, owners; former id; id, name, file, parent and classname of the pattern
     */
    readonly tests: SpoolFile,
    /** test_case_id, occurred_at, outcome, duration_ms, summary_id */
    readonly results: SpoolFile,
    /** Lines with the same columns for attempts that do not count as the result of their test case. */
    readonly attempts: SpoolFile,
    /** test_case_id, occurred_at, summary_id, summary, whether it belongs to an attempt */
    readonly failures: SpoolFile,
    /** test_case_id, occurred_at, summary_id, summary, message, stack */
    readonly messages: SpoolFile,
    private readonly context: UploadContext,
  ) {
    this.keysBegin = `${context.repositoryId}\0${context.variant}\0`;
  }

  static async create(folder: string, context: UploadContext): Promise<UploadSpool> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = randomUUID();
    const kinds = ['tests', 'results', 'attempts', 'failures', 'messages'];
    const [tests, results, attempts, failures, messages] = await Promise.all(
      kinds.map((kind) => SpoolFile.create(join(folder, `${name}.${kind}`))),
    );
    return new UploadSpool(tests!, results!, attempts!, failures!, messages!, context);
  }

  /** Call this method before each report. Returns a function that drops everything that the report has added. */
  beginReport(): () => Promise<void> {
    const { passed, failed, skipped, earliest, latest } = this;
    const [days, sketch, dropTests] = [[...this.days], this.distinct.sketch, this.testSets.beginReport()];
    const marks = this.files().map((file) => file.mark());
    const messages = this.withMessage.size;
    this.newOfReport = [];
    return async () => {
      Object.assign(this, { passed, failed, skipped, earliest, latest });
      this.days.clear();
      for (const day of days) this.days.add(day);
      this.distinct = new DistinctTests();
      this.distinct.addSketch(sketch);
      dropTests();
      for (const key of this.newOfReport) this.newTests.delete(key);
      for (const group of [...this.withMessage].slice(messages)) this.withMessage.delete(group);
      this.written = { time: NaN, text: '' };
      await Promise.all(this.files().map((file, index) => file.dropAfter(marks[index]!)));
    };
  }

  async add(reported: readonly ReportedResult[], owners: CodeOwners): Promise<void> {
    for (const result of reported) this.addResult(result, owners);
    await Promise.all(this.files().map((file) => file.flush()));
  }

  async finish(): Promise<void> {
    this.findings.addCutOff(this.testSets.cutOff());
    await Promise.all(this.files().map((file) => file.finish()));
    this.names = await repeatedNamesIn(this.results);
  }

  /** The times of the first and the last result; invalid dates if there are no results. */
  get times(): { readonly earliest: Date; readonly latest: Date } {
    return { earliest: this.earliest, latest: this.latest };
  }

  /** Ids of the new tests that the process would cache. */
  get rememberedIds(): readonly string[] {
    return [...this.newTests.values()].map(({ id }) => id);
  }

  /** Call this method after the upload is committed. */
  rememberTests({ storedAs, passing }: StoredTests): void {
    const { known, receivedAt } = this.context;
    for (const [key, test] of this.newTests) {
      const id = storedAs.get(test.id);
      if (passing.has(test.id)) this.newTests.delete(key);
      else if (id !== undefined) this.newTests.set(key, { id, comparedAs: test.comparedAs, owners: test.owners });
    }
    known.remember(this.newTests, receivedAt);
  }

  async remove(): Promise<void> {
    await Promise.all(this.files().map((file) => file.remove()));
  }

  private addResult(result: ReportedResult, owners: CodeOwners): void {
    const { receivedAt, keptDays } = this.context;
    if (result.isCutOff) return this.testSets.addCutOff(result, this.context);
    const { id, comparedAs } = this.testOf(result, owners);
    const at = this.textOf(timeOfResult(result.reportedAt, receivedAt, keptDays));
    this[result.outcome] += 1;
    if (result.outcome !== 'skipped') this.distinct.add(id);
    if (!result.isOutsideTests) this.testSets.add(comparedAs, result.outcome);
    else if (this.outsideTests.size < MOST_OUTSIDE) this.outsideTests.add(id);
    const summaryId = result.outcome === 'failed' ? this.addFailure(id, at, result) : COPY_NULL;
    const duration = result.durationMs === null ? COPY_NULL : String(durationOf(result.durationMs));
    const file = result.isAttempt === true ? this.attempts : this.results;
    file.add(`${id}\t${at}\t${OUTCOMES[result.outcome]}\t${duration}\t${summaryId}`);
  }

  /** Returns the id of the failure's group. */
  private addFailure(id: string, at: string, { failure, isAttempt }: ReportedResult): string {
    const message = this.context.workspace.textOf(failure?.message ?? '');
    const text = this.context.workspace.textOf(failure?.text ?? '');
    const summary = normaliseMessage({ message, text });
    const summaryId = idOfSummary(summary);
    const line = `${id}\t${at}\t${summaryId}\t${copyText(summary)}`;
    this.failures.add(`${line}\t${isAttempt === true ? ATTEMPT : OWN_RESULT}`);
    const group = `${id} ${summaryId}`;
    if (this.withMessage.size < MOST_MESSAGES && !this.withMessage.has(group)) {
      this.withMessage.add(group);
      const kept = keptFailure({ message, text });
      this.messages.add(`${line}\t${copyText(kept.message)}\t${copyText(kept.stack)}`);
    }
    return summaryId;
  }

  /** Caches the last text, because most results of a report have the time of their suite or of the upload. */
  private textOf(occurredAt: Date): string {
    const time = occurredAt.getTime();
    if (time !== this.written.time) {
      this.written = { time, text: occurredAt.toISOString() };
      this.days.add(dayOf(occurredAt));
      if (!(occurredAt >= this.earliest)) this.earliest = occurredAt;
      if (!(occurredAt <= this.latest)) this.latest = occurredAt;
    }
    return this.written.text;
  }

  /** Writes a test that is new, that has new owners, or that has not been written for some time. */
  private testOf(result: ReportedResult, owners: CodeOwners): KnownTest {
    const { known, receivedAt, workspace, variant, repositoryId } = this.context;
    const { file, classname, parent, name } = result;
    // U+0000 separates the parts safely, because no report contains it.
    const key = `${this.keysBegin}${file}\0${classname}\0${parent}\0${name}`;
    const found = this.newTests.get(key) ?? known.find(key, receivedAt);
    const ownersText = owners.isEmpty ? '' : arrayText(owners.of(workspace.fileOf(file)));
    if (found && (ownersText === '' || ownersText === found.owners)) return found;
    const test = workspace.identityOf(result, variant);
    const id = found?.id ?? testCaseId(repositoryId, test);
    const relatives = this.relativesOf(id, test, result);
    const own = { id, comparedAs: found?.comparedAs ?? relatives.pattern ?? id, owners: ownersText };
    if (this.newTests.size === MOST_REMEMBERED) {
      this.newTests.clear();
      this.newOfReport = [];
    }
    this.newOfReport.push(key);
    this.newTests.set(key, own);
    const texts = [test.name, variant, test.file, test.parent, test.classname, ownersText || '{}'];
    this.tests.add([id, ...texts.map(copyText), ...relatives.columns].join('\t'));
    return own;
  }

  /** The former id of the test, and its identity without random parts. */
  private relativesOf(id: string, test: TestIdentity, { name, classname, parent, file, formerly }: ReportedResult) {
    const { repositoryId, variant } = this.context;
    const former = testCaseId(repositoryId, { name, classname, parent, file, variant, ...formerly });
    const formerColumn = former === id ? COPY_NULL : former;
    const identity = patternOf(test);
    if (former !== id) this.has.former = true;
    if (identity === null) return { pattern: null, columns: [formerColumn, ...Array<string>(5).fill(COPY_NULL)] };
    this.has.pattern = true;
    const pattern = testCaseId(repositoryId, identity);
    const texts = [identity.name, identity.file, identity.parent, identity.classname];
    return { pattern, columns: [formerColumn, pattern, ...texts.map(copyText)] };
  }

  private files(): SpoolFile[] {
    return [this.tests, this.results, this.attempts, this.failures, this.messages];
  }
}

const MOST_MILLISECONDS = 2_147_483_647;

function durationOf(durationMs: number): number {
  return Math.min(Math.max(Math.round(durationMs), 0), MOST_MILLISECONDS);
}

/** 64 bits of a hash. Messages with the same bits would count as one group. */
function idOfSummary(summary: string): string {
  return createHash('sha1').update(summary).digest().readBigInt64BE(0).toString();
}
