import type { QueueSettings } from '../engine/model';
import type { Prisma } from '../generated/prisma/client';
import type { QueueSettingsRequest } from './dto/queue-settings.dto';

/** What the engine decides on: changed only through the queue's door. */
export function decidedSettings(request: QueueSettingsRequest): Partial<QueueSettings> {
  const { pendingFailureDepth, requiredStatuses, deleteRequiredStatuses } = request;
  const settings = {
    concurrency: request.concurrency,
    bisectionConcurrency: request.bisectionConcurrency,
    testingTimeoutMinutes: request.testingTimeoutMinutes,
    pendingFailureDepth: pendingFailureDepth === null ? 0 : pendingFailureDepth,
    canOptimisticallyMerge: request.canOptimisticallyMerge,
    batch: request.batch,
    batchingMaxWaitTimeMinutes: request.batchingMaxWaitTimeMinutes,
    batchingMinSize: request.batchingMinSize,
    commentsEnabled: request.commentsEnabled,
    commandsEnabled: request.commandsEnabled,
    createPrsForTestingBranches: request.createPrsForTestingBranches,
    statusCheckEnabled: request.statusCheckEnabled,
    requiredStatuses: deleteRequiredStatuses || requiredStatuses === null ? [] : distinct(requiredStatuses),
    directMergeMode: request.directMergeMode,
    optimizationMode: request.optimizationMode,
    mergeMethod: request.mergeMethod,
    notReadyTimeoutHours: request.notReadyTimeoutHours,
  };
  return withoutAbsent(settings);
}

/** What nothing is decided by: plain columns. */
export function storedSettings(request: QueueSettingsRequest) {
  return withoutAbsent({
    extensionEnabled: request.extensionEnabled,
    labelCommandsEnabled: request.labelCommandsEnabled,
    stateLabelsEnabled: request.stateLabelsEnabled,
    enqueueingLabel: request.enqueueingLabel,
    testBranchConstructionMode: request.testBranchConstructionMode,
    allowedBotSubmitters: distinct(request.allowedBotSubmitters),
    batchingRules: request.batchingRules?.map(({ targetPattern, policy }) => ({ targetPattern, policy })),
  });
}

/** A new queue before its request: one pull request at a time until someone asks for more. */
export function defaultSettings(brand: string) {
  return {
    state: 'running',
    mode: 'single',
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
    requiredStatuses: [],
    directMergeMode: 'off',
    optimizationMode: 'off',
    mergeMethod: 'squash',
    extensionEnabled: true,
    labelCommandsEnabled: true,
    stateLabelsEnabled: false,
    enqueueingLabel: `${brand}-merge-queue-submit`,
    notReadyTimeoutHours: 24,
    testBranchConstructionMode: 'push_new_branch_from_temp',
    allowedBotSubmitters: [],
    batchingRules: [],
  } satisfies Partial<Prisma.QueueUncheckedCreateInput>;
}

/** The columns of a new queue as its request wants them. */
export function newQueueSettings(request: QueueSettingsRequest, brand: string) {
  const { state, mode } = request;
  const { requiredStatuses, ...decided } = decidedSettings(request);
  return {
    ...defaultSettings(brand),
    ...decided,
    ...storedSettings(request),
    ...withoutAbsent({ state, mode, requiredStatuses: requiredStatuses && [...requiredStatuses] }),
  };
}

function distinct(names: readonly string[] | undefined): string[] | undefined {
  return names && [...new Set(names)];
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
}
