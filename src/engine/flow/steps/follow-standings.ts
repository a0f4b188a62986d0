import type { EntryMoved } from '../../changes';
import type { Entry, QueueSnapshot } from '../../model';
import { changesOnly, moved, type StepResult } from '../../policy/step-result';
import { isConcluded } from '../../states';
import type { Instant } from '../../vocabulary';
import { contentOf, headNow, headsLanding, holds } from '../heads';
import { type FlowTestRun, flowRuns } from '../runs';
import { standingOf } from '../../flow-facts/scheduling';

/**
 * Sets the state of each entry by its standing: tested, being landed, failed in isolation, or waiting for its next
 * test.
 */
export function followStandings(queue: QueueSnapshot, now: Instant): StepResult {
  return changesOnly(
    ...queue.entries
      .filter(({ state }) => !isConcluded(state) && state !== 'not_ready')
      .flatMap((entry) => moveOf(queue, entry, now)),
  );
}

function moveOf(queue: QueueSnapshot, entry: Entry, now: Instant): readonly EntryMoved[] {
  const { at, redAlone } = standingOf(entry);
  if (holds(headsLanding(queue), headNow(entry))) return landingMove(queue, entry, now);
  if (redAlone !== null) return [];
  const run = testOf(queue, entry);
  // An entry in `pending_failure` whose failure no longer counts becomes pending and is tested again, for example
  // because another run of the same tree passed.
  if (run !== null && entry.state !== 'pending_failure') {
    const isShown = entry.state === 'testing' && entry.stateRun === run.number;
    const since = entry.state === 'pending' ? (run.pushedAt ?? now) : now;
    return isShown ? [] : [moved(entry, 'testing', null, since, { run: run.number })];
  }
  if (entry.state === 'pending') return [];
  const because = { waiting: 'rebuild_required', suspect: 'bisection_required', passed: 'bisection_test_run_passed' };
  return [moved(entry, 'pending', because[at] as 'rebuild_required', now, { run: entry.stateRun ?? undefined })];
}

/** The shortest run that tests the entry; for a passed entry, the shortest run that includes it. */
function testOf(queue: QueueSnapshot, entry: Entry): FlowTestRun | null {
  const head = headNow(entry);
  const { own, held } = testsById(queue);
  const tests = (standingOf(entry).at === 'passed' ? held : own).get(entry.id) ?? [];
  return tests.find((run) => holds(contentOf(run), head)) ?? null;
}

interface TestsById {
  readonly own: ReadonlyMap<string, readonly FlowTestRun[]>;
  readonly held: ReadonlyMap<string, readonly FlowTestRun[]>;
}

const tests = new WeakMap<QueueSnapshot['runs'], TestsById>();

/** The runs that are tested or have passed, by the ids of their entries, the shortest run first. */
function testsById(queue: QueueSnapshot): TestsById {
  const known = tests.get(queue.runs);
  if (known) return known;
  const own = new Map<string, FlowTestRun[]>();
  const held = new Map<string, FlowTestRun[]>();
  const testing = flowRuns(queue)
    .filter(({ phase }) => phase === 'testing' || phase === 'passed')
    .sort((a, b) => contentOf(a).length - contentOf(b).length || a.number - b.number);
  for (const run of testing) {
    for (const { entryId } of run.own) own.set(entryId, [...(own.get(entryId) ?? []), run]);
    for (const { entryId } of contentOf(run)) {
      const others = held.get(entryId);
      if (others) others.push(run);
      else held.set(entryId, [run]);
    }
  }
  tests.set(queue.runs, { own, held });
  return { own, held };
}

function landingMove(queue: QueueSnapshot, entry: Entry, now: Instant): readonly EntryMoved[] {
  const run = queue.landing?.runs.at(-1);
  if (entry.state === 'tests_passed' || run === undefined) return [];
  const isWaiting = entry.state === 'pending';
  const landing = moved(isWaiting ? { ...entry, state: 'testing' } : entry, 'tests_passed', 'test_run_passed', now, {
    run,
  });
  return isWaiting ? [moved(entry, 'testing', null, now, { run }), landing] : [landing];
}
