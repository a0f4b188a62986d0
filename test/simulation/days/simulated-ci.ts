import type { ReportState, StatusFact, UploadFact } from '../../../src/engine/model';
import { type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import type { Tree } from '../../support/engine-host';
import type { Chance } from './chance';
import { REQUIRED } from './draw-settings';
import type { Mishaps } from './mishaps';
import type { CiPlan, NoisePlan } from './plan';
import type { Time } from './time';

/** A status that the same CI reports, but that no queue requires. */
const NOT_REQUIRED = 'docs';

const NOTHING_FAILED = { flaky: 0, others: 0, tests: [] } as const;

/** A commit to test, and whether its tree fails. */
export interface Job {
  /** The key of the random draws for this job. */
  readonly name: string;
  readonly commit: string;
  readonly tree: Tree;
  readonly isRed: boolean;
  readonly timeout: Instant;
}

interface Result {
  readonly name: string;
  readonly state: ReportState;
  readonly at: Instant;
}

/**
 * Simulates a CI that reports on commits after some time. Without mishaps CI reports the truth about a tree once and in
 * time. In the noisy part of the day its reports may be wrong, late, missing, repeated or contradictory.
 */
export class SimulatedCi {
  /** Commits on which a report was wrong or late. */
  private readonly doubtful = new Set<string>();
  private readonly stopped = new Set<string>();

  constructor(
    private readonly plan: CiPlan,
    private readonly mishaps: Mishaps,
    private readonly chance: Chance,
    private readonly time: Time,
    private readonly publish: (report: StatusFact, job: Job) => void,
    private readonly upload: (upload: UploadFact) => void,
  ) {}

  test(job: Job): void {
    const { shortestMinutes, longestMinutes } = this.plan;
    const length = this.chance.between(shortestMinutes, longestMinutes, 'length', job.name) * MINUTE;
    const truth = this.truthOf(job, length);
    if (this.mishaps.happens('silent', job.name)) return this.doubt(job.commit);
    const results = this.time.isNoisy ? this.distort(job, truth) : truth;
    for (const name of REQUIRED) this.announce(job, { name, state: 'running', at: this.time.now + 5 * SECOND });
    for (const result of results) this.announce(job, result);
    this.uploadResults(job, results);
    const isDocsRed = this.chance.happens(0.3, 'docs', job.name);
    this.announce(job, { name: NOT_REQUIRED, state: isDocsRed ? 'failed' : 'passed', at: this.time.now + length });
  }

  /** The queue does not need the result any more. Usually CI then reports nothing more about the commit. */
  stop(commit: string): void {
    if (!this.chance.happens(0.3, 'goes on', commit)) this.stopped.add(commit);
  }

  doubt(commit: string): void {
    this.doubtful.add(commit);
  }

  /** Whether all reports on the commit were true and in time. */
  isHonest(commit: string): boolean {
    return !this.doubtful.has(commit);
  }

  private truthOf(job: Job, length: Instant): readonly Result[] {
    const last = this.chance.of('last', job.name).below(REQUIRED.length);
    return REQUIRED.map((name, i) => {
      const isFailed = job.isRed && (i === 0 || this.chance.happens(0.4, 'fails too', name, job.name));
      const share = i === last ? 1 : this.chance.between(0.3, 1, 'share', name, job.name);
      return { name, state: isFailed ? 'failed' : 'passed', at: this.time.now + length * share };
    });
  }

  private distort(job: Job, truth: readonly Result[]): readonly Result[] {
    const happens = (mishap: keyof NoisePlan): boolean => this.mishaps.happens(mishap, job.name);
    const one = this.chance.of('which', job.name).below(REQUIRED.length);
    const later = (result: Result): Instant => result.at + this.chance.between(SECOND, 20 * MINUTE, 'again', job.name);
    const results = [...truth];
    const chosen = truth[one]!;
    const alter = (state: ReportState): void => void (results[one] = { ...chosen, state });
    if (!job.isRed && happens('redForNothing')) {
      this.doubt(job.commit);
      alter('failed');
      if (happens('greenAfterRed')) results.push({ ...chosen, state: 'passed', at: later(chosen) });
    } else if (job.isRed && happens('greenForNothing')) {
      this.doubt(job.commit);
      return truth.map((result) => ({ ...result, state: 'passed' }));
    } else if (!job.isRed && happens('redAfterGreen')) {
      this.doubt(job.commit);
      results.push({ ...chosen, state: 'failed', at: later(chosen) });
    }
    if (happens('cancelled')) {
      this.doubt(job.commit);
      alter('lost');
    }
    if (happens('neverReported')) {
      this.doubt(job.commit);
      return results.filter((result) => result.name !== chosen.name);
    }
    if (!happens('reportedLate')) return results;
    this.doubt(job.commit);
    const delay = this.chance.between(0, 1.5, 'how late', job.name) * job.timeout;
    return results.map((result) => ({ ...result, at: this.time.notAfterNoise(result.at + delay, result.at) }));
  }

  /**
   * Uploads the test results in parts, usually just before the first failed status. One of the parts has the failures.
   */
  private uploadResults(job: Job, results: readonly Result[]): void {
    const red = results.filter(({ state }) => state === 'failed').map(({ at }) => at);
    const at = Math.min(...(red.length > 0 ? red : results.map((result) => result.at)));
    const failing = this.chance.of('part', job.name).below(Math.max(1, this.plan.uploads));
    for (let part = 0; part < this.plan.uploads; part++) {
      if (this.mishaps.happens('uploadLost', job.name, part)) continue;
      const late = this.chance.between(0, 4 * MINUTE, 'late upload', job.name, part);
      const when = at + (this.mishaps.happens('uploadLate', job.name, part) ? late : -SECOND);
      const failed = part === failing && red.length > 0 ? this.failedTests(job) : NOTHING_FAILED;
      this.time.at(when, () => {
        if (!this.stopped.has(job.commit)) this.upload({ commit: job.commit, upload: String(part), ...failed });
      });
    }
  }

  /**
   * The failed tests of a job. If the tree fails, usually healthy tests have failed. If the tree passes, only flaky
   * tests have failed, and usually they are known.
   */
  private failedTests(job: Job): Omit<UploadFact, 'commit' | 'upload'> {
    const isLikeFlake = job.isRed
      ? this.mishaps.happens('redLikeFlake', job.name)
      : this.chance.happens(0.8, 'known flake', job.name);
    const hasFlake = isLikeFlake || this.chance.happens(0.3, 'flake beside it', job.name);
    return { flaky: hasFlake ? 1 : 0, others: isLikeFlake ? 0 : 1, tests: hasFlake ? ['e2e'] : [] };
  }

  private announce(job: Job, { name, state, at }: Result): void {
    const { commit } = job;
    this.time.at(at, () => {
      if (this.stopped.has(commit)) return;
      const report: StatusFact = { commit, kind: 'status', name, app: null, state, reportedAt: this.time.now };
      this.publish(report, job);
      if (this.plan.reportedTwice.includes(name)) this.publish({ ...report, kind: 'check_run' }, job);
    });
  }
}
