import { type Instant, MINUTE } from '../../../src/engine/vocabulary';
import { Agenda } from '../../../src/processing/replay/agenda';
import { NOISE_FROM, NOISE_UNTIL } from './plan';

export const BEGIN: Instant = Date.UTC(2026, 0, 1);

/** The clock of a simulated day, and its scheduled events. */
export class Time {
  now: Instant = BEGIN;
  private readonly agenda = new Agenda();

  at(when: Instant, act: () => void): void {
    this.agenda.add(Math.max(when, this.now), act);
  }

  in(length: Instant, act: () => void): void {
    this.at(this.now + length, act);
  }

  next(): Instant | null {
    return this.agenda.firstAt();
  }

  /** Runs the next event. Returns false when no event is left. */
  step(): boolean {
    const next = this.agenda.firstAt();
    const act = this.agenda.takeFirst();
    if (next === null || act === null) return false;
    this.now = next;
    act();
    return true;
  }

  get isNoisy(): boolean {
    return this.minute >= NOISE_FROM && this.minute < NOISE_UNTIL;
  }

  get minute(): number {
    return (this.now - BEGIN) / MINUTE;
  }

  /**
   * Returns `late`, but at most the end of the noise or, if this is later, `inTime`. So nothing is late after the
   * noise.
   */
  notAfterNoise(late: Instant, inTime: Instant): Instant {
    return Math.min(late, Math.max(inTime, this.atMinute(NOISE_UNTIL)));
  }

  atMinute(minute: number): Instant {
    return BEGIN + Math.round(minute * MINUTE);
  }

  /** The time as a clock shows it, preceded by the date unless it is the first day. */
  shown(): string {
    const [date, clock] = new Date(this.now).toISOString().split('T');
    return `${date === '2026-01-01' ? '' : `${date} `}${clock!.slice(0, 8)}`;
  }
}
