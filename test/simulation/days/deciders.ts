import { decide } from '../../../src/engine/decide';
import type { Decided } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import { violations } from '../../../src/engine/invariants';
import { type Instant, SECOND } from '../../../src/engine/vocabulary';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import type { Chance } from './chance';
import type { Mishaps } from './mishaps';
import type { Surroundings } from './surroundings';
import { count } from './tally';

/** The most decisions of a queue at one instant. A queue that makes more decisions does not come to rest. */
const AT_ONE_INSTANT = 2_000;

/**
 * The service processes that decide for one queue. The processes decide one after another, but each process has its own
 * clock.
 */
export class Deciders {
  private atThisInstant = { now: 0, decisions: 0 };

  constructor(
    private readonly around: Surroundings,
    private readonly chance: Chance,
    private readonly mishaps: Mishaps,
    private readonly store: EngineStore,
  ) {}

  /**
   * The time on the clock of the process that decides. The clocks of two processes differ by some seconds, but no
   * process is early for a deadline. `nth` is the number of the event in its queue.
   */
  clockOf(event: QueueEvent, nth: number): Instant {
    const { now } = this.around.time;
    if (!this.mishaps.happens('otherProcess', nth) || event.type === 'clockTicked') return now;
    return now + Math.round(this.chance.between(-3, 3, 'clock') * SECOND);
  }

  /** Returns null when the engine refuses the event. An invalid decision of the engine is a problem of the day. */
  decide(event: QueueEvent, now: Instant): Decided | null {
    const { around } = this;
    const before = this.store.load(event, now);
    try {
      const decision = decide(before, event, now);
      if (decision.type === 'refused') {
        count(around.tally.refusals, decision.refusal.code);
        around.diary.refused(decision.refusal);
        return null;
      }
      for (const violation of violations(before, decision)) around.problem(`invariant: ${violation}`);
      this.store.save(decision);
      return decision;
    } catch (error) {
      around.problem(`the engine broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return null;
    }
  }

  /**
   * Whether the queue may decide again at this instant, because its decision asked for another one. Notes a problem if
   * the queue decides again endlessly.
   */
  mayDecideAgain(event: QueueEvent, decided: Decided): boolean {
    const { time } = this.around;
    const others = this.atThisInstant.now === time.now ? this.atThisInstant.decisions : 0;
    this.atThisInstant = { now: time.now, decisions: others + 1 };
    const isIdle = event.type === 'clockTicked' && decided.changes.length === 0;
    if (isIdle) this.around.problem('wants to decide again at once, although nothing changed');
    else if (others > AT_ONE_INSTANT) this.around.problem(`decides for ever at ${time.shown()}`);
    return !isIdle && others <= AT_ONE_INSTANT;
  }
}
