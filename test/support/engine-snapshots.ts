import type { QueueSettings, QueueSnapshot, Tip } from '../../src/engine/model';
import type { StartingPoint } from '../../src/processing/decision-log/logged-decision';
import { snapshotAtStart } from '../../src/processing/replay/snapshot-at-start';

/** The defaults of the API, with one required status. */
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
  stateLabelsEnabled: false,
  requiredStatuses: ['ci'],
  directMergeMode: 'off',
  optimizationMode: 'off',
  mergeMethod: 'squash',
  notReadyTimeoutHours: 24,
  batchingRules: [],
  retestFlakyFailures: true,
  pauseReason: null,
  maxMergesPerHour: null,
  freezeWindows: [],
  neverReportedMinutes: 10,
};

export function emptyQueue(settings: QueueSettings, tip: Tip | null): QueueSnapshot {
  const start: StartingPoint = {
    isEmpty: true,
    state: 'running',
    mode: 'single',
    settings,
    limits: { runsInFlight: 200, batchSize: 100, treeReuseHours: 24 },
    flow: null,
    knowsTip: tip !== null,
    epoch: 1,
    landedSeq: 0,
  };
  return { ...snapshotAtStart(start, { settings: {} }, tip), id: 'queue', branch: 'main', host: 'git.example' };
}
