import type { Downtime } from '../../../src/engine/model';
import { type Instant, SECOND } from '../../../src/engine/vocabulary';
import type { Time } from './time';

/** Whether the service runs. While it is down, it decides nothing, carries out nothing, and receives no webhook. */
export class ServiceLife {
  readonly downtimes: Downtime[] = [];
  private endsAt: Instant = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly time: Time) {}

  get isDown(): boolean {
    return this.time.now < this.endsAt;
  }

  onStart(listener: () => void): void {
    this.listeners.push(listener);
  }

  stopFor(length: Instant): void {
    if (this.isDown) return;
    const from = this.time.now;
    this.endsAt = from + length;
    this.time.at(this.endsAt, () => {
      this.downtimes.push({ from, to: this.time.now });
      for (const listener of this.listeners) listener();
    });
  }

  /** Calls `act` now, or soon after the service has started again. */
  whenUp(act: () => void): void {
    if (this.isDown) this.time.at(this.endsAt + 2 * SECOND, () => this.whenUp(act));
    else act();
  }

  /** The part of the given time in which the service ran. */
  runningTime(from: Instant, to: Instant): Instant {
    const lost = this.downtimes.map((down) => Math.min(down.to, to) - Math.max(down.from, from));
    return to - from - lost.reduce((sum, length) => sum + Math.max(0, length), 0);
  }
}
