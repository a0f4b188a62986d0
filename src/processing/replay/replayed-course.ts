import type { Change } from '../../engine/changes';
import type { QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import type { Instant } from '../../engine/vocabulary';
import type { PastEnd, PastHead } from './history';
import type { ReplayedVerdict } from './past-results';

export interface ReplayedTest extends Pick<ReplayedVerdict, 'how'> {
  readonly startedAt: Instant;
  /** When the run ended; null if it was in progress when the history ended. */
  readonly endedAt: Instant | null;
  /** Whether the run got a result before it ended. */
  readonly hasResult: boolean;
}

/** The result of a replay. */
export class ReplayedCourse {
  readonly ends: PastEnd[] = [];
  /** The heads that landed, in order. */
  readonly landed: PastHead[] = [];
  readonly tests = new Map<number, ReplayedTest>();
  decisions = 0;
  /**
   * The number of requests of the history that make no sense in the replay, such as to cancel an entry that has already
   * landed.
   */
  refused = 0;

  note(before: QueueSnapshot, change: Change): void {
    if (change.type === 'changeLanded') this.landed.push({ number: change.change.number, head: change.change.head });
    if (change.type !== 'entryMoved' || !isConcluded(change.to)) return;
    const entry = before.entries.find(({ id }) => id === change.entryId);
    if (!entry) return;
    const { number, head, submittedAt } = entry;
    this.ends.push({
      number,
      head,
      submittedAt,
      endedAt: change.at,
      end: change.to as PastEnd['end'],
      reason: change.because,
    });
  }

  began(run: number, how: ReplayedVerdict['how'], startedAt: Instant): void {
    this.tests.set(run, { how, startedAt, endedAt: null, hasResult: false });
  }

  reported(run: number, at: Instant): void {
    this.end(run, { endedAt: at, hasResult: true });
  }

  stopped(run: number, at: Instant): void {
    this.end(run, { endedAt: at });
  }

  private end(run: number, end: Partial<ReplayedTest>): void {
    const test = this.tests.get(run);
    if (test?.endedAt === null) this.tests.set(run, { ...test, ...end });
  }
}
