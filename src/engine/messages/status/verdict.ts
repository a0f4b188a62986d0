import type { Entry, QueueSnapshot, RunFailure, TestRun } from '../../model';
import { assertNever, type Instant, MINUTE } from '../../vocabulary';
import { agreeing, counted, duration, numbersIn, onTopOf, pullRequests } from '../../wording/words';

/** `red`: the failed entries ahead that are part of the run's base because of a failure depth. */
export function passedBehind(run: TestRun, ahead: readonly number[], red: readonly number[], now: Instant): string {
  const merges = `it merges when ${agreeing(ahead, 'that has', 'those have')} merged`;
  const leaves = agreeing(red, `${pullRequests(red)} leaves`, 'one of these leaves');
  const doubt = `. ${pullRequests(red)} failed so far; if ${leaves} the queue, it is tested again`;
  return `${passed(run, now)}${onTopOf(ahead)}; ${merges}${red.length === 0 ? '' : doubt}`;
}

export function dryRunPassedBehind(run: TestRun, ahead: readonly number[], now: Instant): string {
  const have = agreeing(ahead, 'that has', 'those have');
  const leaves = agreeing(ahead, `${pullRequests(ahead)} leaves`, 'one of these leaves');
  return `${passed(run, now)}${onTopOf(ahead)}; this result counts when ${have} merged. If ${leaves} the queue, it is tested again`;
}

/**
 * With optimistic merging, the entry and all entries ahead land together, as soon as each entry ahead has a test of its
 * own.
 */
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
  return `${why}; its merge into ${queue.branch} started ${duration(now - since)} ago`;
}

export function isMergedDirectly(queue: QueueSnapshot, entry: Entry, since: Instant, now: Instant): string {
  const asked = `the queue asked ${queue.host} ${duration(now - since)} ago to merge #${entry.number}`;
  return `Being merged directly because its own tests passed: ${asked}. If ${queue.host} refuses the merge, the queue tests #${entry.number}`;
}

export function failedBehind(run: TestRun, failure: RunFailure, ahead: readonly number[], now: Instant): string {
  const left = agreeing(ahead, `${pullRequests(ahead)} has`, 'they have');
  return `${failed(run, failure, now)}${onTopOf(ahead)}, which may be the cause. The queue decides when ${left} merged or left`;
}

export function failedAlone(run: TestRun, failure: RunFailure, now: Instant): string {
  return failed(run, failure, now);
}

/** Says how long a failed run waits because of its failure depth, and for which purpose. */
export function waitsForDepth(depth: number, finished: number, mergesOptimistically: boolean): string {
  const behind = `${counted(depth, 'pull request')} tested on top of it ${depth === 1 ? 'has' : 'have'} finished`;
  const waits = `It waits until ${behind} (${finished} of ${depth}), or until no more of them can finish`;
  if (mergesOptimistically) return `${waits}. If one of them passes, it merges too`;
  return `${waits}. Without optimistic merging, pendingFailureDepth only leaves time to restart its test`;
}

export function verdictIsDue(): string {
  return 'The queue decides on it next';
}

function provenBy(proof: TestRun, now: Instant): string {
  return `The tests of ${pullRequests(numbersIn(proof))} include it and passed${ago(proof, now)}`;
}

function passed(run: TestRun, now: Instant): string {
  return run.reused ? `${theTests(run)} passed earlier (same tree)` : `${theTests(run)} passed${ago(run, now)}`;
}

function failed(run: TestRun, failure: RunFailure, now: Instant): string {
  const name = theTests(run);
  switch (failure.type) {
    case 'timeout':
      return `${name} timed out${ago(run, now)} (${failure.missing.join(', ')})`;
    case 'lost':
      return `${name} got no result from CI${ago(run, now)} (${failure.names.join(', ')})`;
    case 'status':
      if (failure.isDropped)
        return `${name} failed${ago(run, now)} (removed from the required statuses: ${failure.names.join(', ')})`;
      if (failure.insteadReported)
        return `${name} failed${ago(run, now)} (CI finished and never reported ${failure.names.join(', ')})`;
      if (failure.reused) return `${name} failed earlier (same tree: ${failure.names.join(', ')})`;
      return `${name} failed${ago(run, now)} (${failure.names.join(', ')})`;
    default:
      return assertNever(failure);
  }
}

/** How long ago the run had its result. Starts with a space; empty below a minute. */
function ago({ resultAt }: TestRun, now: Instant): string {
  return resultAt === null || now - resultAt < MINUTE ? '' : ` ${duration(now - resultAt)} ago`;
}

function theTests(run: TestRun): string {
  return run.own.length === 1 ? 'Its tests' : `The tests of its batch (${pullRequests(numbersIn(run))})`;
}
