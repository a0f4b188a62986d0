import type { Command } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import { isConcluded } from '../../../src/engine/states';
import { treeOfCommit } from './host';
import { SHORT_WAIT, type State } from './world';

/** Classes of numbers, by field. Numbers of one class count only by their order. */
const CLASSES: Readonly<Record<string, string>> = {
  run: 'R',
  runs: 'R',
  stateRun: 'R',
  verifiedByRun: 'R',
  redIn: 'R',
  place: 'P',
  search: 'S',
  landing: 'L',
  submittedOrder: 'O',
  returnedOrder: 'B',
  returnedGroup: 'G',
  culpritOrder: 'B',
  set: 'T',
  passedAs: 'A',
  results: 'M',
  result: 'M',
  lastPass: 'M',
  lastRed: 'M',
  lastUndecided: 'M',
  streak: 'K',
  streaks: 'K',
  epoch: 'E',
  seq: 'Q',
  landedSeq: 'Q',
  concluded: 'C',
  redRebuiltAt: 'C',
  resultAt: 'V',
  tipSeenAt: 'Z',
};

/** Fields that no decision reads, and fields that hold the next free number. */
const HISTORY = setOf(
  'nextRun nextLanding nextOrder nextPlace nextSearch nextSet nextPassed id branch host settings limits title author headBranch',
  'base draft mergeability requiredStatuses requiredStatusesSource pins stateChangedAt stateActor submittedAt firstPendingAt',
  'concludedAt seenAt createdAt at orderedAt deadline tested learned areas sharing isolated',
  'usualUploads mergeMethod timeoutMinutes entryIds patch files why',
);

/** Where it is an object, a decision reads it: the base of a test run, and when a test run was tested. */
const OF_TWO_KINDS = setOf('base tested');

/** Times, which count from now. */
const OF_TIME = setOf(
  'pendingSince notReadySince askAgainAt redSince since againAt acquittedAt from until outageEndedAt pushedAt reportedAt',
);

function setOf(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((some) => some.split(' ')));
}

/** Equal keys: both states have the same future, apart from ids. */
export function keyOf(state: State): string {
  const text = JSON.stringify(reduced(relevant(state), state.now, ''));
  const byClass = new Map<string, Set<number>>();
  for (const [, letter, digits] of text.matchAll(MARK)) {
    const known = byClass.get(letter!) ?? new Set<number>();
    byClass.set(letter!, known.add(Number(digits)));
  }
  const ranks = new Map<string, number>();
  for (const [letter, numbers] of byClass) {
    [...numbers]
      .sort((a, b) => a - b)
      .forEach((number, rank) => ranks.set(letter + number, number === 0 ? 0 : rank + 1));
  }
  return text.replaceAll(MARK, (_, letter: string, digits: string) => `${letter}${ranks.get(letter + Number(digits))}`);
}

const MARK = /§([A-Z])(-?\d+)/g;

function relevant(state: State): unknown {
  const { queue, now, wakeAt, tasks, outcomes, passed, failed, ...rest } = state;
  const wait = wakeAt === null || wakeAt - now > SHORT_WAIT ? null : wakeAt - now;
  const inHand = new Set([...queue.runs.map(({ tree }) => tree), ...tasks.flatMap(treeToLand)]);
  const open = queue.entries.filter((entry) => !isConcluded(entry.state));
  return {
    ...rest,
    // What is seen or ends from here on is as old as that, or younger.
    clocks: { tipSeenAt: now, resultAt: now },
    wait,
    tasks: tasks.toSorted((a, b) => subjectOf(a) - subjectOf(b)),
    outcomes: outcomes.toSorted((a, b) => subjectOf(a) - subjectOf(b)).map(withTimes),
    passed: passed.filter((tree) => inHand.has(tree)),
    failed: failed.filter((name) => open.some((entry) => name === `${entry.number}@${entry.head} `)),
    queue: {
      ...queue,
      entries: queue.entries
        .map((entry) => (open.includes(entry) ? entry : { number: entry.number, state: entry.state }))
        .toSorted((a, b) => a.number - b.number),
      runs: queue.runs.toSorted((a, b) => a.number - b.number),
      reports: queue.reports.toSorted((a, b) => (a.commit < b.commit ? -1 : 1)),
    },
  };
}

/** A tree that no run has any more has to pass again before it lands. */
function treeToLand(task: Command): readonly string[] {
  return task.type === 'landRun' ? [treeOfCommit(task.testedCommit)] : [];
}

/** With the times of an outcome that the queue compares with others once it hears it. */
function withTimes(outcome: QueueEvent): object {
  if ('because' in outcome && typeof outcome.because === 'object' && 'seenAt' in outcome.because)
    return { ...outcome, tipSeenAt: outcome.because.seenAt };
  if (outcome.type === 'runPushed') return { ...outcome, pushedAt: outcome.at };
  return outcome.type === 'landed' || outcome.type === 'landedPartly' ? { ...outcome, tipSeenAt: outcome.at } : outcome;
}

/** Those of one subject keep their order. */
function subjectOf(one: Command | QueueEvent): number {
  return 'run' in one ? one.run : 0;
}

function reduced(value: unknown, now: number, field: string): unknown {
  if (typeof value === 'number') {
    const letter = CLASSES[field];
    if (letter !== undefined) return `§${letter}${value}`;
    return OF_TIME.has(field) ? value - now : value;
  }
  // Words for people, with numbers of pull requests.
  if (typeof value === 'string' && field === 'problem') return 'a problem';
  if (typeof value === 'string')
    return value.replaceAll(/#(landing)?(\d+)/g, (_, landing: string | undefined, id: string) =>
      landing ? `#§L${id}` : `#§R${id}`,
    );
  if (Array.isArray(value)) return value.map((item) => reduced(item, now, field));
  if (typeof value !== 'object' || value === null) return value;
  return ofFields(value as Record<string, unknown>, now);
}

/** `number` is the own number of runs and of searches; of entries it is that of the pull request. */
function ofFields(value: Record<string, unknown>, now: number): unknown {
  const own =
    'phase' in value && 'own' in value ? '§R' : 'members' in value ? '§S' : 'expectedTip' in value ? '§L' : '';
  const entries = Object.entries(value).filter(
    ([name]) => !HISTORY.has(name) || (OF_TWO_KINDS.has(name) && typeof value[name] === 'object'),
  );
  return Object.fromEntries(
    entries.map(([name, inside]) => [
      name,
      name === 'number' && own !== '' ? own + String(inside as number) : reduced(inside, now, name),
    ]),
  );
}
