import { standingOf } from '../../../../src/engine/flow-facts/scheduling';
import type { FlowRun, QueuedHead, TestRun } from '../../../../src/engine/model';
import { treeOfCommit } from '../state';
import { baseIn, mayLandInFlow } from './bases';
import { moment } from './marks';
import { present } from './present';
import { streakIn } from './results';
import { failureIn } from './searches';
import { startOf } from './tasks';
import { isTimed } from './times';
import { includes, type View } from './view';

/** Fields with their own rule below, and fields that no decision reads. */
const OTHERS = new Set(
  (
    'number place search createdAt base builtOn own mergeMethod timeoutMinutes requiredStatuses requiredStatusesSource pins branch commit ' +
    'tree pushedAt deadline resultAt failure flow'
  ).split(' '),
);

/** The runs, in the order of their starts. */
export function runsIn(view: View): readonly object[] {
  const runs = view.state.queue.runs.toSorted((a, b) => a.number - b.number);
  return runs.map((run) => runOf(view, run));
}

function runOf(view: View, run: TestRun): object {
  if (view.landsForSure && run.phase === 'landing') return { lands: view.heads(run.own) };
  return { ...runIn(view, run), ...(view.isFlow ? inFlow(view, run) : inOrder(view, run)) };
}

function runIn(view: View, run: TestRun): object {
  const { queue } = view.state;
  const { number, phase, commit, own, base, failure, flow } = run;
  const report = queue.reports.find((other) => other.commit === commit);
  return {
    ...present(run, OTHERS),
    own: view.heads(own),
    isOfTip: own.length === 0 && flow === undefined ? base.landedSeq === queue.landedSeq : undefined,
    report: report && [report.state, !view.isFlow && isTimed(run) && moment('W', report.reportedAt)],
    shown: [commit !== null && view.hasPassed(commit), view.isRed(number)],
    failure: failure && failureIn(view, failure, own.length === 1),
    start: phase === 'building' ? startOf(view, run) : undefined,
  };
}

function inOrder(view: View, run: TestRun): object {
  const { place, search, commit, pushedAt, resultAt, phase } = run;
  const isBased = search === null && view.isOfNow(run);
  return {
    place: place === 0 ? undefined : `§P${place}`,
    search: search === null ? undefined : `§S${search}`,
    isOfNow: view.isOfNow(run),
    base: isBased ? baseIn(view, run) : undefined,
    tree: isBased && commit !== null ? view.treeWith(treeOfCommit(commit), contentOf(view, run)) : undefined,
    pushedAt: isTimed(run) && pushedAt !== null ? moment('W', pushedAt) : undefined,
    hasResult: phase === 'landing' && resultAt !== null,
  };
}

/** The entries of the run that are still in the queue. */
function contentOf({ isUndone }: View, { builtOn, own }: TestRun): readonly QueuedHead[] {
  return [...builtOn, ...own].filter(isUndone);
}

function inFlow(view: View, run: TestRun): object {
  const { builtOn, commit, phase, flow } = run;
  const isSound = run.own.length > 0 && mayLandInFlow(view, run);
  return {
    // In flow scheduling no decision depends on the kind of a run; decisions depend only on its role.
    kind: undefined,
    isSound,
    builtOn: view.heads(builtOn),
    tree: isSound && commit !== null ? view.treeWith(treeOfCommit(commit), contentOf(view, run)) : undefined,
    order: phase === 'passed' || phase === 'landing' ? orderIn(view, run) : undefined,
    flow: flow && phase !== 'landing' ? flowIn(view, flow, run) : undefined,
  };
}

/**
 * The position of a run among the passed runs. The queue settles passed runs by the time of their pass, and then by
 * their start. As long as a run that started earlier may still pass, it therefore matters whether this run passed at
 * this very moment.
 */
function orderIn(view: View, { number, resultAt }: TestRun): unknown {
  const { queue, now } = view.state;
  const others = queue.runs.filter(
    (other) => other.number !== number && !(view.landsForSure && other.phase === 'landing'),
  );
  const mayTie = others.some((other) => other.number < number && other.resultAt === null);
  const at = resultAt!;
  const before = others.filter(
    (other) => other.resultAt !== null && (other.resultAt - at || other.number - number) < 0,
  );
  return [before.length, mayTie && resultAt === now];
}

/**
 * The part of a run that only flow scheduling has. The streak matters only for a test in isolation that has no result
 * yet.
 */
function flowIn(view: View, { role, assumed, set, isUrgent, streak }: FlowRun, run: TestRun): object {
  const isSetThere = view.open.map(standingOf).some((standing) => standing.at === 'suspect' && standing.set === set);
  const isBegun = run.phase === 'building' || run.phase === 'testing';
  return {
    role,
    isUrgent,
    assumed: assumedIn(view, assumed, run),
    set: isSetThere ? `§T${set}` : undefined,
    streak: streak !== undefined && isBegun && role === 'alone' ? streakIn(view, streak) : undefined,
  };
}

/**
 * The entries that the run assumes to pass. An entry that landed is no assumption any more. If an assumed entry left,
 * the run is wasted. If the base is older than a push, the key also says which landed changes the queue may forget.
 */
function assumedIn(view: View, assumed: readonly QueuedHead[], run: TestRun): unknown {
  if (assumed.length === 0) return undefined;
  const { queue } = view.state;
  const landed = queue.landed.filter((change) => includes(assumed, change));
  if (assumed.some((head) => !view.isUndone(head) && !includes(landed, head))) return 'in vain';
  const bases = queue.runs.filter((other) => view.isOfNow(other)).map(({ base }) => `§Q${base.landedSeq}`);
  return [view.heads(assumed), !view.isOfNow(run) && landed.length > 0 && [landed.map(({ seq }) => `§Q${seq}`), bases]];
}
