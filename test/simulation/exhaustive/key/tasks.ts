import type { Command, LandRun, StartTestRun } from '../../../../src/engine/commands';
import type { QueueEvent } from '../../../../src/engine/events';
import { treeOf } from '../host';
import type { Instant } from '../../../../src/engine/vocabulary';
import { moment, type Names } from './names';
import { BESIDE, nameOf } from '../state';

export function tasksIn(names: Names): readonly string[] {
  return inOrder(names.state.tasks).map((task) => {
    if (task.type === 'startTestRun') return startIn(names, task);
    return task.type === 'landRun' ? landIn(names, task) : JSON.stringify(task);
  });
}

export function outcomesIn(names: Names): readonly string[] {
  return inOrder(names.state.outcomes).map((outcome) => outcomeIn(names, outcome));
}

function inOrder<T extends Command | QueueEvent>(some: readonly T[]): readonly T[] {
  const runOf = (one: T): number => ('run' in one ? one.run : 0);
  return some.length < 2 ? some : some.toSorted((a, b) => runOf(a) - runOf(b));
}

function startIn(names: Names, start: StartTestRun): string {
  const { tasks, tip } = names.state;
  const { run, kind, keepsBase, target, landingTree: tree } = start;
  // The target can only become that tree by a landing that is still to be carried out, on the tip as it is.
  const isToCome =
    tree === tip.tree ||
    tasks.some(
      (task) =>
        task.type === 'landRun' &&
        task.expectedTip.commit === tip.commit &&
        tree === [tip.tree, ...task.changes.map(nameOf)].join(BESIDE),
    );
  const landing = tree !== null && isToCome ? names.tree(tree) : '';
  return [`§R${run}`, kind, keepsBase, names.tip(target), landing, names.tree(treeOf(start))].join('|');
}

function landIn(names: Names, land: LandRun): string {
  const { landing, runs, changes, expectedTip, testedCommit, testedTree, notAfter } = land;
  const tested = [names.commit(testedCommit), testedTree && names.tree(testedTree), names.hasPassed(testedCommit)];
  const what = [runs.map((run) => `§R${run}`).join(), names.list(changes), names.tip(expectedTip), notAfter];
  return [`§L${landing}`, ...what, ...tested].join('|');
}

function outcomeIn(names: Names, outcome: QueueEvent): string {
  switch (outcome.type) {
    case 'runPushed': {
      const pushedAt = names.isTimed ? moment('W', outcome.at) : '';
      return [`§R${outcome.run}`, names.commit(outcome.commit), pushedAt].join('|');
    }
    case 'runNotStarted':
      return [`§R${outcome.run}`, becauseIn(names, outcome.because)].join('|');
    case 'landingRefused':
      return [`§L${outcome.landing}`, becauseIn(names, outcome.because)].join('|');
    case 'landed': {
      const { landing, tip, commits, wrongTrees = [] } = outcome;
      const merged = commits.map(({ number, commit }) => `${names.number(number)} ${names.commit(commit)}`);
      return [`§L${landing}`, names.tip(tip), merged.join(), wrongTrees.length].join('|');
    }
    default:
      return JSON.stringify(outcome);
  }
}

type Because = Extract<QueueEvent, { type: 'runNotStarted' | 'landingRefused' }>['because'];

function becauseIn(names: Names, because: Because): string {
  if (because.type === 'target_moved')
    return `${because.type} ${names.tip(because.tip)} ${newerThan(names, because.seenAt)}`;
  return because.type === 'head_moved' ? `${because.type} ${names.number(because.number)}` : JSON.stringify(because);
}

/** The queue passes over a sighting of the target that is older than the one it has: than which of those to come this is. */
function newerThan({ state: { queue, now, outcomes } }: Names, seenAt: Instant): string {
  const others = inOrder(outcomes).flatMap((outcome) => {
    if (outcome.type === 'landed') return outcome.at;
    return 'because' in outcome && typeof outcome.because === 'object' && 'seenAt' in outcome.because
      ? outcome.because.seenAt
      : [];
  });
  return [queue.tipSeenAt ?? 0, now, ...others].map((other) => Number(seenAt < other)).join('');
}
