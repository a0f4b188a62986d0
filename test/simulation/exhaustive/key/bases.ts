import type { QueuedHead, TestRun } from '../../../../src/engine/model';
import { share } from '../state';
import { includes, isSame, type View } from './view';

/** In flow: what landed since it was built is the beginning of it, and the rest is still there. Else it never lands any more. */
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
 * In order: what it is built on and has not landed yet. What landed since and is not in it, or in another order, puts it off its base for
 * ever, and so does what left. Of one of an earlier epoch nobody asks.
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
 * There also: whether what landed beside it shares a target with each of what it holds, and which of those that may still land do with what it
 * holds and has landed.
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
