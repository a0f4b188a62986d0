import type { Entry, QueueSnapshot } from '../model';
import type { Mergeability } from '../vocabulary';
import { lostNeeds } from './needs';

/** The `readiness` object of the interface. */
export interface EntryReadiness {
  readonly requiresImpactedTargets: boolean;
  readonly hasImpactedTargets: boolean;
  readonly doesBaseBranchMatch: boolean;
  readonly hostMergeability: Mergeability;
  /** Numbers of pull requests that it needs, and that are neither on the target nor on their way to it. */
  readonly unmetDependencies: readonly number[];
}

export function doesBaseMatch(queue: QueueSnapshot, entry: Entry): boolean {
  const { base } = entry.pullRequest;
  return base === null || base === queue.branch;
}

/** A draft, or one of which the host demands something, counts as not mergeable, whatever the host says of its conflicts. */
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

/** The host does not let it land as it is now. */
export function isAnythingUnmet({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).length > 0;
}

/** As `isAnythingUnmet`, and it will not come by itself. */
export function lacksDemand({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).some(({ isPending }) => isPending !== true);
}

/** Only what is ready goes from not_ready to pending. */
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
