import type { History, MadeResult, MadeUpload } from './history';
import type { Judge } from './judge';
import { isBroken, isFlaky, type Kind, type Span, type Truth } from './truth';

export interface KindScore {
  tests: number;
  /** Tests that were called flaky at any time. */
  flaky: number;
  broken: number;
  /** Tests that failed by chance in at least two runs outside outages. */
  failedTwice: number;
  flakyOfThose: number;
  /** Runs of main (or of testing branches if main is not tested) from the first failure to the verdict. */
  readonly flakyDelays: number[];
  /**
   * `breaks` is the number of breaks that lasted at least as long as the goal's time. `breaksInTime` is the number of
   * these breaks that were found within this time.
   */
  breaks: number;
  breaksInTime: number;
  /** The number of runs from each break to its verdict. */
  readonly brokenDelays: number[];
}

export interface Score {
  readonly byKind: Map<Kind, KindScore>;
  flaky: number;
  trulyFlaky: number;
  broken: number;
  trulyBroken: number;
  /** Tests called flaky or broken that failed in outages only. */
  outOfOutage: number;
}

export function newScore(): Score {
  return { byKind: new Map(), flaky: 0, trulyFlaky: 0, broken: 0, trulyBroken: 0, outOfOutage: 0 };
}

/** The course of one test, and the verdicts about it. */
interface Course {
  /** Runs of the test, outside outages, on branches that count for verdicts. */
  runs: number;
  failures: number;
  firstFailure: number;
  flakyAfter: number | null;
  calledBroken: boolean;
  wronglyBroken: boolean;
  /** For each break, the number of runs so far, and the number of runs until the verdict "broken". */
  readonly breaks: { runs: number; foundAfter: number | null }[];
  /** The commit that was counted last, so that a re-run of this commit does not count again. */
  commit: string;
  ownFailures: number;
}

/** Gives the uploads of a history to the rules, and adds the verdicts of the rules to the score. */
export function scoreHistory(score: Score, history: History, judge: Judge): void {
  const { truths, scenario } = history;
  const courses = truths.map((truth): Course => newCourse(truth));
  const inOutage = new Set(history.uploads.filter(({ isOutage }) => isOutage).map(({ run }) => run.commit));
  for (const upload of history.uploads) {
    // A commit with an outage in any of its runs counts for nothing, even after a re-run.
    const isLine =
      !inOutage.has(upload.run.commit) && upload.run.line === (scenario.tests === 'queue' ? 'queue of main' : 'main');
    if (!upload.isOutage) {
      for (const result of upload.results) {
        follow(courses[result.test]!, truths[result.test]!, { upload, result, isLine });
      }
    }
    for (const { test, status } of judge.hear(upload)) say(courses[test]!, truths[test]!, status, upload.step);
  }
  courses.forEach((course, test) => addCourse(score, truths[test]!, course));
}

function newCourse({ broken }: Truth): Course {
  return {
    ...{ runs: 0, failures: 0, firstFailure: 0, flakyAfter: null, calledBroken: false, wronglyBroken: false },
    ...{ commit: '', ownFailures: 0, breaks: broken.map(() => ({ runs: 0, foundAfter: null })) },
  };
}

interface Heard {
  readonly upload: MadeUpload;
  readonly result: MadeResult;
  readonly isLine: boolean;
}

function follow(course: Course, truth: Truth, { upload, result, isLine }: Heard): void {
  if (result.failed) course.ownFailures += 1;
  if (!isLine || upload.run.commit === course.commit) return;
  course.commit = upload.run.commit;
  course.runs += 1;
  const isChance = result.failed && !isBroken(truth, upload.step);
  if (isChance) course.failures += 1;
  if (isChance && course.failures === 1) course.firstFailure = course.runs;
  truth.broken.forEach((span, index) => {
    if (isIn(span, upload.step)) course.breaks[index]!.runs += 1;
  });
}

function say(course: Course, truth: Truth, status: string, step: number): void {
  if (status === 'flaky') course.flakyAfter ??= Math.max(course.runs - course.firstFailure, 0);
  if (status !== 'broken') return;
  course.calledBroken = true;
  const isReal = isBroken(truth, step) || (truth.kind === 'fails on one branch' && course.ownFailures > 0);
  if (!isReal) course.wronglyBroken = true;
  truth.broken.forEach((span, index) => {
    if (isIn(span, step)) course.breaks[index]!.foundAfter ??= course.breaks[index]!.runs;
  });
}

function isIn({ from, to }: Span, step: number): boolean {
  return step >= from && step < to;
}

function addCourse(score: Score, truth: Truth, course: Course): void {
  const kind = kindOf(score, truth.kind);
  kind.tests += 1;
  const calledFlaky = course.flakyAfter !== null;
  if (calledFlaky) {
    kind.flaky += 1;
    score.flaky += 1;
    if (isFlaky(truth)) score.trulyFlaky += 1;
  }
  if (course.calledBroken) {
    kind.broken += 1;
    score.broken += 1;
    if (!course.wronglyBroken) score.trulyBroken += 1;
  }
  if (course.ownFailures === 0 && (calledFlaky || course.calledBroken)) score.outOfOutage += 1;
  if (isFlaky(truth) && course.failures >= 2) {
    kind.failedTwice += 1;
    if (calledFlaky) kind.flakyOfThose += 1;
    if (calledFlaky) kind.flakyDelays.push(course.flakyAfter!);
  }
  const within = isFlaky(truth) ? 8 : 3;
  for (const { runs, foundAfter } of course.breaks) {
    if (runs < within) continue;
    kind.breaks += 1;
    if (foundAfter !== null && foundAfter <= within) kind.breaksInTime += 1;
    if (foundAfter !== null) kind.brokenDelays.push(foundAfter);
  }
}

export function kindOf(score: Score, kind: Kind): KindScore {
  const known = score.byKind.get(kind) ?? {
    ...{ tests: 0, flaky: 0, broken: 0, failedTwice: 0, flakyOfThose: 0, flakyDelays: [] },
    ...{ breaks: 0, breaksInTime: 0, brokenDelays: [] },
  };
  score.byKind.set(kind, known);
  return known;
}
