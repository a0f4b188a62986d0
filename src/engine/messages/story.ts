import type { Actor, EntryState, StateReason } from '../vocabulary';
import { type ReasonFacts, reasonSentence } from './reason-sentence';
import { capitalised, company, short } from '../wording/words';

/** One line of the log about an entry. */
export interface StoryLine {
  readonly type: 'entrySubmitted' | 'entryMoved' | 'entryPrioritised' | 'entryPromoted';
  readonly to: EntryState | null;
  readonly reason: StateReason | null;
  readonly actor: Actor;
  /** Number of the entry's pull request. */
  readonly number: number;
  readonly branch: string;
  /** More about the reason, in the words of a host or git. */
  readonly details: string | null;
  /** The priority that the entry was given. */
  readonly priority: number | null;
  readonly becauseOf: readonly number[];
  readonly run: RunOfStory | null;
}

export interface RunOfStory {
  readonly number: number;
  readonly base: string;
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
}

/** The line of the log as one plain sentence. `details` stay as a host or git wrote them. */
export function storySentence(line: StoryLine): string {
  switch (line.type) {
    case 'entrySubmitted':
      return line.to === 'not_ready' ? `${by(line, 'Submitted')}. It is not ready yet.` : `${by(line, 'Submitted')}.`;
    case 'entryPrioritised':
      return `${by(line, `Priority set to ${line.priority}`)}.`;
    case 'entryPromoted':
      return `${by(line, 'Moved ahead of all waiting pull requests of the same priority')}.`;
    case 'entryMoved':
      return `${movedTo(line)}.`;
  }
}

function movedTo(line: StoryLine): string {
  const { to, branch } = line;
  switch (to) {
    case 'not_ready':
      return capitalised(reasonSentence('readiness_lost'));
    case 'pending':
      return capitalised(said(line) ?? 'it waits for a test');
    case 'testing':
      return line.run === null ? 'Being tested' : testedIn(line.run, line.number, branch);
    case 'tests_passed':
      return `${capitalised(said(line) ?? reasonSentence('test_run_passed'))}${inRun(line)}`;
    case 'pending_failure':
      return `Its tests failed${inRun(line)}: the pull requests ahead of it may be the cause, so the queue decides later`;
    case 'merged':
      return capitalised(said(line) ?? reasonSentence('merge_graph_merge', { branch }));
    case 'failed':
      return `Failed: ${said(line) ?? 'its test could not be started'}${inRun(line)}${quoted(line)}`;
    case 'cancelled':
      return `Removed from the queue: ${said(line) ?? 'no reason is known'}${quoted(line)}`;
    case null:
      return 'Its state is unchanged';
  }
}

function said({ reason, branch, actor, becauseOf }: StoryLine): string | null {
  const facts: ReasonFacts = { branch, actor, others: becauseOf };
  return reason === null ? null : reasonSentence(reason, facts);
}

/** The number of the run in brackets, after a space; empty without a run. */
function inRun({ run }: StoryLine): string {
  return run === null ? '' : ` (run ${run.number})`;
}

function testedIn(run: RunOfStory, number: number, branch: string): string {
  return `Run ${run.number} tests it on ${branch} ${short(run.base)}${company(run, number)}`;
}

/**
 * The details in brackets. The details of failed tests are left out, because the message of the state shows the same
 * statuses with links.
 */
function quoted({ reason, details }: StoryLine): string {
  return details === null || reason?.startsWith('test_run_') ? '' : ` (${details})`;
}

function by({ actor }: StoryLine, what: string): string {
  return actor === null ? what : `${what} by ${actor}`;
}
