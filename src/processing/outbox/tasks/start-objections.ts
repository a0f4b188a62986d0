import { seenAboveMerged } from '../../../domain/above-merged';
import { HostUnavailable, type PullRequestObservation } from '../../../domain/code-host.port';
import type { StartTestRun } from '../../../engine/commands';
import type { NotStarted } from '../../../engine/events';
import { isOpenFor } from '../../../domain/pull-request-facts';
import type { Clock } from '../../../platform/clock/clock';
import type { Sql } from '../../../platform/database/sql';
import type { TaskContext } from '../task';
import { asClosed } from './gone-pull-request';
import { pullRequestsAtHead } from './pull-requests-at-head';

const AT_ONCE = 8;

/** Why the run cannot be built on the base of the task any more; null if it can. */
export function objectionToBase(task: TaskContext<StartTestRun>, clock: Clock): Promise<NotStarted | null> {
  return task.command.keepsBase ? objectionToKeptBase(task) : objectionToTarget(task, clock);
}

async function objectionToTarget(
  { command, host, repository, targetBranch }: TaskContext<StartTestRun>,
  clock: Clock,
): Promise<NotStarted | null> {
  const seenAt = clock.now().getTime();
  const tip = await host.readBranch(repository, targetBranch);
  // No entry is to blame for a missing branch, so the task waits until the branch is back.
  if (!tip) {
    const wayOut = 'create it again, or create a queue for its new name';
    const missing = `the target branch ${targetBranch} does not exist: ${wayOut}`;
    throw new HostUnavailable(repository.host, 'branch_missing', missing);
  }
  const isExpected = tip.commit === command.target.commit || tip.tree === command.landingTree;
  return isExpected ? null : { type: 'target_moved', tip, seenAt };
}

/**
 * Why a bisection cannot be built on its base; null if it can. A bisection keeps its base while the target moves, and
 * after a forced push only a clone may still have the commit of the base.
 */
async function objectionToKeptBase({
  command,
  host,
  repository,
}: TaskContext<StartTestRun>): Promise<NotStarted | null> {
  const tree = await host.readTree(repository, command.target.commit);
  return tree === null ? { type: 'base_gone' } : null;
}

/** Reads the run's own pull requests from the host. A pull request that the host no longer has counts as closed. */
export async function readOwnPullRequests(
  { command, host, repository, targetBranch }: TaskContext<StartTestRun>,
  sql: Sql,
  clock: Clock,
): Promise<PullRequestObservation[]> {
  const stacked = await pullRequestsAtHead(sql, repository.id, command.own);
  const aboveMerged = (looked: PullRequestObservation): Promise<PullRequestObservation> => {
    const { mergedBelow = [] } = stacked.find(({ number }) => number === looked.number) ?? {};
    // The host computes mergeability with the target as it is, without the entries ahead that have not merged yet.
    const onTarget = mergedBelow.filter(({ ahead }) => ahead === undefined);
    const landing = { targetBranch, mergeMethod: command.mergeMethod, mergedBelow: onTarget };
    return seenAboveMerged(host, repository, looked, landing);
  };
  const seen: PullRequestObservation[] = [];
  for (let from = 0; from < command.own.length; from += AT_ONCE) {
    const some = command.own.slice(from, from + AT_ONCE);
    const looks = some.map(async ({ number }) => {
      const askedAt = clock.now();
      const answer = await host.readPullRequest(repository, number, targetBranch, command.mergeMethod);
      return answer === null ? asClosed(sql, repository.id, number, askedAt) : aboveMerged(answer);
    });
    seen.push(...(await Promise.all(looks)));
  }
  return seen;
}

/** Why the run cannot start as the task describes it; null if it can. */
export function objectionTo(
  { command, targetBranch }: TaskContext<StartTestRun>,
  seen: readonly PullRequestObservation[],
): NotStarted | null {
  const isUnchanged = (pr: PullRequestObservation, i: number): boolean =>
    pr.head === command.own[i]!.head && isOpenFor(pr, targetBranch);
  if (!seen.every(isUnchanged)) return { type: 'pull_request_changed' };
  if (command.keepsBase) return null;
  const unknown = seen.filter(({ mergeability }) => mergeability === 'in_progress' || mergeability === 'unspecified');
  return unknown.length > 0 ? { type: 'mergeability_unknown', numbers: numbersOf(unknown) } : null;
}

/**
 * Why the host refuses the run; null if it does not. Call this after a build without conflicts, so that the host's
 * mergeability can only add other rules. Mergeability is ignored for a kept base, because the host computes it for the
 * present target.
 */
export function hostObjection(
  { command }: TaskContext<StartTestRun>,
  seen: readonly PullRequestObservation[],
): NotStarted | null {
  if (command.keepsBase) return null;
  const refused = seen.filter((pr) => pr.mergeability === 'not_mergeable');
  return refused.length > 0 ? { type: 'not_mergeable', numbers: numbersOf(refused) } : null;
}

function numbersOf(seen: readonly PullRequestObservation[]): number[] {
  return seen.map((pr) => pr.number);
}
