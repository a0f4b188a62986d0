import { commandSubject } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import type { StatusFact, TestRun } from '../../../src/engine/model';
import { isConcluded } from '../../../src/engine/states';
import { carryOut, factsOf } from './host';
import { happen, idOf, SHORT_WAIT, withReport } from './world';
import { nameOf, type Disturbance, type ExhaustiveCase, type State, type Step } from './state';

export interface Move {
  readonly name: string;
  /**
   * Whether the move is ordinary and not a disturbance. From every state, ordinary moves alone must lead to the end.
   */
  readonly isOrdinary: boolean;
  readonly make: () => Step;
}

/** All moves that are possible next, in any order. */
export function movesOf(facts: ExhaustiveCase, state: State): readonly Move[] {
  return [
    ...submissions(facts, state),
    ...carriedOut(facts, state),
    ...heard(facts, state),
    ...results(facts, state),
    ...waits(facts, state),
    ...resumed(facts, state),
    ...state.left.flatMap((kind) => disturbancesOf(facts, state, kind)),
  ];
}

/** Whether all submitted pull requests have ended, and nothing is in progress. */
export function isOver(facts: ExhaustiveCase, { queue, pulls, tasks, outcomes }: State): boolean {
  const isAllIn = pulls.length === facts.entries && queue.entries.length === facts.entries;
  const isDone = queue.entries.every(({ state }) => isConcluded(state));
  return isAllIn && isDone && tasks.length + outcomes.length + queue.runs.length === 0;
}

/** The next submission. Pull requests are submitted in one order only, because they differ only in their numbers. */
function submissions(facts: ExhaustiveCase, state: State): readonly Move[] {
  const number = state.pulls.length + 1;
  if (number > facts.entries) return [];
  const opened: State = { ...state, pulls: [...state.pulls, { number, head: 'a', state: 'open' }] };
  return [move(`submit #${number}`, () => happen(facts, opened, submission(opened, number)))];
}

function submission(state: State, number: number): QueueEvent {
  const said = { newEntryId: idOf(number), facts: factsOf(state, number), commits: [], hasTargets: true } as const;
  return { type: 'pullRequestSubmitted', ...said, via: 'api', actor: 'ci' };
}

/** The tasks that can be carried out next. Tasks of one subject are carried out in order. */
function carriedOut(facts: ExhaustiveCase, state: State): readonly Move[] {
  const subjects = state.tasks.map((task) => commandSubject('queue', task));
  return state.tasks
    .filter((_, i) => subjects.indexOf(subjects[i]!) === i)
    .map((task) => {
      const what = task.type === 'landRun' ? `landing ${task.landing}` : `run ${task.run}`;
      return move(`carry out ${task.type} of ${what}`, () => carryOut(facts, state, task));
    });
}

/** The queue may receive the outcomes in any order, because no outcome waits for another outcome of its subject. */
function heard(facts: ExhaustiveCase, state: State): readonly Move[] {
  return state.outcomes.map((outcome) => {
    const rest = { ...state, outcomes: state.outcomes.filter((other) => other !== outcome) };
    const what = 'run' in outcome ? ` of run ${outcome.run}` : '';
    return move(`hear ${outcome.type}${what}`, () => happen(facts, rest, outcome));
  });
}

/**
 * The results of tests. A failure is a disturbance, because the end must be reachable without failures. With enough
 * failures, every state would reach the end.
 */
function results(facts: ExhaustiveCase, state: State): readonly Move[] {
  return testing(state).flatMap((run) => {
    const passes = move(`run ${run.number} passes`, () => report(facts, state, run, 'passed'));
    const so = afterFailure(state, run);
    return so === null
      ? [passes]
      : [passes, disturb(`run ${run.number} fails`, () => report(facts, so, run, 'failed'))];
  });
}

