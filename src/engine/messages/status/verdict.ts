import type { Entry, QueueSnapshot, RunFailure, TestRun } from '../../model';
import { assertNever, type Instant, MINUTE } from '../../vocabulary';
import { agreeing, counted, duration, numbersIn, onTopOf, pullRequests } from '../words';

/** `red`: those of them that failed so far, and are believed in because of a failure depth. */
export function passedBehind(run: TestRun, ahead: readonly number[], red: readonly number[], now: Instant): string {
  const merges = `it merges when ${agreeing(ahead, 'that has', 'those have')} merged`;
  const doubt = `; ${pullRequests(red)} failed so far: if ${agreeing(red, 'that leaves', 'those leave')}, it is tested again`;
  return `${passed(run, now)}${onTopOf(ahead)}; ${merges}${red.length === 0 ? '' : doubt}`;
}

/** With optimistic merging it lands together with those ahead, as soon as each of them has a test of its own. */
export function passedBeforeThoseAhead(
  run: TestRun,
  ahead: readonly number[],
  untested: readonly number[],
  now: Instant,
): string {
  const are = agreeing(untested, 'is', 'are');
  return `${passed(run, now)}${onTopOf(ahead)}; all merge together as soon as ${pullRequests(untested)} ${are} being tested again`;
}

export function passedBut(run: TestRun, ahead: readonly number[], keepsIt: string, now: Instant): string {
  return `${passed(run, now)}${onTopOf(ahead)}; ${keepsIt}`;
}

export function provenBut(proof: TestRun, keepsIt: string, now: Instant): string {
  return `${provenBy(proof, now)}; ${keepsIt}`;
}

export function mergesNext(): string {
  return 'it merges next';
}

export function isBeingMerged(queue: QueueSnapshot, run: TestRun, last: TestRun, since: Instant, now: Instant): string {
  const why = run.resultAt === null || run.failure !== null ? provenBy(last, now) : passed(run, now);
  return `${why}; it is being merged into ${queue.branch}, ordered ${duration(now - since)} ago`;
}

export function isMergedDirectly(queue: QueueSnapshot, entry: Entry, since: Instant, now: Instant): string {
  const asked = `${queue.host} was asked ${duration(now - since)} ago to merge #${entry.number} on its own tests`;
  return `Tried as a direct merge: ${asked}; if that may not be, it goes through the queue`;
}

export function failedBehind(run: TestRun, failure: RunFailure, ahead: readonly number[], now: Instant): string {
  const left = agreeing(ahead, 'that has', 'those have');
  return `${failed(run, failure, now)}${onTopOf(ahead)}; whose fault it is shows when ${left} merged or left`;
}

export function failedAlone(run: TestRun, failure: RunFailure, now: Instant): string {
  return failed(run, failure, now);
}

/** What a failed run waits for behind it, and what that is good for. */
export function waitsForDepth(depth: number, finished: number, mergesOptimistically: boolean): string {
  const waits = `its verdict waits until ${counted(depth, 'pull request')} behind it ${depth === 1 ? 'has' : 'have'} finished on top of it (${finished} of ${depth}), or no more can`;
  if (mergesOptimistically) return `${waits}; one that passes proves it, too`;
  return `${waits}; depth without optimistic merging only buys time for a restart`;
}

export function verdictIsDue(): string {
  return 'its verdict is being settled';
}

function provenBy(proof: TestRun, now: Instant): string {
  return `The tests of ${pullRequests(numbersIn(proof))}, which contain it, passed${ago(proof, now)} and prove it`;
}

function passed(run: TestRun, now: Instant): string {
  const { name, of } = theTests(run);
  return run.reused ? `The tree of ${of} has passed before` : `${name} passed${ago(run, now)}`;
}

function failed(run: TestRun, failure: RunFailure, now: Instant): string {
  const { name, of } = theTests(run);
  switch (failure.type) {
    case 'timeout':
      return `${name} timed out${ago(run, now)} (${failure.missing.join(', ')})`;
    case 'status':
      if (failure.reused) return `The tree of ${of} has failed before (${failure.names.join(', ')})`;
      return `${name} failed${ago(run, now)} (${failure.names.join(', ')})`;
    default:
      return assertNever(failure);
  }
}

/** Nothing for what has only just happened. */
function ago({ resultAt }: TestRun, now: Instant): string {
  return resultAt === null || now - resultAt < MINUTE ? '' : ` ${duration(now - resultAt)} ago`;
}

function theTests(run: TestRun): { readonly name: string; readonly of: string } {
  if (run.own.length === 1) return { name: 'Its tests', of: 'its test' };
  const batch = `its batch (${pullRequests(numbersIn(run))})`;
  return { name: `The tests of ${batch}`, of: batch };
}
