import type { PullRequestViewFacts } from '../pull-request-view-facts';
import type { Entry } from '../model';
import { assertNever } from '../vocabulary';
import { takesOff } from './status/statuses';
import { DRY_RUN } from './comment/reasons';
import { cancelled, failed, merged } from './comment/concluded';
import { clockTime } from './clock-time';
import { commentMarker, submitCheckbox } from './comment-markers';
import { passed, pendingFailure, testing } from './comment/testing';
import { failedTestsTable } from './failed-tests';
import { changesWorkflows } from './fork-workflows';
import { code, type Story } from '../wording/markdown';
import { withoutReferences } from './references';
import { notReady, pending } from './comment/waiting';

/** If the host refused a comment as too long, it would keep showing an old state. GitHub accepts 65,536 characters. */
const LONGEST_COMMENT = 60_000;

/**
 * The comment on a pull request. Only changes of its own pull request rewrite it, so each fact about other pull
 * requests says at which time it was true.
 */
export function commentOn(facts: PullRequestViewFacts): string {
  const { title, sentences } = storyOf(facts);
  const how = howTo(facts);
  const tests = failedTestsTable(facts.failedTests, facts.publicUrl);
  const begin = [commentMarker(facts.brand), `### ${title}`, ...sentences, ...whenItEnds(facts)];
  const end = how === null ? [] : [how];
  const whole = withoutReferences([...begin, ...tests, ...end].join('\n\n'));
  return whole.length <= LONGEST_COMMENT ? whole : withoutReferences([...begin, ...end].join('\n\n'));
}

/** The first comment on a pull request that nobody has submitted yet. */
export function submitPromptFor(
  { branch, settings }: { readonly branch: string; readonly settings: { readonly commandsEnabled: boolean } },
  brand: string,
): string {
  const purpose = `put this pull request into the queue of ${code(branch)}`;
  return [
    commentMarker(brand),
    submitCheckbox(brand, purpose, settings.commandsEnabled),
    '<sub>Once it is in the queue, this comment shows its state.</sub>',
  ].join('\n\n');
}

export function storyOf(facts: PullRequestViewFacts): Story {
  const story = withWorkflows(withTakenOff(storyOfState(facts), facts.entry), facts.entry);
  const { state, dryRun } = facts.entry;
  if (!dryRun || state === 'merged' || state === 'cancelled') return story;
  return { ...story, sentences: [...story.sentences, DRY_RUN], line: `Dry run: ${story.line}` };
}

/** The warning is shown only before the test: later the result of the test says more. */
function withTakenOff(story: Story, { state, takesOff: names = [] }: Entry): Story {
  const isToBeTested = state === 'not_ready' || state === 'pending';
  return isToBeTested && names.length > 0
    ? { ...story, sentences: [...story.sentences, `${takesOff(names, code)}.`] }
    : story;
}

/** The warning is shown while somebody can still stop the test, or check what it did. */
function withWorkflows(story: Story, { state, changedWorkflows: paths = [] }: Entry): Story {
  const isOver = state === 'merged' || state === 'failed' || state === 'cancelled';
  return isOver || paths.length === 0
    ? story
    : { ...story, sentences: [...story.sentences, `${changesWorkflows(paths, code)}.`] };
}

function storyOfState(facts: PullRequestViewFacts): Story {
  const { state } = facts.entry;
  switch (state) {
    case 'not_ready':
      return notReady(facts);
    case 'pending':
      return pending(facts);
    case 'testing':
      return testing(facts);
    case 'tests_passed':
      return passed(facts);
    case 'pending_failure':
      return pendingFailure(facts);
    case 'merged':
      return merged(facts);
    case 'failed':
      return failed(facts);
    case 'cancelled':
      return cancelled(facts);
    default:
      return assertNever(state);
  }
}

function whenItEnds({ now, expectedEnd }: PullRequestViewFacts): readonly string[] {
  if (expectedEnd === null) return [];
  const [half, most] = [expectedEnd.p50, expectedEnd.p90].map((at) => clockTime(at, now));
  return [
    `As of ${clockTime(now, now)}: expected to merge or fail at about ${half}, and with 90 % probability by ${most}.`,
  ];
}

function howTo({ brand, queue, entry, reopenedAt }: PullRequestViewFacts): string | null {
  const { commandsEnabled } = queue.settings;
  // A closed pull request cannot be submitted, and its branch may be gone, so the comment says to reopen it first.
  const isClosed = entry.stateReason === 'pr_closed' && (reopenedAt === undefined || reopenedAt < entry.stateChangedAt);
  if (entry.state === 'failed' || entry.state === 'cancelled')
    return isClosed
      ? '<sub>Reopen it to submit it again.</sub>'
      : submitCheckbox(brand, `put it into the queue of ${code(queue.branch)} again`, commandsEnabled);
  if (!commandsEnabled || entry.state === 'merged') return null;
  return `<sub>To cancel it, write ${code(`/${brand} cancel`)} in a comment of its own.</sub>`;
}
