import { type ExhaustiveCase, type State } from '../state';
import { entryIn } from './entries';
import { ranked } from './marks';
import { type NamedText, withNumbers, withoutNumbers } from './names';
import { partIn } from './part';
import { present } from './present';
import { resultsIn } from './results';
import { runsIn } from './runs';
import { searchIn } from './searches';
import { landingIn } from './tasks';
import { View } from './view';

/**
 * Fields with their own rule below, counters of the next free number, and fields that are the same in all states of a
 * case.
 */
const OTHERS = new Set(
  (
    'id branch host settings limits mode nextRun nextLanding nextOrder nextPlace nextSearch concluded epoch tip tipSeenAt landedSeq flow ' +
    'entries runs searches landed landing partialLanding reports mergedLately sharing isolated usualUploads moreToLoad'
  ).split(' '),
);

/** Separates the parts of a key, because JSON text never contains it. */
const APART = '\n';

/**
 * The key of a state. States with equal keys have the same future, apart from ids. Remaining disturbances are not part
 * of the key. A field of the engine that has no rule is part of the key as it is.
 */
export function keyOf(facts: ExhaustiveCase, state: State): string {
  const view = new View(facts, state);
  const { queue } = state;
  const rest = JSON.stringify({
    toCome: view.toCome,
    ...present(queue, OTHERS),
    tip: view.tip(state.tip),
    results: resultsIn(view),
    runs: runsIn(view),
    searches: queue.searches.map((search) => searchIn(view, search)),
    landing: landingIn(view),
    partialLanding: queue.partialLanding && partIn(queue.partialLanding),
  });
  const texts = ranked([rest, ...view.open.map((entry) => JSON.stringify(entryIn(view, entry)))].join(APART)).split(
    APART,
  );
  const own = view.open.map(({ number }, i): NamedText => ({ number, text: texts[i + 1]! }));
  return view.isParallel ? withNumbers(own, texts[0]!) : withoutNumbers(own, texts[0]!);
}
