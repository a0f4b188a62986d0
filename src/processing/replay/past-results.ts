import type { Instant } from '../../engine/vocabulary';
import { labelOf, type PastHead, type PastReport, type PastRun, type QueueHistory } from './history';
import { type PastTree, PastTargets, PastTrees } from './past-trees';
import { atOnce, type Steps } from './steps';

/** The result of a test in a replay. `how`: whether the same tree was tested in the history. */
export interface ReplayedVerdict {
  readonly how: 'tested' | 'concluded' | 'assumed';
  readonly state: PastReport['state'];
}

interface KnownTest {
  readonly run: PastRun;
  readonly result: PastReport | null;
}

/** This many failed tests without a pass in between, none of which has a known cause, are an outage. */
const OUTAGE_FROM = 3;

/**
 * The results of a history's tests, for any tree. A tree that was tested has its own results, in their order. Any other
 * tree fails if it contains a head that is known to fail, if it is tested in an outage, or at the rate of flaky tests.
 * Otherwise the tree is assumed to pass, because its parts did.
 */
export class PastResults {
  readonly trees = new PastTrees();
  private readonly attempts = new Map<number, KnownTest[]>();
  private readonly landed: ReadonlySet<string>;
  /** The heads that failed in isolation on the target and never landed. */
  private readonly red = new Set<string>();
  private readonly redTogether: (readonly string[])[] = [];
  private readonly outages: { from: Instant; to: Instant }[] = [];
  private flakes = 0;
  private results = 0;

  private constructor({ landed }: QueueHistory) {
    this.landed = new Set(landed.map(labelOf));
  }

  static of(history: QueueHistory): PastResults {
    return atOnce(PastResults.learning(history));
  }

  /** Like `of`, in steps of one run. Several replays may share the result. */
  static *learning(history: QueueHistory): Steps<PastResults> {
    const results = new PastResults(history);
    yield* results.learnAttempts(history);
    yield* results.learnReds(history);
    yield* results.learnFlakes(history);
    return results;
  }

  /**
   * The test of this tree with that index, counted from 0, as it was in the history; null if there were fewer tests.
   */
  attempt(tree: PastTree, index: number): PastRun | null {
    return this.attempts.get(tree.id)?.[index]?.run ?? null;
  }

  private *learnAttempts(history: QueueHistory): Steps<void> {
    const lastEpoch = Math.max(history.start.epoch, ...history.runs.map(({ epoch }) => epoch));
    const targets = new PastTargets(this.trees, history, lastEpoch);
    for (const run of history.runs) {
      yield;
      const base = run.kind === 'direct' ? null : targets.at(run.epoch, run.landedSeq);
      if (base === null) continue;
      const tree = this.trees.growAll(base, run.holds);
      this.attempts.set(tree.id, [...(this.attempts.get(tree.id) ?? []), { run, result: run.reports.at(-1) ?? null }]);
    }
  }

  /**
   * The result of a test that the history does not have, or that was stopped there. `holds`: the heads on top of the
   * target.
   */
  verdict(tree: PastTree, holds: readonly PastHead[], endsAt: Instant, run: number): ReplayedVerdict {
    const known = this.attempts.get(tree.id)?.findLast(({ result }) => result !== null)?.result;
    if (known) return { how: 'tested', state: known.state };
    const labels = holds.map(labelOf);
    if (labels.some((label) => this.red.has(label)) || this.isRedTogether(labels))
      return { how: 'concluded', state: 'failed' };
    const isOut = this.outages.some(({ from, to }) => from <= endsAt && endsAt <= to);
    if (isOut || this.isFlake(labels, run)) return { how: 'concluded', state: 'failed' };
    return { how: 'assumed', state: 'passed' };
  }

  /** Whether no failure of this head is known. */
  isInnocent(head: PastHead): boolean {
    return !this.red.has(labelOf(head));
  }

  private isRedTogether(labels: readonly string[]): boolean {
    return this.redTogether.some((group) => group.every((label) => labels.includes(label)));
  }

  /** Whether the test fails as a flake: at the rate of the history, and in every replay for the same tests. */
  private isFlake(labels: readonly string[], run: number): boolean {
    if (this.flakes === 0) return false;
    return hashOf(`${labels.join(' ')} ${run}`) / HASHES < this.flakes / this.results;
  }

  private *learnReds({ runs, ends }: QueueHistory): Steps<void> {
    const passed = new Set(
      runs.flatMap((run) => (run.holds.length === 1 && passedIn(run) ? run.holds.map(labelOf) : [])),
    );
    const isUnknown = (label: string): boolean => !this.landed.has(label) && !passed.has(label);
    const byTests = ends.filter(({ end, reason }) => end === 'failed' && isByTests(reason)).map(labelOf);
    const alone = runs
      .filter((run) => run.holds.length === 1 && failedIn(run))
      .flatMap((run) => run.holds.map(labelOf));
    for (const label of [...byTests, ...alone]) if (isUnknown(label)) this.red.add(label);
    for (const run of runs) {
      yield;
      const labels = run.holds.map(labelOf);
      const isExplained =
        labels.length < 2 || labels.some((label) => this.red.has(label)) || this.isRedTogether(labels);
      if (failedIn(run) && !isExplained && !labels.every((label) => this.landed.has(label)))
        this.redTogether.push(labels);
    }
  }

  private *learnFlakes({ runs }: QueueHistory): Steps<void> {
    const ended = runs.flatMap((run) => (run.reports[0] ? [{ run, at: endOf(run) }] : [])).sort((a, b) => a.at - b.at);
    this.results = ended.length;
    let reds: Instant[] = [];
    for (const { run, at } of ended) {
      yield;
      if (passedIn(run)) {
        this.takeStreak(reds);
        reds = [];
      } else if (this.isForNothing(run)) reds.push(at);
    }
    this.takeStreak(reds);
  }

  private takeStreak(reds: readonly Instant[]): void {
    if (reds.length >= OUTAGE_FROM) this.outages.push({ from: reds[0]!, to: reds.at(-1)! });
    else this.flakes += reds.length;
  }

  private isForNothing({ holds }: PastRun): boolean {
    const labels = holds.map(labelOf);
    return !labels.some((label) => this.red.has(label)) && !this.isRedTogether(labels);
  }
}

export function endOf({ orderedAt, start, reports }: PastRun): Instant {
  return orderedAt + (start?.toldAfter ?? 0) + (reports[0]?.after ?? 0);
}

export function isByTests(reason: string | null): boolean {
  return reason === 'test_run_required_status_failed' || reason === 'test_run_failed_by_optimization';
}

function passedIn({ reports }: PastRun): boolean {
  return reports.at(-1)?.state === 'passed';
}

function failedIn({ reports }: PastRun): boolean {
  return reports.at(-1)?.state === 'failed';
}

const HASHES = 2 ** 32;

/** The FNV-1a hash of the text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
