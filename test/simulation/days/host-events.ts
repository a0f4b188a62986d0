import type { PullRequestSeen, QueueEvent } from '../../../src/engine/events';
import type { PullRequestFacts, StatusFact } from '../../../src/engine/model';
import { isConcluded } from '../../../src/engine/states';
import { type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import type { EngineHost } from '../../support/engine-host';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import type { Chance } from './chance';
import type { Mishaps } from './mishaps';
import { DAY_MINUTES, NOISE_UNTIL, type NoisePlan } from './plan';
import type { QueueTests } from './queue-tests';
import type { Surroundings } from './surroundings';

const LOOK_EVERY = 20;
/** Polls go on until this time, by which the queues have had time to empty. */
const LAST_LOOK = 6 * DAY_MINUTES;

interface HearingQueue {
  readonly chance: Chance;
  readonly mishaps: Mishaps;
  readonly host: EngineHost;
  readonly store: EngineStore;
  readonly tests: QueueTests;
  tell(event: QueueEvent): void;
}

/**
 * Host events that reach the queue. They arrive soon and once, but in the noisy part of the day also late, twice or
 * never. The service polls from time to time, and so finds missed events. During an outage the service receives
 * nothing; after the outage it finds everything.
 */
export class HostEvents {
  private readonly reports = new Map<string, StatusFact>();
  private outageUntil: Instant = 0;
  private count = 0;

  constructor(
    private readonly around: Surroundings,
    private readonly queue: HearingQueue,
  ) {
    const { time } = around;
    for (let minute = LOOK_EVERY; minute < LAST_LOOK; minute += LOOK_EVERY)
      time.at(time.atMinute(minute), () => this.look());
    time.at(time.atMinute(NOISE_UNTIL), () => this.look());
  }

  get isHostDown(): boolean {
    return this.around.time.now < this.outageUntil;
  }

  get outageEnds(): Instant {
    return this.outageUntil;
  }

  beginOutage(length: Instant): void {
    this.outageUntil = this.around.time.now + length;
    this.around.time.at(this.outageUntil, () => this.look());
  }

  statusReported(report: StatusFact): void {
    this.reports.set([report.commit, report.kind, report.name].join(' '), report);
    const isListenedFor = this.spread(['report', report.commit, report.name, report.state], () =>
      this.hearReport(report),
    );
    if (!isListenedFor) this.queue.tests.doubt(report.commit);
  }

  pullRequestChanged(number: number): void {
    const seen = this.queue.host.seen(number, this.around.time.now);
    this.spread(['pull request', number, seen.facts.head, this.count], () => this.see(seen));
  }

  commented(number: number, hear: () => void): void {
    this.spread(['comment', number], hear);
  }

  pullRequestGone(number: number): void {
    const seenAt = this.around.time.now;
    this.spread(['gone', number], () => this.queue.tell({ type: 'pullRequestGone', number, seenAt }));
  }

  targetMoved(): void {
    const [tip, seenAt] = [this.queue.host.tip(), this.around.time.now];
    this.spread(['target', this.count], () => this.queue.tell({ type: 'targetSeen', tip, seenAt }));
  }

  /** Polls the host for everything that the queue may have missed. */
  look(): void {
    if (this.isHostDown || this.around.life.isDown) return;
    const { statusesUnread } = this.queue.store;
    this.lookAround();
    if (!statusesUnread) return;
    this.queue.store.statusesUnread = false;
    this.queue.tell({ type: 'clockTicked' });
  }

  private lookAround(): void {
    for (const entry of [...this.queue.store.all]) {
      if (isConcluded(entry.state)) continue;
      const seen = this.queue.host.seen(entry.number, this.around.time.now);
      if (!isSame(seen.facts, entry.pullRequest)) this.see(seen);
    }
    for (const report of this.reports.values()) {
      const known = this.queue.store.reportsOn(report.commit);
      const isKnown = known.some(
        (other) => other.kind === report.kind && other.name === report.name && other.reportedAt >= report.reportedAt,
      );
      if (!isKnown) this.hearReport(report);
    }
    const tip = this.queue.host.tip();
    if (tip.commit !== this.queue.store.tip?.commit)
      this.queue.tell({ type: 'targetSeen', tip, seenAt: this.around.time.now });
  }

  /** Delivers the event. Returns false if the event does not arrive in time. */
  private spread(names: readonly (string | number)[], hear: () => void): boolean {
    const key = ['event', this.count++, ...names];
    const happens = (mishap: keyof NoisePlan): boolean => this.queue.mishaps.happens(mishap, ...key);
    // The event still arrives in time, because the service polls after its start.
    if (this.around.life.isDown) return true;
    if (this.isHostDown || happens('eventLost')) return false;
    const soon = this.around.time.now + this.queue.chance.between(SECOND, 6 * SECOND, 'soon', ...key);
    const isLate = happens('eventLate');
    const late = soon + this.queue.chance.between(MINUTE, 50 * MINUTE, 'how late', ...key);
    const when = isLate ? this.around.time.notAfterNoise(late, soon) : soon;
    const hearWhileUp = (): void => {
      if (!this.isHostDown && !this.around.life.isDown) hear();
    };
    this.around.time.at(when, hearWhileUp);
    if (happens('reportedTwice')) this.around.time.at(when + MINUTE, hearWhileUp);
    return !isLate;
  }

  private see(seen: PullRequestSeen): void {
    const { number, head, seenAt } = seen.facts;
    this.around.heads.noticed(number, head, seenAt);
    this.queue.tell(seen);
  }

  private hearReport(report: StatusFact): void {
    this.queue.store.report(report);
    this.queue.tell({ type: 'statusReported', commit: report.commit });
  }
}

function isSame(a: PullRequestFacts, b: PullRequestFacts): boolean {
  const { head, state, draft, base, mergeability } = a;
  const demands = (facts: PullRequestFacts): string => (facts.unmet ?? []).map(({ words }) => words).join();
  const isAsBefore = head === b.head && state === b.state && draft === b.draft && base === b.base;
  return isAsBefore && mergeability === b.mergeability && demands(a) === demands(b);
}
