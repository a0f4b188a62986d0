import { type UploadedResult } from '../../../src/modules/test-health/rules/attempts';
import { commitsByLine } from '../../../src/modules/test-health/rules/commits';
import { DAY_MS } from '../../../src/modules/test-health/rules/days';
import { DistinctTests } from '../../../src/modules/test-health/rules/distinct-tests';
import { type EvaluatedTest, evaluateTest } from '../../../src/modules/test-health/rules/evaluate-test';
import type { RetriedCommit, TestFacts } from '../../../src/modules/test-health/rules/facts';
import { isInfrastructureFailure } from '../../../src/modules/test-health/rules/infrastructure-failure';
import {
  DEFAULT_TEST_HEALTH_SETTINGS,
  MAX_WINDOW_DAYS,
  MOST_RESULTS,
  type HealthStatus,
  type PassOnRetryMonitor,
} from '../../../src/modules/test-health/rules/settings';
import { type MostUploads, retriedCommit } from '../../../src/modules/test-health/rules/retried-commits';
import { conditionsKey, type ReportedRun } from '../../../src/modules/test-health/rules/tested-run';
import type { MadeResult, MadeUpload } from './history';
import type { Judge, Verdict } from './judge';

const { monitors, infrastructureFailures } = DEFAULT_TEST_HEALTH_SETTINGS;
const QUIET_DAYS = monitors.find(
  (monitor): monitor is PassOnRetryMonitor => monitor.type === 'pass_on_retry',
)!.quietDays;
const LATEST_COMMITS = 10;
const READ_RESULTS = 100;

/**
 * The uploads of one commit. If the commit belongs to a pull request, the group has only the uploads of this pull
 * request.
 */
interface Group {
  readonly distinct: DistinctTests;
  readonly failed: Set<number>;
  readonly healthyFailed: Set<number>;
  isOutage: boolean;
}

interface StoredResult extends UploadedResult {
  readonly group: Group;
  readonly shard: string;
  /** The keys of the conditions and of the attempt are cached, because every evaluation uses them. */
  readonly conditionsKey: string;
  readonly attemptKey: string;
}

interface StoredTest {
  readonly id: string;
  /** Results by branch class, the latest last. */
  readonly byClass: Readonly<Record<'stable' | 'queue' | 'pull_request', StoredResult[]>>;
  readonly byCode: Map<string, StoredResult[]>;
  /** All failures of the test, the latest last. */
  readonly failures: StoredResult[];
  evaluated: EvaluatedTest;
}

/** The service's rules, applied to results in memory that have the form of stored results. */
export class OurRules implements Judge {
  readonly name = 'Sluice, defaults';
  readonly assumed = '';
  private readonly tests: StoredTest[];
  private readonly groups = new Map<string, Group>();
  private uploads = 0;

