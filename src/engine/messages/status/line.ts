import type { Conflict, Entry, QueueSnapshot, TestRun } from '../../model';
import { type Instant, MINUTE } from '../../vocabulary';
import { plain, type Quote } from '../../wording/markdown';
import { goesFirst, pendingFor } from './turn';
import {
  agreeing,
  company,
  counted,
  forLength,
  inConflict,
  numbersIn,
  onTopOf,
  pullRequests,
  testsIn,
} from '../../wording/words';

/** `waitsFor`: why the commit of the test is not built yet. */
export function willBeTested(entry: Entry, ahead: readonly number[], waitsFor: string, now: Instant): string {
  return `Will be tested${onTopOf(ahead)}: ${waitsFor}${goesFirst(entry)}${pendingFor(entry, now)}`;
}

/**
 * The conditions under which a run under test will land, and what happens otherwise. `together`: the entries ahead may
 * land with the run if it passes.
 */
export function landsOnceItPasses(
  run: TestRun,
  {
    waitsFor,
    ahead,
    together,
  }: { readonly waitsFor: string; readonly ahead: readonly number[]; readonly together: boolean },
): string {
  const isBatch = run.own.length > 1;
  if (ahead.length === 0) {
    const red = isBatch ? ' If this run fails, bisection finds the culprit, and the others stay in the queue.' : '';
    return `Merges when ${waitsFor} pass${waitsFor.includes(' and ') ? '' : 'es'}: nothing is ahead of it.${red}`;
  }
  const how = together ? `, or together with ${agreeing(ahead, 'it', 'them')} as soon as this run passes` : '';
  const red = ahead.length === 1 ? `${pullRequests(ahead)} fails` : 'one of them fails';
  return `Merges after ${pullRequests(ahead)}${how}. If ${red}, this run starts again without it.`;
}

export function itsCommitIsNext(): string {
  return 'its commit is built next';
}

/**
 * In parallel mode, after a failure: the entry waits for runs that do not contain it, because their landings would make
 * its test useless.
 */
export function thoseWithoutItFirst(numbers: readonly number[]): string {
  const are = agreeing(numbers, 'is', 'are');
  return `it failed before, and ${pullRequests(numbers)} ${are} tested without it first`;
}

export function commitIsBuilt(run: TestRun, ahead: readonly number[], now: Instant): string {
  return commitIsBuilding(numbersIn(run), ahead, now - run.createdAt);
}

export function commitIsBuilding(own: readonly number[], builtOn: readonly number[], since: Instant): string {
  const building = since < MINUTE ? 'is being built' : `has been building${forLength(since)}`;
  return `The test commit of ${pullRequests(own)}${onTopOf(builtOn)} ${building}`;
}

/** Ends an explanation: says that an earlier test was inconclusive or suspect. Empty if no earlier test was. */
export function startedAgain({ timesLost, suspectRun }: Entry): string {
  const lost =
    timesLost === 0
      ? ''
      : `. It is tested again, because CI gave no result for ${counted(timesLost, 'earlier test run')}`;
  if (suspectRun === null) return lost;
  return `${lost}. In an earlier test run only known flaky tests failed${testsIn(suspectRun, plain)}: it is tested again, and this time the result counts`;
}

/** Ends an explanation: the other entries of the run, and its dependencies. */
export function testedWith(entry: Entry, run: TestRun, dependsOn: readonly number[]): string {
  const together = company({ own: numbersIn(run), builtOn: [] }, entry.number);
  const batch = together === '' ? '' : `. It is tested${together}`;
  return dependsOn.length === 0 ? batch : `${batch}. It depends on ${pullRequests(dependsOn)}`;
}

export function conflictsWithAhead(conflict: Conflict, quote: Quote): string {
  const other = conflict.with;
  const ahead = `Conflicts with #${other} ahead of it${inConflict(conflict, quote)}`;
  return `${ahead}. It is tested if #${other} leaves the queue, and fails if #${other} merges`;
}

/**
 * The entry conflicts with a merged pull request. It fails when the pull requests `ahead`, which are in its base, have
 * merged or left.
 */
export function conflictsWithLanded(queue: QueueSnapshot, conflict: Conflict, ahead: readonly number[]): string {
  const files = inConflict(conflict);
  const left = `when ${pullRequests(ahead)} ${agreeing(ahead, 'has', 'have')} merged or left the queue`;
  const conflicts = `Conflicts with #${conflict.with}, which is on ${queue.branch} now${files && `,${files}`}`;
  return `${conflicts}. It fails ${ahead.length === 0 ? 'next' : left}`;
}
