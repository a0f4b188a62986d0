import type { LandRun } from './commands';
import type { Decided } from './decision';
import { flowInPlace, flowSlotsRespected } from './flow/invariants';
import { isFlow } from './flow-facts/scheduling';
import type { QueuedHead, QueueSnapshot, TestRun } from './model';
import { landedSince } from './policy/base';
import { unmetAmong } from './policy/needs';
import { queuedHeadOf, includesHead, isOwn, lineOf, sameHead, sameHeads, standsInLine } from './policy/line';
import { frozenUntil } from './policy/freeze';
import { withinLimitFrom } from './policy/merge-limit';
import { searchSlotsInUse, searchSlotsOf, slotsInUse, slotsOf } from './policy/slots';
import { isHeldRed } from './policy/verdict';
import { isConcluded } from './states';

/**
 * Conditions that hold after every decision, whatever the rules say. Returns a sentence for each violation. A decision
 * with violations is rolled back, because a late decision is better than a wrong decision.
 */
export function violations(before: QueueSnapshot, decision: Decided): readonly string[] {
  const { after } = decision;
  return [
    ...(isFlow(after)
      ? [...flowInPlace(after), ...flowSlotsRespected(before, after)]
      : [...entriesInPlace(after), ...runsInPlace(after), ...slotsRespected(before, after)]),
    ...suspectedOnce(before, decision),
    ...decision.commands.flatMap((command) => (command.type === 'landRun' ? landingProven(after, command) : [])),
  ];
}

function entriesInPlace(queue: QueueSnapshot): readonly string[] {
  return queue.entries.flatMap((entry) => {
    const said: string[] = [];
    const inLine = queue.runs.filter((run) => standsInLine(run) && isOwn(run, entry));
    const holding = entry.search === null ? inLine : queue.runs.filter((run) => run.search === entry.search);
    if (inLine.length > 1) said.push(`#${entry.number} is in ${inLine.length} runs of the line`);
    if (entry.search !== null && (entry.place !== null || inLine.length > 0))
      said.push(`#${entry.number} is in a bisection and in the line`);
    if (isConcluded(entry.state) && (inLine.length > 0 || entry.place !== null || entry.search !== null))
      said.push(`#${entry.number} is ${entry.state} and still in the line`);
    const isHeld =
      entry.state === 'pending_failure' && queue.searches.some((s) => s.number === entry.search && isHeldRed(s));
    const tested = entry.state === 'testing' || entry.state === 'tests_passed' || entry.state === 'pending_failure';
    if (tested && !isHeld && !holding.some((run) => run.own.some((change) => sameHead(change, queuedHeadOf(entry)))))
      said.push(`#${entry.number} is ${entry.state} and no run holds it at its head`);
    return said;
  });
}

function runsInPlace(queue: QueueSnapshot): readonly string[] {
  const places = new Set(lineOf(queue).map((group) => group.place));
  return queue.runs.flatMap((run) => {
    const said: string[] = [];
    if (standsInLine(run) && !places.has(run.place)) said.push(`run ${run.number} has no place in the line`);
    if (run.search !== null && !queue.searches.some((search) => search.number === run.search))
      said.push(`run ${run.number} belongs to a bisection that has ended`);
    if (run.phase === 'landing' && !queue.landing?.runs.includes(run.number))
      said.push(`run ${run.number} merges without a task`);
    return said;
  });
}

/** A lowered concurrency stops no run, so only new starts beyond the slots are violations. */
function slotsRespected(before: QueueSnapshot, after: QueueSnapshot): readonly string[] {
  const inLine = slotsInUse(after);
  const inSearches = searchSlotsInUse(after);
  return [
    ...(inLine <= slotsOf(after) || inLine <= slotsInUse(before) ? [] : [`${inLine} runs of the line use slots`]),
    ...(inSearches <= searchSlotsOf(after) || inSearches <= searchSlotsInUse(before)
      ? []
      : [`${inSearches} bisection runs use slots`]),
  ];
}