  /**
   * With `all`, evaluates every test of each upload. With `changing`, evaluates only tests whose status may become
   * worse.
   */
  constructor(
    count: number,
    private readonly evaluates: 'all' | 'changing' = 'changing',
  ) {
    this.tests = Array.from({ length: count }, (_, test) => ({
      id: (Math.imul(test + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0'),
      byClass: { stable: [], queue: [], pull_request: [] },
      byCode: new Map(),
      failures: [],
      evaluated: { status: 'healthy', statusReason: '', isFromPullRequests: false, alarms: [] },
    }));
  }

  hear(upload: MadeUpload): Verdict[] {
    this.uploads += 1;
    const group = this.groupOf(upload);
    const wasOutage = group.isOutage;
    for (const result of upload.results) this.store(result, upload, group);
    const totals = { ran: group.distinct.count, healthyFailed: group.healthyFailed.size };
    group.isOutage = isInfrastructureFailure(totals, infrastructureFailures);
    const revised = wasOutage === group.isOutage ? [] : [...group.failed];
    const changing = upload.results.filter((result) => this.mayChange(result, upload)).map(({ test }) => test);
    return [...new Set([...changing, ...revised])].flatMap((test) => this.evaluate(test, upload.at));
  }

  /**
   * The status on which other pull requests rely. Verdicts from the evidence of pull requests alone do not affect it.
   */
  statusForOthers(test: number): HealthStatus {
    const { status, isFromPullRequests } = this.tests[test]!.evaluated;
    return isFromPullRequests ? 'healthy' : status;
  }

  /**
   * The service evaluates every recently failed test of an upload. If a test passed in this run and in the run before,
   * its status cannot become worse, so this method skips it. A flaky test is evaluated now and then, so that its
   * recovery is noticed.
   */
  private mayChange({ test, failed }: MadeResult, { run, step }: MadeUpload): boolean {
    const { evaluated, byClass, failures } = this.tests[test]!;
    if (failures.length === 0) return false;
    if (this.evaluates === 'all') return true;
    if (failed || evaluated.status === 'broken' || (evaluated.status === 'flaky' && step % 10 === 0)) return true;
    if (failures.slice(-10).some((failure) => codeOf(failure.run) === codeOf(run))) return true;
    return byClass[run.branchClass]
      .slice(run.branchClass === 'queue' ? -30 : -2)
      .some(({ outcome }) => outcome === 'failed');
  }

  private groupOf({ run }: MadeUpload): Group {
    const key = `${run.branchClass} ${run.prNumber} ${run.commit}`;
    const group = this.groups.get(key) ?? {
      distinct: new DistinctTests(),
      failed: new Set<number>(),
      healthyFailed: new Set<number>(),
      isOutage: false,
    };
    this.groups.set(key, group);
    return group;
  }

  private store({ test, failed }: MadeResult, { run, at, attempt, shard }: MadeUpload, group: Group): void {
    const stored = this.tests[test]!;
    group.distinct.add(stored.id);
    const keys = { conditionsKey: conditionsKey(run), attemptKey: `${run.commit} ${attempt}` };
    const of = { run, attempt, shard, group, uploadId: `${this.uploads}`, ...keys };
    const result: StoredResult = { outcome: failed ? 'failed' : 'passed', at, ...of };
    const code = codeOf(run);
    if (failed) {
      group.failed.add(test);
      if (wasHealthy(stored, result)) group.healthyFailed.add(test);
      stored.failures.push(result);
    }
    stored.byClass[run.branchClass].push(result);
    const sameCode = stored.byCode.get(code);
    if (sameCode) sameCode.push(result);
    else stored.byCode.set(code, [result]);
  }

  private evaluate(test: number, now: Date): Verdict[] {
    const stored = this.tests[test]!;
    const { evaluated } = stored;
    // Without a counting failure no monitor can be active, and the service does not evaluate the test.
    if (evaluated.status === 'healthy' && !stored.failures.some(({ group }) => !group.isOutage)) return [];
    stored.evaluated = evaluateTest(monitors, { ...evaluated, mutes: [] }, factsOf(stored, now), now);
    const { status } = stored.evaluated;
    return status === evaluated.status ? [] : [{ test, status }];
  }
}

/** Whether the test recently passed outside outages on another commit that pull requests cannot change. */
function wasHealthy({ byClass }: StoredTest, { run }: StoredResult): boolean {
  return [byClass.stable, byClass.queue].some((results) =>
    latestCommits(results.slice(-READ_RESULTS).filter(({ run: { commit } }) => commit !== run.commit)).some(
      ({ outcome, group }) => outcome === 'passed' && !group.isOutage,
    ),
  );
}

/** The results that belong to the ten latest commits. */
function latestCommits(results: readonly StoredResult[]): readonly StoredResult[] {
  const commits = [...new Set(results.map(({ run }) => run.commit).reverse())].slice(0, LATEST_COMMITS);
  return results.filter(({ run }) => commits.includes(run.commit));
}

function factsOf(stored: StoredTest, now: Date): TestFacts {
  const after = now.getTime() - MAX_WINDOW_DAYS * DAY_MS;
  const recent = (results: readonly StoredResult[]) =>
    results.slice(-MOST_RESULTS).filter(({ at, group }) => at.getTime() > after && !group.isOutage);
  const results = [...recent(stored.byClass.stable), ...recent(stored.byClass.queue)];
  const none = new Map();
  const lines = commitsByLine(results);
  return { retriedCommits: retriedCommits(stored, now), lines, counts: none, countsWithoutPullRequests: none };
}

function retriedCommits({ byCode, byClass, failures }: StoredTest, now: Date): RetriedCommit[] {
  const after = now.getTime() - QUIET_DAYS * DAY_MS;
  const recent = failures.slice(-MOST_RESULTS).filter(({ at, group }) => at.getTime() > after && !group.isOutage);
  const most = mostUploads(byClass);
  return [...new Set(recent.map(({ run }) => codeOf(run)))].flatMap((code) => {
    const results = byCode.get(code)!.filter(({ group }) => !group.isOutage);
    const uploads = results.map(({ run, at, outcome, attempt, shard }) => ({
      ...{ run, attempt, shard, isOneOfShards: shard !== '' },
      ...{ failedAt: outcome === 'failed' ? at : null, passedAt: outcome === 'passed' ? at : null },
    }));
    return retriedCommit(uploads, { most, quietDays: QUIET_DAYS, now }) ?? [];
  });
}

/**
 * The most uploads of one attempt. Each upload has a test at most once, so the number of results is the number of
 * uploads.
 */
function mostUploads({ stable, queue, pull_request }: StoredTest['byClass']): MostUploads {
  const found = new Map<string, number>();
  return (conditions, withPullRequests) => {
    const key = `${conditions} ${withPullRequests}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const sizes = new Map<string, number>();
    let most = 1;
    for (const own of [stable, queue, ...(withPullRequests ? [pull_request] : [])]) {
      for (const result of own.slice(-MOST_RESULTS)) {
        if (result.conditionsKey !== conditions) continue;
        const size = (sizes.get(result.attemptKey) ?? 0) + 1;
        sizes.set(result.attemptKey, size);
        most = Math.max(most, size);
      }
    }
    found.set(key, most);
    return most;
  };
}

function codeOf({ tree, commit }: ReportedRun): string {
  return tree ?? commit;
}
