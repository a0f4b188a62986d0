import { type Command, type LandRun, type StartTestRun } from '../../../src/engine/commands';
import type { LandedCommit, QueueEvent } from '../../../src/engine/events';
import type { PullRequestFacts, QueuedHead } from '../../../src/engine/model';
import { objectionTo } from './promises';
import { BESIDE, nameOf, treeOfCommit, type ExhaustiveCase, type Pull, type State, type Step } from './state';

const WRONG = 'wrong';

/**
 * Carries out a task of the queue at the host. With `isWrong`, a merge writes other content than the pull requests
 * have.
 */
export function carryOut(facts: ExhaustiveCase, state: State, task: Command, isWrong = false): Step {
  const rest = { ...state, tasks: state.tasks.filter((other) => other !== task) };
  if (task.type === 'startTestRun') return { state: told(rest, outcomeOfStart(state, task)) };
  return task.type === 'landRun' ? land(facts, rest, task, isWrong) : { state: rest };
}

export function factsOf({ pulls, now }: State, number: number): PullRequestFacts {
  const { head, state } = pulls.find((pull) => pull.number === number)!;
  const said = { title: `Change ${number}`, author: 'ann', headBranch: null, base: 'main', draft: false } as const;
  return { number, head, state, ...said, mergeability: 'mergeable', unmet: [], dependsOn: [], seenAt: now };
}

/** The tree that a test run tests. */
export function treeOf({ onto, target, builtOn, own }: StartTestRun): string {
  const base = onto.contains.length === 0 ? target.tree : treeOfCommit(onto.commit);
  return [base, ...[...builtOn, ...own].map(nameOf)].join(BESIDE);
}

export function outcomeOfStart(state: State, command: StartTestRun): QueueEvent {
  const { run, own, target } = command;
  const { tip, now } = state;
  const seen = own.map(({ number }) => factsOf(state, number));
  const isExpected = command.keepsBase || tip.commit === target.commit || tip.tree === command.landingTree;
  if (!isExpected) return { type: 'runNotStarted', run, because: { type: 'target_moved', tip, seenAt: now }, seen };
  if (own.some((change) => isChanged(state.pulls, change)))
    return { type: 'runNotStarted', run, because: { type: 'pull_request_changed' }, seen };
  const tree = treeOf(command);
  const branch = `sluice-merge/${run}`;
  const statuses = { requiredStatuses: ['ci'], source: 'merge_instance' } as const;
  return { type: 'runPushed', run, branch, commit: `${tree}#${run}`, tree, ...statuses, at: now, seen };
}

function land(facts: ExhaustiveCase, state: State, command: LandRun, isWrong: boolean): Step {
  const { landing, changes } = command;
  const { tip, now, pulls } = state;
  const refused = (because: Extract<QueueEvent, { type: 'landingRefused' }>['because']): Step => ({
    state: told(state, { type: 'landingRefused', landing, because }),
  });
  if (tip.commit !== command.expectedTip.commit) return refused({ type: 'target_moved', tip, seenAt: now });
  const moved = changes.find((change) => isChanged(pulls, change));
  if (moved !== undefined) return refused({ type: 'head_moved', number: moved.number });
  const right = [tip.tree, ...changes.map(nameOf)].join(BESIDE);
  if (command.testedTree !== null && right !== command.testedTree) return refused({ type: 'tree_differs' });
  const untested = objectionTo(facts, state, command, right);
  if (untested !== null) return { problem: untested };
  const commits = changes.map((change, i): LandedCommit => {
    const names = [...changes.slice(0, i + 1).map(nameOf), ...(isWrong ? [WRONG] : [])];
    const tree = [tip.tree, ...names].join(BESIDE);
    const isTested = tree === command.testedTree && i === changes.length - 1;
    return { number: change.number, tree, commit: isTested ? command.testedCommit : `${tree}#landing${landing}` };
  });
  const last = commits.at(-1)!;
  const wrong = commits.map(({ number, commit, tree }) => ({
    ...{ number, commit, found: tree, expected: tree.replace(` ${WRONG}`, ''), files: ['a.txt'], patch: null },
  }));
  const there: State = {
    ...state,
    tip: { commit: last.commit, tree: last.tree },
    pulls: pulls.map((pull) => (changes.some((c) => c.number === pull.number) ? { ...pull, state: 'merged' } : pull)),
  };
  const found = { tip: there.tip, commits, at: now, ...(isWrong && { wrongTrees: wrong }) };
  return { state: told(there, { type: 'landed', landing, ...found }) };
}

function isChanged(pulls: readonly Pull[], { number, head }: QueuedHead): boolean {
  const pull = pulls.find((other) => other.number === number);
  return pull === undefined || pull.head !== head || pull.state !== 'open';
}

function told(state: State, outcome: QueueEvent): State {
  return { ...state, outcomes: [...state.outcomes, outcome] };
}
