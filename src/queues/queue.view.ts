import type { QueueState } from '../engine/vocabulary';
import type { Queue } from '../generated/prisma/client';
import type { QueueRecord } from './dto/queue-record.dto';
import type { BatchingRule } from './dto/queue-settings.dto';

export function queueRecord(row: Queue): QueueRecord {
  return {
    state: row.state as QueueState,
    branch: row.branch,
    concurrency: Number(row.concurrency),
    bisectionConcurrency: Number(row.bisectionConcurrency ?? row.concurrency),
    testingTimeoutMinutes: Number(row.testingTimeoutMinutes),
    pendingFailureDepth: Number(row.pendingFailureDepth),
    canOptimisticallyMerge: row.canOptimisticallyMerge,
    batch: row.batch,
    batchingMaxWaitTimeMinutes: Number(row.batchingMaxWaitTimeMinutes),
    batchingMinSize: Number(row.batchingMinSize),
    // What was asked for: `state` says that it is not in force yet.
    mode: row.requestedMode ?? row.mode,
    commentsEnabled: row.commentsEnabled,
    commandsEnabled: row.commandsEnabled,
    createPrsForTestingBranches: row.createPrsForTestingBranches,
    statusCheckEnabled: row.statusCheckEnabled,
    requiredStatuses: row.requiredStatuses,
    directMergeMode: row.directMergeMode,
    optimizationMode: row.optimizationMode,
    mergeMethod: row.mergeMethod,
    extensionEnabled: row.extensionEnabled,
    labelCommandsEnabled: row.labelCommandsEnabled,
    stateLabelsEnabled: row.stateLabelsEnabled,
    enqueueingLabel: row.enqueueingLabel,
    notReadyTimeoutHours: Number(row.notReadyTimeoutHours),
    testBranchConstructionMode: row.testBranchConstructionMode,
    allowedBotSubmitters: row.allowedBotSubmitters,
    batchingRules: row.batchingRules as unknown as BatchingRule[],
  };
}
