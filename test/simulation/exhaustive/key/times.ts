import { flowOf } from '../../../../src/engine/flow-facts/scheduling';
import type { CulpritSearch, QueueSnapshot, RedMoment, Stretch, TestRun } from '../../../../src/engine/model';
import { type Instant, SECOND } from '../../../../src/engine/vocabulary';
import { moment } from './marks';
import type { View } from './view';

/** So long a gap says nothing: see `flow-facts/results.ts`. */
const NO_GAP: Instant = 10 * SECOND;

/** In order it counts when a test began that may still pass or be red. */
export function isTimed({ phase, resultAt }: TestRun): boolean {
  return phase === 'testing' || (phase === 'landing' && resultAt === null);
}

/**
 * While what passed was under test. Another one that passes makes it longer only if it begins before that ends; else this is history,
 * unless something passed since a red test that it is compared with. Before everything that it is compared with is early enough.
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

/** Of red tests that are not blamed yet, in the line and in searches. */
function redMoments({ runs, searches }: QueueSnapshot): readonly RedMoment[] {
  const alone = [
    ...runs.filter(({ own }) => own.length === 1),
    ...searches.flatMap(({ results }) => results.filter(({ length }) => length === 1)),
  ];
  return alone.flatMap(({ failure }) => failure?.moment ?? []);
}

/** Of what is red alone, as long as that waits for a pass. */
export function testedIn({ alone, results }: CulpritSearch): Stretch | undefined {
  return results.some(({ run }) => run === alone?.run) ? alone?.moment.tested : undefined;
}

export function stretchIn({ from, until }: Stretch): string {
  return moment('W', from) + moment('W', until);
}
