import type { Change } from '../changes';
import type { StartTestRun } from '../commands';
import type { QueueSnapshot, TestRun } from '../model';
import { assumedAhead, expectedBase } from '../policy/base';
import type { Batch } from '../policy/batches';
import { nextForSlot } from '../policy/free-slot';
import { queuedHeadsOf, type Group, sameHeads } from '../policy/line';
import { baseNow, newRun, startOrder } from '../policy/new-run';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import { mayStartTests, slotsInUse, slotsOf } from '../policy/slots';
import { isTargetRed } from '../policy/verdict';
import type { Instant } from '../vocabulary';

/**
 * Fills a free slot with a group of the line, or with waiting entries, alone or as a batch. Only one candidate is built
 * at a time, so that each candidate is built on finished candidates.
 */
export function startNextRun(queue: QueueSnapshot, now: Instant): StepResult {
  if (!mayStartTests(queue) || slotsInUse(queue) >= slotsOf(queue)) return NOTHING;
  if (queue.runs.some((run) => run.kind === 'line' && run.phase === 'building')) return NOTHING;
  const next = nextForSlot(queue, now);
  if (next === null || (isTargetRed(queue) && !isUrgent(next))) return NOTHING;
  return 'run' in next ? startRun(queue, next, now) : join(queue, next);
}

/** Whether an entry of the group was placed as urgent, or as a dependency of an urgent entry. */
function isUrgent({ entries }: Pick<Group, 'entries'>): boolean {
  return entries.some(({ urgentInLine }) => urgentInLine);
}

/** Gives the entries of a batch their place in the line, just before their run starts. */
function join(queue: QueueSnapshot, { entries }: Batch): StepResult {
  const places = entries.map((entry, index) => ({ entryId: entry.id, place: queue.nextPlace, index, urgent: false }));
  const change: Change = { type: 'entriesPlaced', places, because: 'joined' };
  return changesOnly(change);
}

export function startRun(queue: QueueSnapshot, group: Group, now: Instant): StepResult {
  const base = baseNow(queue);
  if (base === null) return NOTHING;
  const builtOn = expectedBase(queue, group);
  const particulars = {
    kind: 'line',
    place: group.place,
    search: null,
    base,
    builtOn,
    own: queuedHeadsOf(group),
  } as const;
  const run = newRun(queue, particulars, now);
  return {
    changes: [{ type: 'runStarted', run }],
    commands: [onTopOf(queue, group, startOrder(queue, run, now), run)],
  };
}

/**
 * Changes the command so that it builds on the candidate directly ahead, if that candidate is on the same tip and
 * contains exactly the base of this run.
 */
function onTopOf(queue: QueueSnapshot, group: Group, order: StartTestRun, run: TestRun): StartTestRun {
  const ahead = assumedAhead(queue, group).at(-1)?.run;
  if (!ahead || ahead.base.commit !== run.base.commit || ahead.mergeMethod !== run.mergeMethod) return order;
  if (ahead.commit === null || !sameHeads([...ahead.builtOn, ...ahead.own], run.builtOn)) return order;
  return { ...order, onto: { commit: ahead.commit, contains: run.builtOn }, builtOn: [] };
}
