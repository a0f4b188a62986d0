import type { LandRun } from './commands';
import type { Decided } from './decision';
import type { QueueSnapshot, TestRun } from './model';
import { isOnTarget, lineOf, sameChanges } from './policy/line';
import { slotsInUse, slotsOf } from './policy/slots';
import { isConcluded } from './states';

/**
 * What must hold after every decision, whatever the rules say. A sentence for each violation; the transaction of a
 * decision that has any is abandoned: wrong is worse than late.
 */
export function violations(before: QueueSnapshot, decision: Decided): readonly string[] {
  const { after } = decision;
  return [
    ...entriesInPlace(after),
    ...runsInPlace(after),
    ...slotsRespected(before, after),
    ...decision.commands.flatMap((command) => (command.type === 'landRun' ? landingProven(after, command) : [])),
  ];
}

function entriesInPlace(queue: QueueSnapshot): readonly string[] {
  return queue.entries.flatMap((entry) => {
    const said: string[] = [];
    const holding = queue.runs.filter(
      (run) => run.kind === 'line' && run.own.some((change) => change.entryId === entry.id),
    );
    if (holding.length > 1) said.push(`#${entry.number} is in ${holding.length} runs of the line`);
    if (isConcluded(entry.state) && (holding.length > 0 || entry.place !== null))
      said.push(`#${entry.number} is ${entry.state} and still in the line`);
    const tested = entry.state === 'testing' || entry.state === 'tests_passed' || entry.state === 'pending_failure';
    if (tested && holding.length === 0) said.push(`#${entry.number} is ${entry.state} and no run holds it`);
    if (tested && !holding.some((run) => run.own.some((change) => change.head === entry.head)))
      said.push(`#${entry.number} is ${entry.state} by a run of another head`);
    return said;
  });
}

function runsInPlace(queue: QueueSnapshot): readonly string[] {
  const places = new Set(lineOf(queue).map((group) => group.place));
  return queue.runs.flatMap((run) => {
    const said: string[] = [];
    if (run.kind === 'line' && !places.has(run.place)) said.push(`run ${run.number} stands at no place of the line`);
    if (run.phase === 'landing' && !queue.landing?.runs.includes(run.number))
      said.push(`run ${run.number} lands without an order`);
    return said;
  });
}

/** A lowered concurrency stops nothing: only a start beyond the slots is wrong. */
function slotsRespected(before: QueueSnapshot, after: QueueSnapshot): readonly string[] {
  const inUse = slotsInUse(after);
  if (inUse <= slotsOf(after) || inUse <= slotsInUse(before)) return [];
  return [`${inUse} runs hold slots, ${slotsOf(after)} may`];
}

/** In the line the target gets exactly the tree that was tested, on exactly the base it was tested on. */
function landingProven(queue: QueueSnapshot, command: LandRun): readonly string[] {
  const runs = command.runs.map((number) => queue.runs.find((run) => run.number === number));
  const last = runs.at(-1);
  if (!last || runs.some((run) => run === undefined))
    return [`landing ${command.landing} is of a run that is not there`];
  const said: string[] = [];
  if (!isTested(last)) said.push(`run ${last.number} lands without a test`);
  if (!isOnTarget(queue, last)) said.push(`run ${last.number} lands on another base than it was tested on`);
  if (command.testedCommit !== last.commit || command.testedTree !== last.tree)
    said.push(`run ${last.number} lands another tree than was tested`);
  if (command.expectedTip.commit !== queue.tip?.commit)
    said.push(`run ${last.number} lands on another tip than the queue knows`);
  if (
    !sameChanges(
      command.changes,
      runs.flatMap((run) => run?.own ?? []),
    )
  )
    said.push(`run ${last.number} lands other pull requests than it tested`);
  return said;
}

function isTested(run: TestRun): boolean {
  return run.resultAt !== null && run.requiredStatuses.length > 0 && run.commit !== null && run.failure === null;
}
