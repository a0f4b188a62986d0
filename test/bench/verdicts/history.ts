import { HOUR_MS } from '../../../src/modules/test-health/rules/days';
import type { ReportedRun } from '../../../src/modules/test-health/rules/tested-run';
import { random } from '../test-health/made-results';
import { isBroken, makeTruths, type Truth } from './truth';

export interface Scenario {
  readonly name: string;
  readonly steps: number;
  /** Whether every run with a failure is repeated once on its commit. */
  readonly reruns: boolean;
  /** The tested commits: main after each change, testing branches before the merge, or both for the same commit. */
  readonly tests: 'main' | 'queue' | 'queue and main';
  /** The number of jobs that share the tests of a run. Each job uploads separately. */
  readonly shards: number;
  /** Each of these jobs runs all tests. A test that fails on one variant only fails in the first job. */
  readonly jobs?: readonly string[];
  /**
   * The name that all jobs give in their uploads; by default, each job gives its own name. When a job fails, CI cancels
   * the other jobs. On a repetition, the cancelled job uploads first.
   */
  readonly oneName?: string;
  /** Whether each upload states the conditions of its job. */
  readonly saysConditions?: boolean;
  /**
   * Each job uploads these packages one by one. Every second test also occurs in the other packages, as another test
   * that has the same name and never fails.
   */
  readonly packages?: readonly string[];
  /** Whether job names include package names. */
  readonly namesPackages?: boolean;
  /**
   * Share of runs in which CI cancels the other jobs after a failure. If absent, CI cancels them in all runs if the
   * jobs share one name, and otherwise in no run.
   */
  readonly cancelled?: number;
  /** The job that stops at its first failure, so that its later tests have no result. */
  readonly bails?: string;
}

export interface MadeResult {
  readonly test: number;
  readonly failed: boolean;
}

export interface MadeUpload {
  readonly run: ReportedRun;
  /** The attempt of the job. */
  readonly attempt: string;
  /** The shard of the job; '' if the job runs all tests. */
  readonly shard: string;
  readonly at: Date;
  /** The step of main at the time of the upload, as the number of a commit of main. */
  readonly step: number;
  readonly results: readonly MadeResult[];
  /** Whether machines failed during the run. */
  readonly isOutage: boolean;
}

export interface History {
  readonly scenario: Scenario;
  readonly truths: readonly Truth[];
  /** The uploads, in order of their arrival. */
  readonly uploads: readonly MadeUpload[];
}

const START = Date.parse('2026-10-01T00:00:00Z');
const STEP_MS = 2 * HOUR_MS;
const RERUN_AFTER_MS = HOUR_MS / 3;
const RELEASE_EVERY = 8;
/** Share of testing runs whose change really breaks tests. */
const CULPRITS = 0.03;
const SAME_HEAD_AGAIN = 0.8;

export function makeHistory(scenario: Scenario, seed: number): History {
  const next = random(seed);
  const truths = makeTruths({ steps: scenario.steps, next });
  return { scenario, truths, uploads: new Maker(scenario, truths, next).uploads() };
}

interface Outage {
  readonly from: number;
  readonly to: number;
  /** Share of tests that fail during the outage. */
  readonly share: number;
}

interface Candidate {
  readonly number: number;
  readonly head: string;
  /** Tests that the change breaks. */
  readonly breaks: ReadonlySet<number>;
}

interface MadeAttempt {
  readonly step: number;
  readonly time: number;
  readonly attempt: string;
  /** Tests that the run really breaks. */
  readonly breaks: ReadonlySet<number>;
  readonly salt: number;
  /** Whether the jobs after a failed job do not run. */
  readonly cancels: boolean;
}

class Maker {
  private readonly made: MadeUpload[] = [];
  private readonly outages: readonly Outage[];
  private waiting: Candidate[] = [];
  private commits = 0;
  private runs = 0;

