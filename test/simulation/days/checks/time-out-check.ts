import type { Change } from '../../../../src/engine/changes';
import type { Command } from '../../../../src/engine/commands';
import type { QueueEvent } from '../../../../src/engine/events';
import type { QueueSettings } from '../../../../src/engine/model';
import { type Instant, MINUTE, SECOND } from '../../../../src/engine/vocabulary';

interface Test {
  readonly timeout: Instant;
  pushedAt: Instant;
}

/** Checks that no run times out too early. Time in which the service did not run does not count. */
export class TimeOutCheck {
  readonly problems: string[] = [];
  private readonly tests = new Map<number, Test>();

  constructor(
    private settings: QueueSettings,
    private readonly runningTime: (from: Instant, to: Instant) => Instant,
  ) {}

  decided(event: QueueEvent, changes: readonly Change[], commands: readonly Command[], now: Instant): void {
    if (event.type === 'settingsChanged') this.settings = { ...this.settings, ...event.settings };
    for (const command of commands) if (command.type === 'startTestRun') this.ordered(command.run);
    const test = event.type === 'runPushed' ? this.tests.get(event.run) : undefined;
    if (event.type === 'runPushed' && test?.pushedAt === Infinity) test.pushedAt = event.at;
    for (const change of changes)
      if (change.type === 'runFailed' && change.failure.type === 'timeout') this.timedOut(change.run, now);
  }

  private ordered(run: number): void {
    this.tests.set(run, { timeout: this.settings.testingTimeoutMinutes * MINUTE, pushedAt: Infinity });
  }

  private timedOut(run: number, now: Instant): void {
    const { pushedAt, timeout } = this.tests.get(run) ?? { pushedAt: Infinity, timeout: 0 };
    const tested = this.runningTime(pushedAt, now);
    if (tested < timeout - SECOND)
      this.problems.push(`run ${run} timed out after ${tested / MINUTE} of its ${timeout / MINUTE} minutes`);
  }
}
