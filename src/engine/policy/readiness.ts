import type { Entry, QueueSnapshot } from '../model';
import type { Mergeability } from '../vocabulary';

/** The `readiness` object of the interface. */
export interface EntryReadiness {
  readonly requiresImpactedTargets: boolean;
  readonly hasImpactedTargets: boolean;
  readonly doesBaseBranchMatch: boolean;
  readonly hostMergeability: Mergeability;
}

export function doesBaseMatch(queue: QueueSnapshot, entry: Entry): boolean {
  const { base } = entry.pullRequest;
  return base === null || base === queue.branch;
}

/** A draft counts as not mergeable, whatever the host says of its conflicts. */
export function readinessOf(queue: QueueSnapshot, entry: Entry): EntryReadiness {
  const { draft, mergeability } = entry.pullRequest;
  return {
    requiresImpactedTargets: queue.mode === 'parallel',
    hasImpactedTargets: entry.hasTargets,
    doesBaseBranchMatch: doesBaseMatch(queue, entry),
    hostMergeability: draft ? 'not_mergeable' : mergeability,
  };
}

/** Only what is ready goes from not_ready to pending. */
export function isReady(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return readiness.hostMergeability === 'mergeable' && fitsQueue(queue, entry);
}

/** Ready except for mergeability, which the host is asked about again before a start. */
export function fitsQueue(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return readiness.doesBaseBranchMatch && (!readiness.requiresImpactedTargets || readiness.hasImpactedTargets);
}
