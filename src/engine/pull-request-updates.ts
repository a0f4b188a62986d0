import type { Change } from './changes';
import type { Decided } from './decision';
import type { Entry, QueueSnapshot } from './model';
import type { UpdatePullRequestView } from './pull-request-tasks';
import { fitsQueue } from './policy/readiness';
import { type Instant, MINUTE } from './vocabulary';

/** What will probably have changed again by then is not worth a request of its own. */
export const PATIENCE: Instant = 2 * MINUTE;

/**
 * The pull requests whose picture a decision changed by what happened to themselves. What happens to others changes what
 * they wait for, too, and is not shown: a long queue would rewrite all its comments whenever one pull request merges.
 */
export function pullRequestsToUpdate(
  before: QueueSnapshot,
  { after, changes }: Pick<Decided, 'after' | 'changes'>,
  now: Instant,
): readonly UpdatePullRequestView[] {
  const { commentsEnabled, statusCheckEnabled } = after.settings;
  if (!commentsEnabled && !statusCheckEnabled) return [];
  const changed = new Set(changes.flatMap((change) => entriesChanged(before, after, change)));
  return after.entries
    .filter(({ id }) => changed.has(id))
    .map((entry) => {
      const earlier = before.entries.find(({ id }) => id === entry.id) ?? null;
      const dueAt = isAwaited(after, entry, earlier) ? now : now + PATIENCE;
      return { type: 'updatePullRequestView', number: entry.number, dueAt };
    });
}

function entriesChanged(before: QueueSnapshot, after: QueueSnapshot, change: Change): readonly string[] {
  switch (change.type) {
    case 'entrySubmitted':
      return [change.entry.id];
    case 'entryMoved':
    case 'entryFollowedHead':
      return [change.entryId];
    case 'entryPrioritised': {
      const earlier = before.entries.find(({ id }) => id === change.entryId);
      const isSame = earlier?.priority === change.priority && earlier.noBatch === change.noBatch;
      return isSame ? [] : [change.entryId];
    }
    case 'runConflicted':
      return after.runs.filter(({ number }) => number === change.run).flatMap(({ own }) => own.map((c) => c.entryId));
    default:
      return [];
  }
}

/**
 * Whether somebody looks out for it now. Not: going back to the line and being tested again because of others, which may
 * happen to many at once; the host's word that comes within seconds; a pass, which a landing follows as a rule.
 */
function isAwaited(queue: QueueSnapshot, entry: Entry, earlier: Entry | null): boolean {
  switch (entry.state) {
    case 'merged':
    case 'failed':
    case 'cancelled':
    case 'pending_failure':
      return true;
    case 'not_ready':
      return !waitsForHostOnly(queue, entry);
    case 'pending':
      return isByPeople(entry);
    case 'testing':
      return earlier === null || earlier.attempt !== entry.attempt || isByPeople(earlier);
    case 'tests_passed':
      return false;
  }
}

function waitsForHostOnly(queue: QueueSnapshot, entry: Entry): boolean {
  const { draft, mergeability } = entry.pullRequest;
  return !draft && mergeability !== 'not_mergeable' && fitsQueue(queue, entry);
}

/** It waits for its first test, or for one that somebody asked for. */
function isByPeople({ state, stateReason, stateActor }: Entry): boolean {
  return state !== 'pending' || stateReason === 'merge_item_now_ready' || stateActor !== null;
}
