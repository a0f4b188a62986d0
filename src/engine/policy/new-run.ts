import type { StartTestRun } from '../commands';
import type { QueueSnapshot, RunBase, TestRun } from '../model';
import { HOUR, type Instant } from '../vocabulary';
import { entriesOf } from './line';
import { isControl } from './slots';

type Particulars = Pick<TestRun, 'kind' | 'place' | 'search' | 'base' | 'builtOn' | 'own'>;

/** A new run, which keeps the queue settings of this moment. */
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
    pins: [],
    branch: null,
    commit: null,
    tree: null,
    pushedAt: null,
    deadline: null,
    redSince: null,
    resultAt: null,
    failure: null,
    conflict: null,
    reused: false,
  };
}

/** The command that builds a run: the changes of `builtOn` and `own` are merged onto the target's tip. */
export function startOrder(queue: QueueSnapshot, run: TestRun, now: Instant): StartTestRun {
  const target = { commit: run.base.commit, tree: run.base.tree };
  return {
    type: 'startTestRun',
    run: run.number,
    kind: run.kind,
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

/**
 * Whether the run stays on its base when the target moves: all tests of a bisection use one base, except the test of
 * the culprit.
 */
function keepsBase({ searches }: QueueSnapshot, { search }: TestRun): boolean {
  return searches.some((other) => other.number === search && other.stage !== 'culprit');
}

/** The tree that the landing under way puts on the target; null if there is none or it is not known. */
function treeAfterLanding({ landing, runs }: QueueSnapshot): string | null {
  return runs.find((run) => run.number === landing?.runs.at(-1))?.tree ?? null;
}

/**
 * From which time on an earlier result of the same tree counts, if the optimization is on and nobody asked for a new
 * test. The culprit of a bisection is always tested once more. For an entry that then passed, no earlier result counts,
 * because earlier failures may have been flakes.
 */
function reuseSince(queue: QueueSnapshot, run: TestRun, now: Instant): Instant | null {
  if (queue.settings.optimizationMode === 'off' || confirmsCulprit(queue, run) || isControl(queue, run)) return null;
  if (queue.flow?.redTarget) return null;
  const entries = entriesOf(queue, run);
  if (entries.some((entry) => entry.testAnew)) return null;
  const acquitted = entries.flatMap((entry) => (entry.acquittedAt === null ? [] : [entry.acquittedAt + 1]));
  const outageEndedAt = queue.flow?.outageEndedAt ?? 0;
  return Math.max(now - queue.limits.treeReuseHours * HOUR, outageEndedAt + 1, ...acquitted);
}

function confirmsCulprit({ searches }: QueueSnapshot, { search }: TestRun): boolean {
  return searches.some((other) => other.number === search && other.stage === 'culprit');
}

/** The base for runs that are built now: the present target. */
export function baseNow(queue: QueueSnapshot): RunBase | null {
  return queue.tip === null ? null : { ...queue.tip, epoch: queue.epoch, landedSeq: queue.landedSeq };
}
