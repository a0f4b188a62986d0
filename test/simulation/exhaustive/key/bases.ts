import type { QueuedHead, TestRun } from '../../../../src/engine/model';
import { share } from '../state';
import { includes, isSame, type View } from './view';

/**
 * In flow scheduling, whether the run may still land. For this, the changes that landed since the run's base must be
 * the beginning of the run's content, and the run's other entries must still be in the queue.
 */
export function mayLandInFlow(view: View, run: TestRun): boolean {
  const content = [...run.builtOn, ...run.own];
  const landed = view.landedSince(run);
  return (
    view.isOfNow(run) &&
    landed.every((head, i) => content[i] !== undefined && isSame(content[i], head)) &&
    content.every((head) => view.isUndone(head) || includes(landed, head))
  );
}

/**
 * The base of a run in sequential scheduling: the entries below the run that have not landed yet. The run is off its
 * base for ever if another change landed, if changes landed in another order, or if an entry below the run left. A base
 * from an earlier epoch does not matter.
 */
export function baseIn(view: View, run: TestRun): unknown {
  return view.isParallel ? baseInLanes(view, run) : baseInLine(view, run);
}

function baseInLine(view: View, run: TestRun): string {
  const { builtOn } = run;
  const landed = view.landedSince(run);
  if (!landed.every((head, i) => builtOn[i] !== undefined && isSame(builtOn[i], head))) return 'off';
  const rest = builtOn.slice(landed.length);
  return rest.every(view.isUndone) ? view.heads(rest) : 'in vain';
}

/**
 * In parallel mode, shared targets matter, too. The first question is whether an entry of the run shares a target with
 * a change that landed outside the run. The second question is whether a landed change of the run shares a target with
 * a change that may still land.
 */
function baseInLanes(view: View, run: TestRun): unknown {
  const { builtOn, own } = run;
  const landed = view.landedSince(run);
  const lacked = landed.filter((head) => !includes(builtOn, head));
  const rest = builtOn.filter((head) => !includes(landed, head));
  const isLacking = ({ number }: QueuedHead): boolean => lacked.some((head) => share(view.facts, number, head.number));
  const held = builtOn.filter((head) => includes(landed, head));
  const toLand = Array.from({ length: view.facts.entries }, (_, i) => i + 1)
    .filter((number) => view.open.some((entry) => entry.number === number) || number > view.state.pulls.length)
    .filter((number) => !builtOn.some((head) => head.number === number));
  return [
    rest.every(view.isUndone)
      ? rest.toSorted((a, b) => a.number - b.number).map((head) => [head.number, isLacking(head)])
      : 'in vain',
    own.some(isLacking),
    held.some(isLacking),
    toLand.filter((number) => held.some((head) => share(view.facts, number, head.number))),
  ];
}
