import { DAY_MS } from '../../../src/modules/test-health/rules/days';
import type { HealthStatus } from '../../../src/modules/test-health/rules/settings';
import type { MadeUpload } from './history';
import type { Judge, Verdict } from './judge';

interface Seen {
  readonly failed: boolean;
  readonly at: number;
  readonly commit: string;
  readonly isMain: boolean;
}

interface Known {
  status: HealthStatus;
  /** The last 100 results of the test, the latest last. */
  readonly seen: Seen[];
  /** The outcomes of the test so far, by commit. */
  readonly commits: Map<string, { failed: boolean; passed: boolean }>;
  /** When the test last failed and passed on one commit. */
  retriedAt: number;
  passesInRow: number;
}

type Rule = (known: Known, now: number) => HealthStatus;

/** Judges that follow the documented rules of other products, as far as the documents go. */
export function otherProducts(count: number): Judge[] {
  const weekly = retriedWithin(7);
  const of = (name: string, assumed: string, rule: Rule): Judge => new DocumentedRule(name, assumed, count, rule);
  return [
    of('Trunk, defaults', 'pass on retry: one commit, recovers after 7 days', weekly),
    of(
      'Trunk, with a monitor for broken',
      'the same, and broken at 80 % failures of at least 10 runs of main in 24 hours (window and runs assumed)',
      (known, now) => (failsOnMain(known, now) ? 'broken' : weekly(known, now)),
    ),
    of(
      'Mergify, BuildPulse, Develocity',
      'two outcomes of one commit or tree, for 14 days (assumed)',
      retriedWithin(14),
    ),
    of('Harness', 'one commit within 14 days, until 5 passes in a row', (known, now) =>
      known.passesInRow >= 5 ? 'healthy' : retriedWithin(14)(known, now),
    ),
    of('Buildkite', 'transition count: score 0.1 over 50 results (both assumed), every branch', (known) =>
      flips(known.seen.slice(-50)) >= 5 ? 'flaky' : 'healthy',
    ),
    of('BuildButler', '5 flips in 30 runs, or less than 80 % passes; every branch', ({ seen }) => {
      const last = seen.slice(-30);
      const failed = last.filter((one) => one.failed).length;
      return flips(last) >= 5 || failed > 0.2 * last.length ? 'flaky' : 'healthy';
    }),
    of('ReportPortal', 'one change within 30 launches; every branch', ({ seen }) =>
      flips(seen.slice(-30)) >= 1 ? 'flaky' : 'healthy',
    ),
    of('Qaid', 'broken at 3 failures in a row, flaky when it passes and fails (30 runs assumed)', ({ seen }) => {
      const last = seen.slice(-30);
      if (last.length >= 3 && last.slice(-3).every((one) => one.failed)) return 'broken';
      return flips(last) > 0 ? 'flaky' : 'healthy';
    }),
  ];
}

function retriedWithin(days: number): Rule {
  return ({ retriedAt }, now) => (now - retriedAt < days * DAY_MS ? 'flaky' : 'healthy');
}

function failsOnMain({ seen }: Known, now: number): boolean {
  const lately = seen.filter(({ isMain, at }) => isMain && now - at < DAY_MS);
  return lately.length >= 10 && lately.filter((one) => one.failed).length >= 0.8 * lately.length;
}

function flips(seen: readonly Seen[]): number {
  return seen.filter((one, index) => index > 0 && one.failed !== seen[index - 1]!.failed).length;
}

class DocumentedRule implements Judge {
  private readonly tests: Known[];

  constructor(
    readonly name: string,
    readonly assumed: string,
    count: number,
    private readonly rule: Rule,
  ) {
    this.tests = Array.from({ length: count }, () => ({
      status: 'healthy',
      seen: [],
      commits: new Map(),
      retriedAt: -Infinity,
      passesInRow: 0,
    }));
  }

  hear(upload: MadeUpload): Verdict[] {
    const verdicts: Verdict[] = [];
    for (const { test, failed } of upload.results) {
      const known = this.tests[test]!;
      remember(known, upload, failed);
      const status = this.rule(known, upload.at.getTime());
      if (status !== known.status) verdicts.push({ test, status });
      known.status = status;
    }
    return verdicts;
  }
}

const REMEMBERED = 100;

function remember(known: Known, { run, at }: MadeUpload, failed: boolean): void {
  const commit = known.commits.get(run.commit) ?? { failed: false, passed: false };
  known.commits.set(run.commit, commit);
  if (failed) commit.failed = true;
  else commit.passed = true;
  if (commit.failed && commit.passed) known.retriedAt = at.getTime();
  known.passesInRow = failed ? 0 : known.passesInRow + 1;
  known.seen.push({ failed, at: at.getTime(), commit: run.commit, isMain: run.branch === 'main' });
  if (known.seen.length > REMEMBERED) known.seen.shift();
}
