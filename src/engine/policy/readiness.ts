import type { Entry, QueueSnapshot } from '../model';
import { type Instant, type Mergeability, MINUTE } from '../vocabulary';
import { lostNeeds } from './needs';
import { maySomethingTimeOut, putOffByDowntimes } from './time-out';
import { isConcluded } from '../states';

/** The `readiness` object of the API. */
export interface EntryReadiness {
  readonly requiresImpactedTargets: boolean;
  readonly hasImpactedTargets: boolean;
  readonly doesBaseBranchMatch: boolean;
  readonly hostMergeability: Mergeability;
  /** Numbers of its dependencies that are neither on the target nor on their way to it. */
  readonly unmetDependencies: readonly number[];
}

export function doesBaseMatch(queue: QueueSnapshot, entry: Entry): boolean {
  const { base } = entry.pullRequest;
  return base === null || base === queue.branch;
}

/** A draft, or one with an unmet demand of the host, counts as not mergeable, even without conflicts. */
export function readinessOf(queue: QueueSnapshot, entry: Entry): EntryReadiness {
  const { draft, mergeability } = entry.pullRequest;
  return {
    requiresImpactedTargets: queue.mode === 'parallel',
    hasImpactedTargets: entry.hasTargets,
    doesBaseBranchMatch: doesBaseMatch(queue, entry),
    hostMergeability: draft || isAnythingUnmet(entry) ? 'not_mergeable' : mergeability,
    unmetDependencies: [...new Set(lostNeeds(queue, entry).map(({ need }) => need.number))],
  };
}

/** Whether the host forbids a landing now. */
export function isAnythingUnmet({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).length > 0;
}

/** Like `isAnythingUnmet`, and somebody must act to change it. */
export function lacksDemand({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).some(({ isPending }) => isPending !== true);
}

/** After this time nobody is expected to report a check that has not started. */
const SILENT_FOR: Instant = 15 * MINUTE;

/**
 * When a demand that needs no action, such as a check, is overdue. Either it has not even started for 15 minutes, or it
 * has been under way for longer than a test of the queue may take. Null: no such demand is unmet.
 */
export function overdueAt({ settings, downtimes }: QueueSnapshot, { pullRequest }: Entry): Instant | null {
  const limits = (pullRequest.unmet ?? []).flatMap(({ isPending, isRunning, since }) => {
    if (isPending !== true || since === undefined) return [];
    const limit = isRunning ? settings.testingTimeoutMinutes * MINUTE : SILENT_FOR;
    return putOffByDowntimes(downtimes, since, since + limit);
  });
  return limits.length === 0 ? null : Math.min(...limits);
}

/** Whether such a demand is overdue: other entries stop waiting for it. Not while the host does not answer. */
export function isOverdue(queue: QueueSnapshot, entry: Entry, now: Instant): boolean {
  const at = overdueAt(queue, entry);
  return at !== null && at <= now && maySomethingTimeOut(queue);
}

/** Only a ready entry goes from not_ready to pending. */
export function isReady(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return (
    readiness.hostMergeability === 'mergeable' && readiness.unmetDependencies.length === 0 && fitsQueue(queue, entry)
  );
}

/** Ready except for mergeability, which the host is asked about again before a start. */
export function fitsQueue(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return readiness.doesBaseBranchMatch && (!readiness.requiresImpactedTargets || readiness.hasImpactedTargets);
}

/** Whether a ready entry waits for the test of the target before its own test or landing. */
export function isAnybodyReady({ entries, moreToLoad }: QueueSnapshot): boolean {
  return moreToLoad.waiting || entries.some(({ state }) => !isConcluded(state) && state !== 'not_ready');
}