  constructor(
    private readonly scenario: Scenario,
    private readonly truths: readonly Truth[],
    private readonly next: () => number,
  ) {
    const count = Math.ceil(scenario.steps / 50);
    this.outages = Array.from({ length: count }, (_, index) => {
      const from = START + (5 + Math.floor(scenario.steps * ((index + next()) / count))) * STEP_MS - HOUR_MS;
      return { from, to: from + HOUR_MS * (0.5 + 5 * next()), share: [0.4, 0.6, 1][index % 3]! };
    });
  }

  uploads(): MadeUpload[] {
    for (let step = 0; step < this.scenario.steps; step++) this.addStep(step);
    return this.made.sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  private addStep(step: number): void {
    const time = START + step * STEP_MS;
    const candidate = { number: step + 1, head: this.newId(), breaks: this.culprits() };
    this.addPullRequest(candidate, step, time - HOUR_MS * 1.5);
    const commit = this.newId();
    const tested = this.scenario.tests === 'main' ? [] : this.addTestingRuns(candidate, step, time - HOUR_MS, commit);
    // A change that fails its own tests does not land.
    const landed = tested.includes(commit) ? this.newId() : commit;
    if (this.scenario.tests !== 'queue') this.addRun(stable('main', landed), step, time);
    if (step % RELEASE_EVERY === 0) this.addRun(stable('release/1', this.newId()), step, time + HOUR_MS / 2);
  }

  private addPullRequest({ number, head }: Candidate, step: number, time: number): void {
    const run = { branchClass: 'pull_request', branch: `change-${number}`, line: '', changes: [] } as const;
    this.addRun(
      { ...run, commit: head, tree: null, prNumber: number, job: '', conditions: '', jobUrl: null },
      step,
      time,
    );
  }

  /**
   * Adds a run for the candidate, whose commit is `commit`, and runs for failed candidates before it. Returns the
   * commits whose changes break tests.
   */
  private addTestingRuns(candidate: Candidate, step: number, time: number, commit: string): string[] {
    const bad: string[] = [];
    const again = this.waiting;
    this.waiting = [];
    for (const [index, one] of [...again, candidate].entries()) {
      const isLast = index === again.length;
      const before = this.made.length;
      const run: ReportedRun = {
        ...{ commit: isLast ? commit : this.newId(), tree: null, branchClass: 'queue', line: 'queue of main' },
        ...{
          branch: `sluice-merge/pr-${one.number}/${step}`,
          changes: [one.head],
          prNumber: one.number,
          job: '',
          conditions: '',
          jobUrl: null,
        },
      };
      this.addRun(run, step, time + index * 60_000, one.breaks);
      const hasFailed = this.made.slice(before).some(({ results }) => results.some(({ failed }) => failed));
      if (hasFailed && again.length < 3) this.waiting.push(this.submittedAgain(one));
      if (one.breaks.size > 0) bad.push(run.commit);
    }
    return bad;
  }

  /**
   * A change that broke tests is fixed and submitted again with another head. Any other change mostly keeps its head.
   */
  private submittedAgain(one: Candidate): Candidate {
    const isSame = one.breaks.size === 0 && this.next() < SAME_HEAD_AGAIN;
    return isSame ? one : { ...one, head: this.newId(), breaks: new Set() };
  }

  private culprits(): ReadonlySet<number> {
    if (this.next() > CULPRITS) return new Set();
    const count = 1 + Math.floor(4 * this.next());
    return new Set(Array.from({ length: count }, () => Math.floor(this.next() * this.truths.length)));
  }

  private addRun(run: ReportedRun, step: number, time: number, breaks: ReadonlySet<number> = new Set()): void {
    const salt = this.next();
    this.runs += 1;
    const { jobs = [run.job], oneName, reruns } = this.scenario;
    const share = this.scenario.cancelled ?? (oneName === undefined ? 0 : 1);
    const cancels = share === 1 || (share > 0 && this.next() < share);
    let failed = this.addAttempt(run, { step, time, breaks, salt, cancels, attempt: `${this.runs}/1` }, jobs);
    if (cancels) failed = failed.toReversed();
    const again = { step, time: time + RERUN_AFTER_MS, breaks, salt, cancels, attempt: `${this.runs}/2` };
    if (reruns) this.addAttempt(run, again, failed);
  }

  /** Returns failed and cancelled jobs. */
  private addAttempt(run: ReportedRun, of: MadeAttempt, jobs: readonly string[]): string[] {
    const failed: string[] = [];
    for (const job of jobs) {
      const isCancelled = of.cancels && failed.length > 0;
      if (isCancelled || this.addUploads({ ...run, job }, of)) failed.push(job);
    }
    return failed;
  }

  private addUploads(run: ReportedRun, of: MadeAttempt): boolean {
    const { shards, packages = [''] } = this.scenario;
    let hasFailed = false;
    for (const own of packages.keys())
      for (let shard = 0; shard < shards; shard++) if (this.addUpload(run, of, { own, shard })) hasFailed = true;
    return hasFailed;
  }

  private addUpload(run: ReportedRun, of: MadeAttempt, { own, shard }: { own: number; shard: number }): boolean {
    const { time, attempt, step } = of;
    const { shards, oneName, saysConditions = false, packages = [''], namesPackages = false, bails } = this.scenario;
    const outage = this.outages.find(({ from, to }) => time >= from && time < to);
    const results: MadeResult[] = [];
    // Each time, other tests lose their results after a failure.
    const first = bails === run.job ? Math.floor(this.next() * this.truths.length) : 0;
    for (let place = shard; place < this.truths.length; place += shards) {
      const test = (place + first) % this.truths.length;
      const isOwn = test % packages.length === own;
      const fails = (this.fails(test, run, step, of.salt) || of.breaks.has(test)) && isOwn;
      const isHit = outage !== undefined && this.next() < outage.share;
      if (step % this.truths[test]!.everySteps !== 0 || (!isOwn && test % 2 === 1)) continue;
      results.push({ test, failed: fails || isHit });
      if ((fails || isHit) && bails === run.job) break;
    }
    const job = namesPackages ? `${run.job} ${packages[own]}` : run.job;
    const at = new Date(time + (own * shards + shard) * 5_000);
    const share = shards === 1 ? '' : `${shard + 1}/${shards}`;
    const named = { ...run, job: oneName ?? job, conditions: saysConditions ? run.job : '' };
    this.made.push({ run: named, attempt, shard: share, at, step, results, isOutage: outage !== undefined });
    return results.some(({ failed }) => failed);
  }

  private fails(test: number, run: ReportedRun, step: number, salt: number): boolean {
    const truth = this.truths[test]!;
    if (truth.flakiness > 0 && this.next() < truth.flakiness) return true;
    const isElsewhere = truth.kind === 'fails on one variant' && run.job !== (this.scenario.jobs?.[0] ?? '');
    if (isBroken(truth, step) && !isElsewhere) return true;
    if (truth.kind === 'fails on one branch') return run.branch === 'release/1' && step >= RELEASE_EVERY * 6;
    // On pull requests in progress that change the test, the test fails on some heads. On one head it fails always or
    // never.
    if (truth.kind === 'fails on pull requests only') {
      return run.branchClass === 'pull_request' && (run.prNumber! + test) % 16 === 0 && (salt * 1_000 + test) % 2 < 1;
    }
    return false;
  }

  private newId(): string {
    this.commits += 1;
    return `${this.commits.toString(16)}`.padStart(40, '0');
  }
}

function stable(branch: string, commit: string): ReportedRun {
  return {
    ...{ commit, tree: null, branchClass: 'stable', branch, line: branch },
    ...{ changes: [], prNumber: null, job: '', conditions: '', jobUrl: null },
  };
}
