import type { LandRun, StartTestRun } from '../../../../src/engine/commands';
import type { QueueEvent } from '../../../../src/engine/events';
import type { PullRequestFacts, TestRun } from '../../../../src/engine/model';
import type { Instant } from '../../../../src/engine/vocabulary';
import { treeOf } from '../host';
import { mayLandInFlow } from './bases';
import { objectionTo } from '../promises';
import { BESIDE, nameOf } from '../state';
import { moment } from './marks';
import { markOf } from './names';
import { isAsKnown, type View } from './view';

/** The start of a run that is not finished, as its task or as the outcome of this task. */
export function startOf(view: View, run: TestRun): unknown {
  const { tasks, outcomes } = view.state;
  const content = [...run.builtOn, ...run.own].filter(view.isUndone);
  const mayLand = run.search === null && run.own.length > 0 && (!view.isFlow || mayLandInFlow(view, run));
  const treeIn = (tree: string): string => (mayLand ? view.treeWith(tree, content) : '');
  const started = tasks.filter((task) => task.type === 'startTestRun').filter((task) => task.run === run.number);
  const heard = outcomes.filter((outcome) => 'run' in outcome && outcome.run === run.number);
  return [
    ...started.map((task) => ['to do', expectedIn(view, task), mayBeExpected(view, task) ? treeIn(treeOf(task)) : '']),
    ...heard.map((outcome) => outcomeIn(view, outcome, treeIn)),
  ];
}

/** Whether the target is as the task expects it, and whether the run's own heads are as the queue knows them. */
function expectedIn(view: View, { target, landingTree, keepsBase, own }: StartTestRun): readonly unknown[] {
  const { tip, pulls } = view.state;
  const areAsKnown = own.every((head) => isAsKnown(pulls, head));
  if (keepsBase) return [areAsKnown];
  if (!mayBeExpected(view, { target, landingTree })) return ['refused'];
  return [
    target.commit === tip.commit,
    landingTree === tip.tree ? 'there' : isToCome(view, landingTree) && 'to come',
    areAsKnown,
  ];
}

/** Whether the target may be as the task expects it. On another tip the host always refuses the task. */
function mayBeExpected(view: View, { target, landingTree }: Pick<StartTestRun, 'target' | 'landingTree'>): boolean {
  const { tip } = view.state;
  return target.commit === tip.commit || landingTree === tip.tree || isToCome(view, landingTree);
}

/** Whether the target may still become this tree, which only a pending landing on the present tip can cause. */
function isToCome({ state: { tasks, tip } }: View, tree: string | null): boolean {
  return tasks.some(
    (task) =>
      task.type === 'landRun' &&
      task.expectedTip.commit === tip.commit &&
      tree === [tip.tree, ...task.changes.map(nameOf)].join(BESIDE),
  );
}

function outcomeIn(view: View, outcome: QueueEvent, treeIn: (tree: string) => string): unknown {
  switch (outcome.type) {
    case 'runPushed':
      return [treeIn(outcome.tree), !view.isFlow && moment('W', outcome.at), ...changedIn(view, outcome.seen)];
    case 'runNotStarted':
      return [becauseIn(view, outcome.because), ...changedIn(view, outcome.seen)];
    case 'landingRefused':
      return becauseIn(view, outcome.because);
    case 'landed': {
      const { tip, commits, wrongTrees = [], at } = outcome;
      return [view.tip(tip), commits.map(markOf).join(), wrongTrees.length, newerThan(view, at)];
    }
    default:
      return outcome;
  }
}

/**
 * For each observation, how the pull request has changed since then. An observation that the queue will not use is left
 * out.
 */
function changedIn(view: View, all: readonly PullRequestFacts[]): readonly unknown[] {
  return all.flatMap(({ number, head, state, seenAt }) => {
    const entry = view.open.find((other) => other.number === number);
    const pull = view.state.pulls.find((other) => other.number === number)!;
    if (entry === undefined || seenAt < entry.pullRequest.seenAt) return [];
    return pull.head === head && pull.state === state ? [] : [[markOf({ number }), head === entry.head, state]];
  });
}

/** The parts of the key about the landing in progress. */
export function landingIn(view: View): unknown {
  const { queue, tasks, outcomes } = view.state;
  const { landing } = queue;
  const isOfIt = (one: object): boolean => 'landing' in one && one.landing === landing?.number;
  return [
    landing && [view.heads(landing.changes ?? []), landing.runs.map((run) => view.placeOf(run)).join()],
    ...tasks.filter((task) => task.type === 'landRun').map((task) => [isOfIt(task), landIn(view, task)]),
    ...outcomes
      .filter((outcome) => 'landing' in outcome)
      .map((outcome) => [isOfIt(outcome), outcomeIn(view, outcome, (tree) => view.tree(tree))]),
  ];
}

/**
 * The host's answer to a landing if nothing else happens at the host before. On another tip the host always refuses the
 * landing.
 */
function landIn({ facts, state }: View, land: LandRun): unknown {
  const { changes, expectedTip, testedTree, notAfter } = land;
  const { tip, pulls } = state;
  if (expectedTip.commit !== tip.commit) return 'refused';
  const tree = [tip.tree, ...changes.map(nameOf)].join(BESIDE);
  const said = [testedTree && tree === testedTree, objectionTo(facts, state, land, tree)];
  return [changes.map((change) => markOf(change) + isAsKnown(pulls, change)), ...said, notAfter];
}

type Because = Extract<QueueEvent, { type: 'runNotStarted' | 'landingRefused' }>['because'];

function becauseIn(view: View, because: Because): unknown {
  if (because.type === 'target_moved') return [because.type, view.tip(because.tip), newerThan(view, because.seenAt)];
  return because.type === 'head_moved' ? [because.type, markOf(because)] : because;
}

/**
 * For every other observation of the target, whether it is newer than this observation. The queue ignores an
 * observation that is older than its newest one.
 */
function newerThan({ state: { queue, now, outcomes } }: View, seenAt: Instant): string {
  const others = outcomes
    .toSorted((a, b) => runOf(a) - runOf(b))
    .flatMap((outcome) => {
      if (outcome.type === 'landed') return outcome.at;
      const { seenAt: other = null } = 'because' in outcome ? (outcome.because as { seenAt?: Instant }) : {};
      return other ?? [];
    });
  return [queue.tipSeenAt ?? 0, now, ...others].map((other) => Number(seenAt < other)).join('');
}

function runOf(outcome: QueueEvent): number {
  return 'run' in outcome ? outcome.run : 0;
}
