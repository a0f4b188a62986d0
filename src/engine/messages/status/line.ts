import type { Conflict, Entry, QueueSnapshot, TestRun } from '../../model';
import type { Instant } from '../../vocabulary';
import { goesFirst, pendingFor } from './turn';
import { agreeing, forLength, numbersIn, onTopOf, pullRequests } from '../words';

/** `waitsFor`: what has to be before its commit is made. */
export function isToBeTested(entry: Entry, ahead: readonly number[], waitsFor: string, now: Instant): string {
  return `Is to be tested${onTopOf(ahead)}: ${waitsFor}${goesFirst(entry)}${pendingFor(entry, now)}`;
}

export function thoseBuiltFirst(numbers: readonly number[]): string {
  return `the commit of ${pullRequests(numbers)} is built first, one at a time`;
}

export function itsCommitIsNext(): string {
  return 'its commit is built next';
}

export function waitsForCandidate(run: TestRun, ahead: readonly number[], now: Instant): string {
  const what = pullRequests(numbersIn(run));
  return `The commit to be tested for ${what}${onTopOf(ahead)} is being built${forLength(now - run.createdAt)}`;
}

/** Beside what it waits for: with whom it is tested, on whom it depends. */
export function company(entry: Entry, run: TestRun, dependsOn: readonly number[]): string {
  const others = numbersIn(run).filter((number) => number !== entry.number);
  const batch = others.length === 0 ? '' : `; tested as a batch with ${pullRequests(others)}`;
  return dependsOn.length === 0 ? batch : `${batch}; depends on ${pullRequests(dependsOn)}`;
}

export function conflictsWithAhead({ with: other, files }: Conflict): string {
  return `Conflicts with #${other} ahead of it in ${files.join(', ')}: is built again if that leaves, fails for it once that has merged`;
}

/** What it conflicts with is on the target; it is blamed once nothing else that it was built on is ahead any more. */
export function conflictsWithLanded(queue: QueueSnapshot, conflict: Conflict, ahead: readonly number[]): string {
  const { with: other, files } = conflict;
  const left = `when ${pullRequests(ahead)} ${agreeing(ahead, 'has', 'have')} merged or left`;
  return `Conflicts with #${other}, now on ${queue.branch}, in ${files.join(', ')}: fails for that ${ahead.length === 0 ? 'next' : left}`;
}
