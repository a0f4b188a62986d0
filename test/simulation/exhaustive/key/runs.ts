import { isFlow } from '../../../../src/engine/flow/standing';
import type { FlowRun, TestRun } from '../../../../src/engine/model';
import { failureIn, streakIn } from './flow';
import { moment, type Names, present } from './names';

/** Fields with a rule of their own below, and those that no decision reads. */
const OTHERS = new Set(
  (
    'number place search createdAt base builtOn own mergeMethod timeoutMinutes requiredStatuses requiredStatusesSource pins branch commit ' +
    'tree pushedAt deadline resultAt failure flow'
  ).split(' '),
);

export function runIn(names: Names, run: TestRun): object {
  const { queue } = names.state;
  const { number, phase, place, search, base, commit, pushedAt, resultAt, failure, flow } = run;
  const isOfNow = base.epoch === queue.epoch;
  const report = queue.reports.find((other) => other.commit === commit);
  const isTimed = names.isTimed && (phase === 'testing' || (phase === 'landing' && resultAt === null));
  const hasPassed = phase === 'passed' || phase === 'landing';
  return {
    ...present(run, OTHERS),
    number: `§R${number}`,
    place: place === 0 ? undefined : `§P${place}`,
    search: search === null ? undefined : `§S${search}`,
    base: isOfNow ? `${names.tip(base)}§Q${base.landedSeq}` : 'old',
    builtOn: names.list(run.builtOn),
    own: names.list(run.own),
    commit: commit !== null && isOfNow ? names.commit(commit) : undefined,
    report: report && [report.state, isTimed && moment('W', report.reportedAt)],
    shown: [commit !== null && names.hasPassed(commit), names.isRed(number)],
    pushedAt: isTimed && pushedAt !== null ? moment('W', pushedAt) : undefined,
    resultAt: hasPassed && resultAt !== null ? moment('V', resultAt) : undefined,
    failure: failure && failureIn(names, failure),
    flow: flow && isFlow(queue) && phase !== 'landing' ? flowRunIn(names, flow, phase) : undefined,
    kind: flow && isFlow(queue) ? undefined : run.kind,
  };
}

/** In flow its role decides, not its kind, and nothing does once it lands. */
function flowRunIn(names: Names, { role, hopes, set, isUrgent, streak }: FlowRun, phase: TestRun['phase']): object {
  const { queue } = names.state;
  const isSetThere = queue.entries.some(({ flow }) => flow?.at === 'suspect' && flow.set === set);
  return {
    role,
    isUrgent,
    hopes: names.list(hopes),
    set: isSetThere ? `§T${set}` : undefined,
    streak: streak === undefined || phase === 'passed' ? undefined : streakIn(queue, streak),
  };
}
