import type { Change } from './changes';
import type { Decided } from './decision';
import type { Entry, QueueSnapshot } from './model';
import type { UpdatePullRequestView } from './pull-request-tasks';
import { fitsQueue } from './policy/readiness';
import { type Instant, MINUTE } from './vocabulary';

/** The delay of an update that nobody waits for, so that several changes are shown with one request to the host. */
export const PATIENCE: Instant = 2 * MINUTE;

/**
 * Updates of the pull requests that a decision changed directly. Pull requests that only wait for another reason now
 * are left out: otherwise each merge would rewrite the comments of a whole long queue.
 */
export function pullRequestsToUpdate(
  before: QueueSnapshot,
  { after, changes }: Pick<Decided, 'after' | 'changes'>,
  now: Instant,
): readonly UpdatePullRequestView[] {
  const { commentsEnabled, statusCheckEnabled, stateLabelsEnabled } = after.settings;
  if (!commentsEnabled && !statusCheckEnabled && !stateLabelsEnabled) return [];
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
    case 'entryPromoted':
    case 'entryPutBehind':
      return [change.entryId];
    case 'entryPrioritised': {
      const earlier = before.entries.find(({ id }) => id === change.entryId);
      const { priority, noBatch, dryRun } = change;
      const isSame = earlier?.priority === priority && earlier.noBatch === noBatch && earlier.dryRun === dryRun;
      return isSame ? [] : [change.entryId];
    }
    case 'configFoundUnreadable':
      return change.entryIds;
    case 'runConflicted':
      return after.runs.filter(({ number }) => number === change.run).flatMap(({ own }) => own.map((c) => c.entryId));
    default:
      return [];
  }
}

/**
 * Whether people wait for this update, so that it is shown at once. People do not wait for a new test that other pull
 * requests caused, because many pull requests may be affected at once. People also do not wait for an answer of the
 * host that comes within seconds, or for a pass, because a landing usually follows.
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

/**
 * Whether the state of the entry comes from people: it is not pending, waits for its first test, or waits for a test
 * that somebody asked for.
 */
function isByPeople({ state, stateReason, stateActor }: Entry): boolean {
  return state !== 'pending' || stateReason === 'merge_item_now_ready' || stateActor !== null;
}
