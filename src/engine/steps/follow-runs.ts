import type { EntryMoved } from '../changes';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { type Group, isOwn, lineOf } from '../policy/line';
import { changesOnly, moved, type StepResult } from '../policy/step-result';
import { proofOf } from '../policy/proof';
import { isHeldRed } from '../policy/verdict';
import type { EntryState, Instant, PassedReason } from '../vocabulary';

/** Sets the state of each entry by its run: tested, passed (alone or by a run that contains it), failed. */
export function followRuns(queue: QueueSnapshot, now: Instant): StepResult {
  const inLine = lineOf(queue).flatMap((group) => movesOf(queue, group, now));
  const inSearch = queue.entries.flatMap((entry) => (entry.search === null ? [] : searchMove(queue, entry, now)));
  return changesOnly(...inLine, ...inSearch);
}

interface Standing {
  readonly state: EntryState;
  readonly because: PassedReason | null;
  readonly run: TestRun;
}

function movesOf(queue: QueueSnapshot, group: Group, now: Instant): readonly EntryMoved[] {
  const standing = standingOf(queue, group);
  if (standing === null) return [];
  const { state, because, run } = standing;
  const at = state === 'testing' ? (run.pushedAt ?? now) : now;
  return group.entries
    .filter((entry) => entry.state !== 'not_ready' && (entry.state !== state || entry.stateRun !== run.number))
    .map((entry) => moved(entry, state, because, entry.state === 'pending' ? at : now, { run: run.number }));
}

function standingOf(queue: QueueSnapshot, group: Group): Standing | null {
  const { run } = group;
  if (run?.phase === 'passed')
    return { state: 'tests_passed', because: run.reused ? 'passed_by_optimization' : 'test_run_passed', run };
  if (run?.phase !== 'testing' && run?.phase !== 'failed') return null;
  // A waiting entry first becomes `testing`, or `pending_failure` if its tree is known to fail, and only then
  // `tests_passed`.
  const isNew = group.entries.some((entry) => entry.state === 'pending');
  const proof = isNew ? null : proofOf(queue, group);
  if (proof) return { state: 'tests_passed', because: 'successor_test_run_passed', run: proof };
  return { state: run.phase === 'testing' ? 'testing' : 'pending_failure', because: null, run };
}

/**
 * In a bisection, an entry is `testing` while any prefix that contains it is under test. The state of the entry names
 * the run of the shortest such prefix.
 */
function searchMove(queue: QueueSnapshot, entry: Entry, now: Instant): readonly EntryMoved[] {
  const testing = queue.runs
    .filter((run) => run.search === entry.search && run.phase === 'testing' && isOwn(run, entry))
    .sort((a, b) => a.own.length - b.own.length);
  const shortest = testing[0];
  if (!shortest) {
    const isOver = entry.state === 'testing' && !isRedAlone(queue, entry);
    return isOver ? [moved(entry, 'pending', 'bisection_required', now)] : [];
  }
  if (entry.state === 'testing' && entry.stateRun === shortest.number) return [];
  return [moved(entry, 'testing', null, now, { run: shortest.number })];
}

/** Whether the entry failed in isolation at the end of its bisection: that failure decides its next state. */
function isRedAlone({ searches, runs }: QueueSnapshot, entry: Entry): boolean {
  const search = searches.find(({ number }) => number === entry.search);
  if (search?.stage !== 'culprit') return false;
  return isHeldRed(search) || runs.some((run) => run.search === search.number && run.phase === 'failed');
}
