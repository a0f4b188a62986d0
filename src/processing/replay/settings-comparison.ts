import type { Instant } from '../../engine/vocabulary';
import { MINUTE } from '../../engine/vocabulary';
import { figuresOfHistory, figuresOfReplay, groundsOf, type ReplayFigures, type ReplayGrounds } from './figures';
import { labelOf, type PastEnd, type QueueHistory } from './history';
import { PastResults } from './past-results';
import { type FreezesAround, Replay } from './replay';
import type { OtherSettings } from './snapshot-at-start';

/** The same pull requests three times: as it was stored, replayed as it was, and replayed with other settings. */
export interface ComparedSettings {
  /** What was submitted from then on counts. */
  readonly since: Instant;
  /** So far both replays have come. */
  readonly until: Instant;
  readonly asItWas: ReplayFigures;
  readonly asItIs: ReplayFigures;
  readonly asItWouldBe: ReplayFigures;
  readonly grounds: ReplayGrounds;
  /** How many pull requests ended alike, within a minute, when they were replayed as it was. */
  readonly reproduced: { readonly same: number; readonly of: number };
}

/** Replays a history as it was and with other settings, side by side, in small steps. */
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

  /** Goes on for so many steps with the one that is behind. True: both are at the end. */
  advance(steps: number): boolean {
    const [behind, ahead] = this.own.now <= this.others.now ? [this.own, this.others] : [this.others, this.own];
    return behind.advance(steps) && ahead.advance(steps);
  }

  /** At any time: of the stretch that both have come through. */
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

/** Of one attempt. */
function keyOf(end: PastEnd): string {
  return `${labelOf(end)} ${end.submittedAt}`;
}