/** The state with one failure less that may still happen; null if no further test may fail. */
function afterFailure(state: State, { own }: TestRun): State | null {
  const { targetFailures, failures } = state;
  if (own.length === 0) return targetFailures === 0 ? null : { ...state, targetFailures: targetFailures - 1 };
  return failures === 0 ? null : { ...state, failures: failures - 1 };
}

function testing({ queue }: State): readonly TestRun[] {
  return queue.runs.filter(({ phase, commit }) => phase === 'testing' && commit !== null);
}

function report(facts: ExhaustiveCase, state: State, run: TestRun, result: StatusFact['state']): Step {
  const { commit, number, own } = run;
  const passed = result === 'passed' ? [...state.passed, commit!] : state.passed;
  const red = result === 'failed' ? [...state.red, { run: number, own: own.map(nameOf) }] : state.red;
  const so = withReport({ ...state, passed, red }, commit!, result);
  return happen(facts, so, { type: 'statusReported', commit: commit! });
}

/** Time passes until the queue wants to decide again. Longer waits end with timeouts, which are not played. */
function waits(facts: ExhaustiveCase, state: State): readonly Move[] {
  const { wakeAt, now } = state;
  if (wakeAt === null || wakeAt - now > SHORT_WAIT) return [];
  return [move('wait', () => happen(facts, { ...state, now: wakeAt }, { type: 'clockTicked' }))];
}

/** A person resumes a queue that paused itself. */
function resumed(facts: ExhaustiveCase, state: State): readonly Move[] {
  const event = { type: 'settingsChanged', settings: {}, state: 'running', actor: 'ann' } as const;
  return state.queue.state === 'paused' ? [move('somebody resumes', () => happen(facts, state, event))] : [];
}

function disturbancesOf(facts: ExhaustiveCase, state: State, kind: Disturbance): readonly Move[] {
  const so = { ...state, left: state.left.filter((other) => other !== kind) };
  const open = state.queue.entries.filter((entry) => !isConcluded(entry.state));
  switch (kind) {
    case 'cancel':
      return open.map(({ number }) => disturb(`cancel #${number}`, () => happen(facts, so, request('cancel', number))));
    case 'restart':
      return open.map(({ number }) =>
        disturb(`restart #${number}`, () => happen(facts, so, request('restart', number))),
      );
    case 'push':
      return open.map(({ number }) => disturb(`push to #${number}`, () => pushed(facts, so, number)));
    case 'inconclusive':
      return testing(state).map((run) =>
        disturb(`run ${run.number} is given up by CI`, () => report(facts, so, run, 'lost')),
      );
    case 'target moved':
      return [disturb('push to the target', () => targetMoved(facts, so))];
    case 'wrong tree':
      return state.tasks
        .filter(({ type }) => type === 'landRun')
        .map((task) => disturb('the host merges with other content', () => carryOut(facts, so, task, true)));
  }
}

function request(what: 'cancel' | 'restart', number: number): QueueEvent {
  return { type: `${what}Requested`, number, via: 'api', actor: 'ci' };
}

/** Somebody pushes to the pull request, and the queue is notified at once. */
function pushed(facts: ExhaustiveCase, state: State, number: number): Step {
  const pulls = state.pulls.map((pull) => (pull.number === number ? { ...pull, head: 'b' } : pull));
  const so = { ...state, pulls };
  const seen = { facts: factsOf(so, number), pusherMayWrite: true, commits: [] };
  return happen(facts, so, { type: 'pullRequestSeen', ...seen });
}

/** Somebody pushes to the target. The queue may be notified, or notices the push when the host refuses a task. */
function targetMoved(facts: ExhaustiveCase, state: State): Step {
  const tree = `${state.tip.tree} hotfix`;
  const so = { ...state, tip: { commit: `${tree}#push`, tree } };
  return happen(facts, so, { type: 'targetSeen', tip: so.tip, seenAt: so.now });
}

function disturb(name: string, make: () => Step): Move {
  return { name, isOrdinary: false, make };
}

function move(name: string, make: () => Step): Move {
  return { name, isOrdinary: true, make };
}
