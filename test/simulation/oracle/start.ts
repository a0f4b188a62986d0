import { build } from './build';
import { insertBefore, newRun, takeOut, testAgain } from './line';
import type { Entry, LineRun } from './model';
import { URGENT } from '../../../src/engine/vocabulary';
import { compareTurns, nextGroup, overtaken } from './pending';
import { mayStartTests, type OracleQueue } from './queue';

/** An urgent entry that waits goes to the head, behind what is being landed and urgent ones before it. */
export function placeUrgent(queue: OracleQueue): boolean {
  if (!mayStartTests(queue)) return false;
  const [urgent] = [...queue.entries.values()].filter(isWaitingUrgent).sort(compareTurns);
  if (urgent === undefined) return false;
  takeOut(queue, urgent);
  const ahead = queue.line.findLastIndex((run) => run.phase === 'landing' || run.isUrgent);
  insertBefore(queue, ahead + 1, newRun(queue, [urgent], 'urgent'));
  return true;
}

function isWaitingUrgent(entry: Entry): boolean {
  return entry.priority === URGENT && entry.where === 'waiting';
}

function holdsSlot(run: LineRun): boolean {
  return isInTest(run) || (run.phase === 'landing' && run.phaseBeforeLanding === 'testing');
}

function isInTest({ phase }: LineRun): boolean {
  return phase === 'building' || phase === 'testing';
}

export function slotsInUse(queue: OracleQueue): number {
  return queue.line.filter(holdsSlot).length;
}

/**
 * A free slot goes to what stands in the line without a test, in order; else the next that wait join it. One candidate
 * is made at a time.
 */
export function startRuns(queue: OracleQueue): boolean {
  if (!mayStartTests(queue)) return false;
  if (slotsInUse(queue) >= queue.settings.concurrency) return yieldSlot(queue);
  if (queue.line.some((run) => run.phase === 'building')) return false;
  const queued = queue.line.find((run) => run.phase === 'queued');
  if (queued !== undefined) {
    build(queue, queued);
    return true;
  }
  const group = nextGroup(queue);
  if (group === null) return false;
  for (const problem of overtaken(queue, group)) queue.complain(problem);
  queue.line.push(newRun(queue, group, 'in order'));
  return true;
}

/** An urgent entry without a slot gets that of the test that started last; not when it was restarted, though. */
function yieldSlot(queue: OracleQueue): boolean {
  const urgent = queue.line.find((run) => run.phase === 'queued' && run.isUrgent && !run.isAskedFor);
  const ordinary = queue.line.filter((run) => isInTest(run) && !run.isUrgent);
  const [last] = ordinary.sort((a, b) => b.startedOrder - a.startedOrder);
  if (urgent === undefined || last === undefined) return false;
  if (queue.line.some((run) => run.phase === 'building' && run !== last)) return false;
  testAgain(queue, last);
  build(queue, urgent);
  return true;
}
