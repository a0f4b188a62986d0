import { build } from './build';
import { newRun, takeOut, testAgain } from './line';
import type { Entry, LineRun } from './model';
import { compareTurns, isWaiting, nextGroup, overtaken } from './pending';
import { mayStartTests, type OracleQueue } from './queue';

/** An urgent entry that waits goes to the head, behind what is being landed and urgent ones before it. */
export function placeUrgent(queue: OracleQueue): boolean {
  if (!mayStartTests(queue)) return false;
  const [urgent] = [...queue.entries.values()].filter(isWaitingUrgent).sort(compareTurns);
  if (urgent === undefined) return false;
  takeOut(queue, urgent);
  const isAhead = (run: LineRun): boolean => run.phase === 'landing' || run.isUrgent;
  const behind = queue.line.findIndex((run) => !isAhead(run));
  queue.line.splice(behind < 0 ? queue.line.length : behind, 0, newRun(queue, [urgent], 'urgent'));
  return true;
}

function isWaitingUrgent(entry: Entry): boolean {
  return entry.skipsTheLine && entry.where !== 'search' && isWaiting(entry) && !entry.run?.isUrgent;
}

export function testsInLine(queue: OracleQueue): number {
  return queue.line.filter((run) => run.phase === 'testing').length;
}

/** A free slot goes to what stands in the line without a test, in order; else the next that wait join it. */
export function startRuns(queue: OracleQueue): boolean {
  if (!mayStartTests(queue)) return false;
  const queued = queue.line.find((run) => run.phase === 'queued');
  if (testsInLine(queue) >= queue.settings.concurrency) return queued !== undefined && yieldSlot(queue, queued);
  if (queued !== undefined) return build(queue, queued) === 'done';
  const group = nextGroup(queue);
  if (group === null) return false;
  for (const problem of overtaken(queue, group)) queue.complain(problem);
  queue.line.push(newRun(queue, group, 'in order'));
  return true;
}

/** To an urgent entry just placed the test behind it that started last gives up its slot; nobody does for a restart. */
function yieldSlot(queue: OracleQueue, urgent: LineRun): boolean {
  if (!urgent.isUrgent || urgent.hasStarted) return false;
  const behind = queue.line.slice(queue.line.indexOf(urgent) + 1);
  const ordinary = behind.filter((run) => run.phase === 'testing' && !run.isUrgent);
  const [last] = ordinary.sort((a, b) => (b.test?.id ?? 0) - (a.test?.id ?? 0));
  if (last === undefined) return false;
  testAgain(queue, last);
  return true;
}
