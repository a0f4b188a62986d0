import type { Entry, QueueSnapshot } from '../../model';
import { changesOnly, combine, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { failureChance, flakeChance, misfitChance } from '../../flow-facts/chances';
import { passedBeside, stands, suspectSets } from '../standing';
import { suspectedPassed } from './take-results';
import { standingOf } from '../../flow-facts/scheduling';

/** The suspects of a failed run, and the passed entries of its base that have not landed yet. */
interface RedOnRiders {
  readonly suspects: readonly Entry[];
  readonly riders: readonly Entry[];
}

/**
 * Makes passed entries suspects as soon as a semantic conflict between them is likelier than a bad entry in each of the
 * failed runs on top of them. Otherwise each failed run would make only its own entries suspects, and every run on top
 * of the conflicting entries would be bisected first.
 */
export function suspectRiders(queue: QueueSnapshot, now: Instant): StepResult {
  if (queue.settings.optimizationMode === 'off') return NOTHING;
  const reds = redsOnRiders(queue);
  for (const { riders } of reds) {
    const sharing = reds.filter((other) => other.riders.some((rider) => riders.includes(rider)));
    const common = riders.filter((rider) => sharing.every((other) => other.riders.includes(rider)));
    if (isLikelier(queue, common, sharing)) return inDoubt(queue, common, sharing, now);
  }
  return NOTHING;
}

/**
 * The failed runs on top of passed entries, without the runs with a suspect that failed in isolation on the target:
 * that suspect explains the failure.
 */
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

/** The suspects of a failed run are assumed to fail their tests with at least this chance. */
const LEAST_RED = 0.5;

/** Whether a semantic conflict between the passed entries is likelier than a bad suspect in each run. */
function isLikelier(queue: QueueSnapshot, riders: readonly Entry[], reds: readonly RedOnRiders[]): boolean {
  const fit = (1 - misfitChance(queue)) ** riders.length;
  const red = (size: number): number => 1 - (1 - failureChance(queue)) ** size * (1 - flakeChance(queue));
  const allRed = reds.reduce((chance, { suspects }) => chance * Math.max(LEAST_RED, red(suspects.length)), 1);
  return 1 - fit >= fit * allRed;
}

/**
 * Makes the passed entries suspects, too. The passed entries and the earlier suspects are bisected together, like any
 * failed group. Each failed run counts once.
 */
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
  return combine(suspectedPassed(queue, riders, now), changesOnly(...heard));
}
