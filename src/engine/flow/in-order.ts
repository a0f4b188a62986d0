import type { Change, EntryMoved } from '../changes';
import type { QueueSnapshot, Stretch, TestRun } from '../model';
import { isControl } from '../policy/slots';
import { lastReportOn } from '../policy/statuses';
import { isConcluded } from '../states';
import type { Instant } from '../vocabulary';
import { learning, outcomeOf } from './learning';
import {
  afterOutage,
  afterPass,
  afterRed,
  afterUndecided,
  withPassing,
  withRedIn,
  withRedTarget,
} from '../flow-facts/results';
import { flowOf } from '../flow-facts/scheduling';
import type { FlowState, RedTest } from '../flow-state';
import { OUTAGE_FROM, redsIn } from '../flow-facts/streaks';

type RunPassed = Extract<Change, { type: 'runPassed' }>;
type RunFailed = Extract<Change, { type: 'runFailed' }>;

/**
 * Applies a change to the facts on which verdicts of a sequential queue rest. `before`, `after`: the queue without and
 * with the change.
 */
export function evolveInOrder(before: QueueSnapshot, after: QueueSnapshot, change: Change): QueueSnapshot {
  switch (change.type) {
    case 'runPassed':
      return isTested(before, change.run) ? passed(before, after, change) : after;
    case 'runFailed':
      return failed(before, after, change);
    case 'redAloneFound':
      return withFlow(after, withRedIn(flowOf(after), change.streak));
    case 'runEnded':
      return change.because === 'blamed' ? remembered(after, runOf(before, change.run)) : after;
    case 'entryMoved':
      return isConcluded(change.to) ? concluded(after, change) : after;
    case 'entryFollowedHead':
      return forgotten(after, change.entryId);
    default:
      return after;
  }
}

function withFlow(queue: QueueSnapshot, flow: FlowState): QueueSnapshot {
  return { ...queue, flow };
}

function runOf({ runs }: QueueSnapshot, number: number): TestRun | undefined {
  return runs.find((run) => run.number === number);
}

/** A reused result says nothing about whether the tests work now. */
function isTested(queue: QueueSnapshot, number: number): boolean {
  const run = runOf(queue, number);
  return run !== undefined && run.kind !== 'direct' && !run.reused;
}

function passed(before: QueueSnapshot, after: QueueSnapshot, { run: number, at }: RunPassed): QueueSnapshot {
  const flow = afterPass(afterOutage(flowOf(after), at), 0);
  const run = runOf(before, number);
  // If a run failed for a while before it passed, the tests worked only at its end.
  const isGreenThroughout = run?.failure === null && run.redSince === null;
  const tested = isGreenThroughout ? testedIn(before, run, at) : undefined;
  const passing = tested && { passing: withPassing(flow.passing, tested) };
  return learning(withFlow(after, { ...flow, ...passing }), 'flake', 'no');
}

/** The time of the test in host time: if a report arrived late, the test ended when CI reported. */
function testedIn(queue: QueueSnapshot, run: TestRun, at: Instant): Stretch | undefined {
  const until = Math.min(at, lastReportOn(queue, run) ?? at);
  return run.pushedAt === null ? undefined : { from: run.pushedAt, until };
}

function failed(before: QueueSnapshot, after: QueueSnapshot, { run: number, failure, at }: RunFailed): QueueSnapshot {
  const run = runOf(before, number);
  if (run === undefined || !isTested(before, number)) return after;
  const flow = flowOf(after);
  if (!isControl(before, run)) return counted(after, number, testedIn(before, run, at));
  if (failure.type !== 'status') return withFlow(after, afterUndecided(flow, at));
  return withFlow(after, withRedTarget(afterRed(flow, 0), at));
}

/** A failed run counts once it is blamed, with the time of its failure. */
function counted(queue: QueueSnapshot, number: number, tested: Stretch | undefined): QueueSnapshot {
  const { results: before, ...flow } = flowOf(queue);
  const results = before + 1;
  const moment = { result: results, streak: flow.streak, ...(tested && { tested }) };
  const runs = queue.runs.map((run) =>
    run.number === number && run.failure ? { ...run, failure: { ...run.failure, moment } } : run,
  );
  return { ...queue, runs, flow: { ...flow, results, lastRed: results } };
}

const KEPT = 16;

/** Remembers a blamed run until all its entries have landed, or one entry has concluded without landing. */
function remembered(queue: QueueSnapshot, run: TestRun | undefined): QueueSnapshot {
  if (run?.phase !== 'failed' || run.failure?.type !== 'status' || run.reused) return queue;
  const { redTests, ...flow } = flowOf(queue);
  const { streak } = run.failure.moment ?? flow;
  const entryIds = run.own.map(({ entryId }) => entryId);
  const test: RedTest = { run: run.number, streak, open: entryIds.length, entryIds };
  return withFlow(queue, { ...flow, redTests: [...redTests, test].slice(-KEPT) });
}

/** A failed run was a flake when all its entries landed, unless all tests failed at that time: that was an outage. */
function concluded(queue: QueueSnapshot, change: EntryMoved): QueueSnapshot {
  const outcome = outcomeOf(change);
  // With line depth `by_chance`, the queue learns how often pull requests fail their tests.
  const isByChance = queue.settings.lineDepth === 'by_chance' && outcome !== null;
  const learned = isByChance ? learning(queue, 'failure', outcome) : queue;
  return outcome === 'no' ? landed(learned, change.entryId) : forgotten(learned, change.entryId);
}

function landed(queue: QueueSnapshot, entryId: string): QueueSnapshot {
  const tests = flowOf(queue).redTests.map((test) => without(test, entryId));
  const flakes = tests.filter(({ open, streak }) => open === 0 && redsIn(queue, streak) < OUTAGE_FROM);
  const kept = withRedTests(
    queue,
    tests.filter(({ open }) => open > 0),
  );
  return flakes.reduce((learned) => learning(learned, 'flake', 'yes'), kept);
}

function without(test: RedTest, entryId: string): RedTest {
  const entryIds = (test.entryIds ?? []).filter((id) => id !== entryId);
  return { ...test, entryIds, open: entryIds.length };
}

/** Forgets the failed runs of an entry that failed, left or changed, because the entry may have caused the failures. */
function forgotten(queue: QueueSnapshot, entryId: string): QueueSnapshot {
  return withRedTests(
    queue,
    flowOf(queue).redTests.filter(({ entryIds }) => !entryIds?.includes(entryId)),
  );
}

function withRedTests(queue: QueueSnapshot, redTests: readonly RedTest[]): QueueSnapshot {
  return queue.flow === undefined ? queue : withFlow(queue, { ...queue.flow, redTests });
}
