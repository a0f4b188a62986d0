import type { Instant } from '../../engine/vocabulary';
import { MINUTE } from '../../engine/vocabulary';
import { figuresOfHistory, figuresOfReplay, groundsOf, type ReplayFigures, type ReplayGrounds } from './figures';
import { labelOf, type PastEnd, type QueueHistory } from './history';
import { PastResults } from './past-results';
import { type FreezesAround, Replay } from './replay';
import type { OtherSettings } from './snapshot-at-start';

/**
 * The figures of the same pull requests three times: as stored, replayed with the same settings, and replayed with
 * other settings.
 */
export interface ComparedSettings {
  /** Only pull requests that were submitted from this time on count. */
  readonly since: Instant;
  /** The time that both replays have reached. */
  readonly until: Instant;
  readonly asItWas: ReplayFigures;
  readonly asItIs: ReplayFigures;
  readonly asItWouldBe: ReplayFigures;
  readonly grounds: ReplayGrounds;
  /** The number of pull requests whose replay with the same settings ends as stored, within a minute. */
  readonly reproduced: { readonly same: number; readonly of: number };
}

/** Replays a history with the same settings and with other settings, in parallel, in small steps. */
export class SettingsComparison {
  private readonly own: Replay;
  private readonly others: Replay;

  constructor(
    private readonly history: QueueHistory,
    other: OtherSettings,
    freezesAround: FreezesAround,
    private readonly since: Instant,
    private readonly results = PastResults.of(history),
  ) {
    this.own = new Replay(history, { settings: {} }, freezesAround, results);
    this.others = new Replay(history, other, freezesAround, results);
  }

  /**
   * Advances by this many steps the replay that is behind, or, once that one has ended, the other. Returns whether both
   * replays have ended.
   */
  advance(steps: number): boolean {
    const [behind, ahead] = this.own.now <= this.others.now ? [this.own, this.others] : [this.others, this.own];
    return behind.advance(steps) && ahead.advance(steps);
  }

  /** The comparison for the period that both replays have covered so far. It can be called at any time. */
  result(): ComparedSettings {
    const until = Math.min(this.own.reached, this.others.reached);
    const { since } = this;
    const past = { ...this.history, until, ends: this.history.ends.filter(({ endedAt }) => endedAt <= until) };
    return {
      since,
      until,
      asItWas: figuresOfHistory(past, this.results, since),
      asItIs: figuresOfReplay(this.own.course, this.results, since, until),
      asItWouldBe: figuresOfReplay(this.others.course, this.results, since, until),
      grounds: groundsOf(this.others.course),
      reproduced: this.reproduced(past.ends),
    };
  }

  private reproduced(ends: readonly PastEnd[]): ComparedSettings['reproduced'] {
    const then = new Map(ends.map((end) => [keyOf(end), end]));
    const same = this.own.course.ends.filter((end) => {
      const past = then.get(keyOf(end));
      return past?.end === end.end && Math.abs(past.endedAt - end.endedAt) < MINUTE;
    });
    return { same: same.length, of: ends.length };
  }
}

/** A key that identifies one attempt of a pull request. */
function keyOf(end: PastEnd): string {
  return `${labelOf(end)} ${end.submittedAt}`;
}
