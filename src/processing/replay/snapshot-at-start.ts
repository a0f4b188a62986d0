import type { QueueSettings, QueueSnapshot, Tip } from '../../engine/model';
import type { QueueMode } from '../../engine/vocabulary';
import { TARGET, type StartingPoint } from '../decision-log/logged-decision';

/** Settings that replace the settings of the history during the whole replay. Empty for a replay of what happened. */
export interface OtherSettings {
  readonly settings: Partial<QueueSettings>;
  readonly mode?: QueueMode;
}

/** The state of the queue when the history begins, without entries. `other` replaces some of its settings. */
export function snapshotAtStart(
  start: StartingPoint,
  { settings, mode }: OtherSettings,
  tip: Tip | null,
): QueueSnapshot {
  return {
    id: 'replay',
    branch: TARGET,
    host: 'replay',
    state: start.state,
    mode: mode ?? start.mode,
    requestedMode: null,
    stateAfterSwitch: null,
    settings: { ...start.settings, ...settings },
    limits: start.limits,
    tip,
    tipSeenAt: null,
    epoch: start.epoch,
    landedSeq: start.landedSeq,
    concluded: 0,
    nextRun: 1,
    nextLanding: 1,
    nextOrder: 1,
    nextPlace: 1,
    nextSearch: 1,
    hostUnreachableSince: null,
    hostRefusal: null,
    downtimes: [],
    statusesUnread: false,
    ...(start.flow !== null && { flow: start.flow }),
    entries: [],
    runs: [],
    searches: [],
    sharing: new Map(),
    isolated: new Set(),
    landed: [],
    mergedLately: [],
    freezes: [],
    landing: null,
    partialLanding: null,
    reports: [],
    uploads: [],
    usualUploads: 0,
    nextDeadlineOutside: null,
    moreToLoad: { unchecked: false, waiting: false, held: false },
  };
}