/** A suspect run is tested once more for each attempt of an entry: the next failure counts. */
function suspectedOnce(before: QueueSnapshot, { changes }: Decided): readonly string[] {
  const suspected = new Set(before.entries.flatMap(({ id, suspectRun }) => (suspectRun === null ? [] : id)));
  return changes.flatMap((change) => {
    if (change.type === 'entrySubmitted') suspected.delete(change.entry.id);
    if (change.type !== 'runSuspected') return [];
    const again = change.entryIds.filter((id) => suspected.has(id));
    for (const id of change.entryIds) suspected.add(id);
    return again.map((id) => `entry ${id} is tested again because of flaky tests a second time`);
  });
}

/**
 * A landing is allowed only if each change was tested together with all changes on which it depends, on exactly its
 * base.
 */
function landingProven(queue: QueueSnapshot, command: LandRun): readonly string[] {
  const runs = command.runs.flatMap((number) => queue.runs.filter((run) => run.number === number));
  const last = runs.at(-1);
  if (!last || runs.length !== command.runs.length)
    return [`merge ${command.landing} belongs to a run that does not exist`];
  const said: string[] = [];
  if (command.expectedTip.commit !== queue.tip?.commit)
    said.push(`run ${last.number} merges onto another tip than the queue knows`);
  const own = queue.landing?.changes ?? runs.flatMap((run) => run.own);
  const dry = queue.entries.find(({ id, dryRun }) => dryRun && command.changes.some(({ entryId }) => entryId === id));
  if (dry) said.push(`#${dry.number} lands, and is a dry run`);
  if (withinLimitFrom(queue, command.changes.length) > command.orderedAt)
    said.push(`${command.changes.length} pull requests merge, and the hourly limit allows fewer`);
  const landed = queue.entries.filter(({ id }) => command.changes.some(({ entryId }) => entryId === id));
  if (frozenUntil(queue, landed, command.orderedAt) !== null) said.push(`run ${last.number} merges in a freeze`);
  if (!sameHeads(command.changes, own)) said.push(`run ${last.number} merges other pull requests than it tested`);
  said.push(...landsWithoutNeeds(queue, command));
  return last.kind === 'direct' ? said : [...said, ...testedTogether(queue, command, last, own)];
}

/**
 * A violation for each entry that would land without a dependency: each must be on the target, or land before the entry
 * in the same move.
 */
function landsWithoutNeeds(queue: QueueSnapshot, { landing, changes }: LandRun): readonly string[] {
  return changes.flatMap(({ entryId, number }, i) => {
    const entry = queue.entries.find(({ id }) => id === entryId);
    const missing = entry ? unmetAmong(queue, entry, changes.slice(0, i)) : [];
    return missing.map((need) => `merge ${landing} includes #${number} without #${need.number}, which it needs`);
  });
}

function testedTogether(
  queue: QueueSnapshot,
  command: LandRun,
  last: TestRun,
  landing: readonly QueuedHead[],
): readonly string[] {
  const said: string[] = [];
  if (!isTested(last)) said.push(`run ${last.number} merges without a test`);
  const landed = landedSince(queue, last, landing);
  const present = [...(landed ?? []), ...landing];
  const tested = [...last.builtOn, ...last.own];
  const isSame = queue.mode === 'single' ? sameHeads(present, tested) : isSameSet(present, tested);
  if (landed === null || !isSame) said.push(`run ${last.number} merges onto another base than it was tested on`);
  const tree = queue.mode === 'single' ? last.tree : null;
  if (command.testedCommit !== last.commit || command.testedTree !== tree)
    said.push(`run ${last.number} merges another tree than was tested`);
  return said;
}

function isSameSet(some: readonly QueuedHead[], others: readonly QueuedHead[]): boolean {
  return some.length === others.length && some.every((change) => includesHead(others, change));
}

function isTested(run: TestRun): boolean {
  return run.resultAt !== null && run.requiredStatuses.length > 0 && run.commit !== null && run.failure === null;
}
