import type { QueueSettings, QueueSnapshot, Tip } from '../engine/model';

/** The defaults of the interface, with one required status. */
export const DEFAULT_SETTINGS: QueueSettings = {
  concurrency: 1,
  bisectionConcurrency: null,
  testingTimeoutMinutes: 300,
  pendingFailureDepth: 0,
  canOptimisticallyMerge: false,
  batch: false,
  batchingMaxWaitTimeMinutes: 5,
  batchingMinSize: 4,
  commentsEnabled: true,
  commandsEnabled: true,
  createPrsForTestingBranches: true,
  statusCheckEnabled: true,
  requiredStatuses: ['ci'],
  directMergeMode: 'off',
  optimizationMode: 'off',
  mergeMethod: 'squash',
  notReadyTimeoutHours: 24,
};

export function emptyQueue(settings: QueueSettings, tip: Tip | null): QueueSnapshot {
  return {
    id: 'queue',
    branch: 'main',
    host: 'git.example',
    state: 'running',
    mode: 'single',
    requestedMode: null,
    stateAfterSwitch: null,
    settings,
    limits: { runsInFlight: 200, batchSize: 100 },
    tip,
    tipSeenAt: null,
    epoch: 1,
    landedSeq: 0,
    concluded: 0,
    nextRun: 1,
    nextLanding: 1,
    nextOrder: 1,
    nextPlace: 1,
    hostSilentSince: null,
    entries: [],
    runs: [],
    landed: [],
    landing: null,
    reports: [],
    nextDeadlineOutside: null,
    moreToLoad: { unjudged: false, waiting: false },
  };
}
