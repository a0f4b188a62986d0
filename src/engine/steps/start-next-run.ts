import type { Change } from '../changes';
import type { StartTestRun } from '../commands';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { believedAhead, changesOf, expectedBase, type Group, lineOf, sameChanges } from '../policy/line';
import { waitingOutside } from '../policy/order';
import { changesOnly, NOTHING, type Outcome } from '../policy/outcome';
import { mayStartTests, slotsInUse, slotsOf } from '../policy/slots';
import type { Instant } from '../vocabulary';
import { lostReadiness } from './judge-readiness';

/**
 * Fills a free slot: first what stands in the line without a run, in order, then the next that waits. One candidate
 * is made at a time, so that each is built on finished ones.
 */
export function startNextRun(queue: QueueSnapshot, now: Instant): Outcome {
  if (!mayStartTests(queue) || slotsInUse(queue) >= slotsOf(queue)) return NOTHING;
  if (queue.runs.some((run) => run.kind === 'line' && run.phase === 'building')) return NOTHING;
  const line = lineOf(queue);
  const queued = line.find((group) => group.run === null);
  if (queued) return start(queue, line, queued, now);
  if (line.length >= queue.limits.runsInFlight) return NOTHING;
  const next = waitingOutside(queue, now)[0];
  return next ? join(queue, next, now) : NOTHING;
}

/** The order of the line is fixed when a run starts. */
function join(queue: QueueSnapshot, entry: Entry, now: Instant): Outcome {
  const lost = lostReadiness(queue, entry, now);
  if (lost.length > 0) return changesOnly(...lost);
  const places = [{ entryId: entry.id, place: queue.nextPlace, index: 0, urgent: false }];
  const change: Change = { type: 'entriesPlaced', places, because: 'joined' };
  return changesOnly(change);
}

function start(queue: QueueSnapshot, line: readonly Group[], group: Group, now: Instant): Outcome {
  const { tip, settings } = queue;
  if (tip === null) return NOTHING;
  const run: TestRun = {
    number: queue.nextRun,
    kind: 'line',
    phase: 'building',
    place: group.place,
    search: null,
    createdAt: now,
    base: { ...tip, epoch: queue.epoch, landedSeq: queue.landedSeq },
    builtOn: expectedBase(line, group),
    own: changesOf(group),
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
  return { changes: [{ type: 'runStarted', run }], commands: [startCommand(queue, line, group, run)] };
}

function startCommand(queue: QueueSnapshot, line: readonly Group[], group: Group, run: TestRun): StartTestRun {
  const ahead = candidateAhead(line, group, run);
  return {
    type: 'startTestRun',
    run: run.number,
    target: { commit: run.base.commit, tree: run.base.tree },
    keepsBase: false,
    landingTree: queue.runs.find((other) => other.phase === 'landing')?.tree ?? null,
    onto: ahead === null ? { commit: run.base.commit, contains: [] } : { commit: ahead, contains: run.builtOn },
    builtOn: ahead === null ? run.builtOn : [],
    own: run.own,
    mergeMethod: run.mergeMethod,
    createdAt: run.createdAt,
    requiredStatuses: run.requiredStatuses,
    reuseSince: null,
  };
}

/** The candidate directly ahead, when it stands on this very tip and contains exactly what this run is built on. */
function candidateAhead(line: readonly Group[], group: Group, run: TestRun): string | null {
  const ahead = believedAhead(line, group).at(-1)?.run;
  if (!ahead || ahead.base.commit !== run.base.commit || ahead.mergeMethod !== run.mergeMethod) return null;
  return sameChanges([...ahead.builtOn, ...ahead.own], run.builtOn) ? ahead.commit : null;
}
