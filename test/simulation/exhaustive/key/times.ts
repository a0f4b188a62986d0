import { flowOf } from '../../../../src/engine/flow-facts/scheduling';
import type { CulpritSearch, QueueSnapshot, RedMoment, Stretch, TestRun } from '../../../../src/engine/model';
import { type Instant, SECOND } from '../../../../src/engine/vocabulary';
import { moment } from './marks';
import type { View } from './view';

/**
 * Two passing tests with a gap of at most this length between them count as one stretch: see `flow-facts/results.ts`.
 */
const NO_GAP: Instant = 10 * SECOND;

/**
 * Whether the start time of the test matters. In sequential scheduling it matters as long as the test may still pass or
 * fail.
 */
export function isTimed({ phase, resultAt }: TestRun): boolean {
  return phase === 'testing' || (phase === 'landing' && resultAt === null);
}

/**
 * The period in which the passed runs were under test. Another pass extends this period only if its test began before
 * the period ended. Otherwise the period matters only if a run passed since a failure that is compared with the period.
 * If the period starts before all compared times, the earliest of these times is taken as the start of the period.
 */
export function passingIn(view: View): string | undefined {
  const { queue, now, outcomes } = view.state;
  const { passing, lastPass } = flowOf(queue);
  if (passing === undefined) return undefined;
  const begins = [
    now,
    ...queue.runs.flatMap((run) => (isTimed(run) && run.pushedAt !== null ? run.pushedAt : [])),
    ...outcomes.flatMap((outcome) => (outcome.type === 'runPushed' ? outcome.at : [])),
  ];
  const first = Math.min(...begins);
  const reds = redMoments(queue);
  if (passing.until + NO_GAP < first && reds.every(({ result }) => lastPass <= result)) return undefined;
  const held = reds.flatMap(({ tested }) => tested?.from ?? []);
  return stretchIn({ from: Math.max(passing.from, Math.min(first, ...held)), until: passing.until });
}

/** Failures of single entries that are not blamed yet, in runs of the queue and in bisections. */
function redMoments({ runs, searches }: QueueSnapshot): readonly RedMoment[] {
  const alone = [
    ...runs.filter(({ own }) => own.length === 1),
    ...searches.flatMap(({ results }) => results.filter(({ length }) => length === 1)),
  ];
  return alone.flatMap(({ failure }) => failure?.moment ?? []);
}

/** The time under test of an entry that failed in isolation, while the entry waits for another run to pass. */
export function testedIn({ alone, results }: CulpritSearch): Stretch | undefined {
  return results.some(({ run }) => run === alone?.run) ? alone?.moment.tested : undefined;
}

export function stretchIn({ from, until }: Stretch): string {
  return moment('W', from) + moment('W', until);
}
