import type { Command } from '../../../src/engine/commands';
import { decide } from '../../../src/engine/decide';
import type { QueueEvent } from '../../../src/engine/events';
import { FLOW_AT_START } from '../../../src/engine/flow-state';
import type { QueueSnapshot } from '../../../src/engine/model';
import { outcomeOfStart } from './host';
import { type State, type Step } from './state';

/**
 * Drops facts on which no decision depends: reports on commits that no run tests any more, and changes that landed
 * before the oldest base. Also drops statistics that change group sizes over months. If these facts stayed, there would
 * always be new states.
 */
export function withoutHistory(queue: QueueSnapshot): QueueSnapshot {
  const commits = new Set(queue.runs.map(({ commit }) => commit));
  const reports = queue.reports.filter(({ commit }) => commits.has(commit));
  const flow = queue.flow && { ...queue.flow, learned: FLOW_AT_START.learned, areas: [], redTests: [], tested: 0 };
  const bases = [...queue.runs, ...queue.searches].map(({ base }) => base).filter(({ epoch }) => epoch === queue.epoch);
  const oldest = Math.min(...bases.map(({ landedSeq }) => landedSeq));
  const landed = queue.landed.filter(({ seq, epoch }) => epoch === queue.epoch && seq > oldest);
  return { ...queue, reports, landed, ...(flow && { flow }) };
}

/**
 * Takes tasks and outcomes of runs that the queue no longer has, and lets the queue decide on them at once. These
 * decisions must change nothing, now or later. Also drops results that no decision uses any more.
 */
export function withoutLate(state: State): Step {
  const { queue, now } = state;
  const isLate = (one: Command | QueueEvent): boolean =>
    'run' in one && !queue.runs.some(({ number, phase }) => number === one.run && phase === 'building');
  const late = [...state.tasks, ...state.outcomes].filter(isLate);
  for (const one of late) {
    const decided = decide(queue, one.type === 'startTestRun' ? outcomeOfStart(state, one) : (one as QueueEvent), now);
    if (decided.type === 'refused' || decided.changes.some(({ type }) => type !== 'pullRequestObserved'))
      return { problem: `it goes by ${one.type} of a run that ended` };
  }
  if (late.length === 0) return { state: withoutEvidence(state) };
  const tasks = state.tasks.filter((task) => !late.includes(task));
  const outcomes = state.outcomes.filter((outcome) => !late.includes(outcome));
  return { state: withoutEvidence({ ...state, tasks, outcomes }) };
}

function withoutEvidence(state: State): State {
  const { queue, tasks, passed, red } = state;
  if (passed.length + red.length === 0) return state;
  const commits = new Set<string | null>([
    ...queue.runs.map(({ commit }) => commit),
    ...tasks.map((task) => (task.type === 'landRun' ? task.testedCommit : null)),
  ]);
  const runs = new Set([
    ...queue.runs.map(({ number }) => number),
    ...queue.searches.flatMap(({ results }) => results.map(({ run }) => run)),
    ...queue.entries.map(({ flow }) => flow?.redAlone?.run),
  ]);
  return {
    ...state,
    passed: passed.filter((commit) => commits.has(commit)),
    red: red.filter(({ run }) => runs.has(run)),
  };
}
