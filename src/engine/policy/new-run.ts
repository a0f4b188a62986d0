import type { StartTestRun } from '../commands';
import type { QueueSnapshot, RunBase, TestRun } from '../model';
import { HOUR, type Instant } from '../vocabulary';
import { entriesOf } from './line';

type Particulars = Pick<TestRun, 'kind' | 'place' | 'search' | 'base' | 'builtOn' | 'own'>;

/** A run as it begins, with the settings of this moment: it keeps them. */
export function newRun(queue: QueueSnapshot, particulars: Particulars, now: Instant): TestRun {
  const { settings } = queue;
  return {
    ...particulars,
    number: queue.nextRun,
    phase: 'building',
    createdAt: now,
    mergeMethod: settings.mergeMethod,
    timeoutMinutes: settings.testingTimeoutMinutes,
    requiredStatuses: settings.requiredStatuses,
    requiredStatusesSource: null,
    branch: null,
    commit: null,
    tree: null,
    pushedAt: null,
    deadline: null,
    resultAt: null,
    failure: null,
    conflict: null,
    reused: false,
  };
}

/** The order to build a run by merging everything it stands on onto its base. */
export function startOrder(queue: QueueSnapshot, run: TestRun, now: Instant): StartTestRun {
  const target = { commit: run.base.commit, tree: run.base.tree };
  return {
    type: 'startTestRun',
    run: run.number,
    target,
    keepsBase: keepsBase(queue, run),
    landingTree: treeAfterLanding(queue),
    onto: { commit: target.commit, contains: [] },
    builtOn: run.builtOn,
    own: run.own,
    about: run.own[0]?.number ?? queue.partialLanding?.landed.at(-1) ?? null,
    mergeMethod: run.mergeMethod,
    createdAt: run.createdAt,
    requiredStatuses: run.requiredStatuses,
    reuseSince: reuseSince(queue, run, now),
  };
}

/** A search is on one base; only the culprit it found is tested on the target of that moment. */
function keepsBase({ searches }: QueueSnapshot, { search }: TestRun): boolean {
  return searches.some((other) => other.number === search && other.stage !== 'culprit');
}

/** What the target points at once the landing in hand is done. */
function treeAfterLanding({ landing, runs }: QueueSnapshot): string | null {
  return runs.find((run) => run.number === landing?.runs.at(-1))?.tree ?? null;
}

/** The same tree is not tested twice when the optimization is on, unless somebody asked for a new test. */
function reuseSince(queue: QueueSnapshot, run: TestRun, now: Instant): Instant | null {
  if (queue.settings.optimizationMode === 'off') return null;
  if (entriesOf(queue, run).some((entry) => entry.testAnew)) return null;
  return now - queue.limits.treeReuseHours * HOUR;
}

/** The target as it is: what is built on it now. */
export function baseNow(queue: QueueSnapshot): RunBase | null {
  return queue.tip === null ? null : { ...queue.tip, epoch: queue.epoch, landedSeq: queue.landedSeq };
}
