import type { Entry, QueueSnapshot } from '../../model';
import { changesOnly, combine, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { failureChance, flakeChance, misfitChance } from '../../flow-facts/chances';
import { passedBeside, stands, suspectSets } from '../standing';
import { doubted } from './take-results';
import { standingOf } from '../../flow-facts/scheduling';

/** Suspects of a red run, and those that it was built on and that have not landed yet. */
interface RedOnRiders {
  readonly suspects: readonly Entry[];
  readonly riders: readonly Entry[];
}

/**
 * Puts what passed in doubt as soon as it is likelier that it does not fit together than that each of the red runs on top of it held a
 * bad one. A red run accuses its own, and so every run on riders that do not fit would be searched first.
 */
export function doubtRiders(queue: QueueSnapshot, now: Instant): StepResult {
  if (queue.settings.optimizationMode === 'off') return NOTHING;
  const reds = redsOnRiders(queue);
  for (const { riders } of reds) {
    const sharing = reds.filter((other) => other.riders.some((rider) => riders.includes(rider)));
    const common = riders.filter((rider) => sharing.every((other) => other.riders.includes(rider)));
    if (isLikelier(queue, common, sharing)) return inDoubt(queue, common, sharing, now);
  }
  return NOTHING;
}

/** Not those with a suspect that was red alone on the target: that explains the red run. */
function redsOnRiders(queue: QueueSnapshot): readonly RedOnRiders[] {
  const passed = passedBeside(queue);
  if (passed.length === 0) return [];
  return suspectSets(queue).flatMap(({ members }) => {
    if (members.some((entry) => standingOf(entry).redAlone !== null)) return [];
    const redWith = new Set(members.flatMap((entry) => standingOf(entry).redWith));
    const riders = passed.filter(({ id }) => redWith.has(id));
    return riders.length > 0 ? [{ suspects: members, riders }] : [];
  });
}

/** What is left of a red group is red at least as often as not. */
const LEAST_RED = 0.5;

/** That the riders do not fit together, rather than that something is wrong with the suspects of each run. */
function isLikelier(queue: QueueSnapshot, riders: readonly Entry[], reds: readonly RedOnRiders[]): boolean {
  const fit = (1 - misfitChance(queue)) ** riders.length;
  const red = (size: number): number => 1 - (1 - failureChance(queue)) ** size * (1 - flakeChance(queue));
  const allRed = reds.reduce((chance, { suspects }) => chance * Math.max(LEAST_RED, red(suspects.length)), 1);
  return 1 - fit >= fit * allRed;
}

/** They are searched like any red group; the suspects are, too. Each red run counts once. */
function inDoubt(
  queue: QueueSnapshot,
  riders: readonly Entry[],
  reds: readonly RedOnRiders[],
  now: Instant,
): StepResult {
  const ids = new Set(riders.map(({ id }) => id));
  const heard = reds
    .flatMap(({ suspects }) => suspects)
    .map((entry) => stands(entry, { redWith: standingOf(entry).redWith.filter((id) => !ids.has(id)) }));
  return combine(doubted(queue, riders, now), changesOnly(...heard));
}
