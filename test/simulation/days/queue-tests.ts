import type { StartTestRun } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import type { StatusFact, UploadFact } from '../../../src/engine/model';
import { MINUTE } from '../../../src/engine/vocabulary';
import type { EngineHost, Tree } from '../../support/engine-host';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import type { Chance } from './chance';
import type { AcquittalCheck } from './checks/acquittal-check';
import type { JusticeCheck } from './checks/justice-check';
import type { Mishaps } from './mishaps';
import { type Job, SimulatedCi } from './simulated-ci';
import type { Surroundings } from './surroundings';

export type Verdict = 'passed' | 'failed' | 'open';

interface TestedQueue {
  readonly host: EngineHost;
  readonly store: EngineStore;
  readonly chance: Chance;
  readonly mishaps: Mishaps;
}

/** Checks to which the runs of the queue are reported. */
interface ChecksOfRuns {
  readonly acquittals: AcquittalCheck;
  readonly justice: JusticeCheck;
  started(run: number, commit: string): void;
}

/** The test runs of one queue at its CI, and CI's reports on their commits. */
export class QueueTests {
  private readonly ci: SimulatedCi;
  private readonly pushed = new Set<number>();

  constructor(
    private readonly around: Surroundings,
    private readonly queue: TestedQueue,
    publish: (report: StatusFact, job: Job) => void,
    upload: (upload: UploadFact) => void,
  ) {
    const { chance, mishaps } = queue;
    this.ci = new SimulatedCi(around.plan.ci, mishaps, chance, around.time, publish, upload);
  }

  /** Handles the outcome of a start command. CI tests each pushed commit once. */
  started({ run, reuseSince }: StartTestRun, outcome: QueueEvent, checks: ChecksOfRuns): void {
    if (outcome.type !== 'runPushed' && outcome.type !== 'runResultKnown') return;
    checks.started(run, outcome.commit);
    if (outcome.type === 'runResultKnown') return this.inheritDoubt(outcome, reuseSince ?? 0, checks);
    if (this.pushed.has(run)) return;
    this.pushed.add(run);
    const { branch, candidates } = this.queue.host;
    this.test(
      branch === 'main' ? `run ${run}` : `run ${run} of ${branch}`,
      outcome.commit,
      candidates.get(outcome.commit)!.tree,
    );
  }

  stopped(commit: string): void {
    this.ci.stop(commit);
  }

  testHead(number: number, tree: Tree): void {
    const { head } = this.queue.host.pullRequest(number);
    this.test(`head ${head}`, head, tree);
  }

  doubt(commit: string): void {
    this.ci.doubt(commit);
  }

  isHonest(commit: string): boolean {
    return this.ci.isHonest(commit);
  }

  verdictOf(commit: string, name: string): Verdict {
    const reports = this.queue.store.reportsOn(commit).filter((report) => report.name === name);
    if (reports.some(({ state }) => state === 'failed' || state === 'lost')) return 'failed';
    return reports.length > 0 && reports.every(({ state }) => state === 'passed') ? 'passed' : 'open';
  }

  private test(name: string, commit: string, tree: Tree): void {
    const { plan, code } = this.around;
    const timeout = plan.settings.testingTimeoutMinutes * MINUTE;
    this.ci.test({ name, commit, tree, timeout, isRed: code.isRed(tree) });
  }

  /** Marks a reused result as unreliable if the run from which it comes was unreliable. */
  private inheritDoubt(
    { run, commit, tree, requiredStatuses }: Extract<QueueEvent, { type: 'runResultKnown' }>,
    since: number,
    checks: ChecksOfRuns,
  ): void {
    const known = this.queue.store.results.of(tree, requiredStatuses, since);
    if (known) checks.acquittals.tookOver(run, known.at);
    const before = checks.justice.commitOf(known?.run ?? 0);
    if (before === null || !this.isHonest(before)) this.doubt(commit);
  }
}
