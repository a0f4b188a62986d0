import type { QueueEvent } from '../../../src/engine/events';
import type { PullRequestFacts, StatusFact } from '../../../src/engine/model';
import { isConcluded } from '../../../src/engine/states';
import { type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import type { EngineHost } from '../../support/engine-host';
import type { EngineStore } from '../../support/engine-store';
import type { Chance } from './chance';
import { DAY_MINUTES, NOISE_UNTIL, type NoisePlan } from './plan';
import type { ServiceLife } from './service-life';
import type { Time } from './time';

const LOOK_EVERY = 20;
/** Looks go on until the queue has had time to empty. */
const LAST_LOOK = 6 * DAY_MINUTES;

/**
 * What the queue hears of its host: soon and once, but in the noisy part of the day also late, twice or not at all.
 * From time to time it looks itself and finds what it missed. During an outage it hears nothing; after that it finds everything.
 */
export class HostEvents {
  private readonly reports = new Map<string, StatusFact>();
  private outageUntil: Instant = 0;
  private count = 0;

  constructor(
    private readonly noise: NoisePlan,
    private readonly chance: Chance,
    private readonly time: Time,
    private readonly host: EngineHost,
    private readonly store: EngineStore,
    private readonly life: ServiceLife,
    private readonly tell: (event: QueueEvent) => void,
    /** A report on this commit does not come in time. */
    private readonly doubt: (commit: string) => void,
  ) {
    for (let minute = LOOK_EVERY; minute < LAST_LOOK; minute += LOOK_EVERY)
      this.time.at(time.atMinute(minute), () => this.look());
    this.time.at(time.atMinute(NOISE_UNTIL), () => this.look());
  }

  get isHostDown(): boolean {
    return this.time.now < this.outageUntil;
  }

  get outageEnds(): Instant {
    return this.outageUntil;
  }

  beginOutage(length: Instant): void {
    this.outageUntil = this.time.now + length;
    this.time.at(this.outageUntil, () => this.look());
  }

  statusReported(report: StatusFact): void {
    this.reports.set([report.commit, report.kind, report.name].join(' '), report);
    const isListenedFor = this.spread(['report', report.commit, report.name, report.state], () =>
      this.hearReport(report),
    );
    if (!isListenedFor) this.doubt(report.commit);
  }

  pullRequestChanged(number: number): void {
    const seen = this.host.seen(number, this.time.now);
    this.spread(['pull request', number, seen.facts.head, this.count], () => this.tell(seen));
  }

  pullRequestGone(number: number): void {
    const seenAt = this.time.now;
    this.spread(['gone', number], () => this.tell({ type: 'pullRequestGone', number, seenAt }));
  }

  targetMoved(): void {
    const [tip, seenAt] = [this.host.tip(), this.time.now];
    this.spread(['target', this.count], () => this.tell({ type: 'targetSeen', tip, seenAt }));
  }

  /** Looks at everything that the queue may have missed. */
  look(): void {
    if (this.isHostDown || this.life.isDown) return;
    const { statusesUnread } = this.store;
    this.lookAround();
    if (!statusesUnread) return;
    this.store.statusesUnread = false;
    this.tell({ type: 'clockTicked' });
  }

  private lookAround(): void {
    for (const entry of [...this.store.all]) {
      if (isConcluded(entry.state)) continue;
      const seen = this.host.seen(entry.number, this.time.now);
      if (!isSame(seen.facts, entry.pullRequest)) this.tell(seen);
    }
    for (const report of this.reports.values()) {
      const known = this.store.reportsOn(report.commit);
      const isKnown = known.some(
        (other) => other.kind === report.kind && other.name === report.name && other.reportedAt >= report.reportedAt,
      );
      if (!isKnown) this.hearReport(report);
    }
    const tip = this.host.tip();
    if (tip.commit !== this.store.tip?.commit) this.tell({ type: 'targetSeen', tip, seenAt: this.time.now });
  }

  /** False: it does not come in time. */
  private spread(names: readonly (string | number)[], hear: () => void): boolean {
    // The name is part of every seed: another one would make other days of the seeds that people noted.
    const key = ['news', this.count++, ...names];
    const { isNoisy } = this.time;
    const happens = (probability: number, what: string): boolean =>
      isNoisy && this.chance.happens(probability, what, ...key);
    // The service looks for what it missed after it has started, so that it comes in time.
    if (this.life.isDown) return true;
    if (this.isHostDown || happens(this.noise.eventLost, 'lost')) return false;
    const soon = this.time.now + this.chance.between(SECOND, 6 * SECOND, 'soon', ...key);
    const isLate = happens(this.noise.eventLate, 'late');
    const late = soon + this.chance.between(MINUTE, 50 * MINUTE, 'how late', ...key);
    const when = isLate ? this.time.notAfterNoise(late, soon) : soon;
    const hearWhileUp = (): void => {
      if (!this.isHostDown && !this.life.isDown) hear();
    };
    this.time.at(when, hearWhileUp);
    if (happens(this.noise.reportedTwice, 'twice')) this.time.at(when + MINUTE, hearWhileUp);
    return !isLate;
  }

  private hearReport(report: StatusFact): void {
    this.store.report(report);
    this.tell({ type: 'statusReported', commit: report.commit });
  }
}

function isSame(a: PullRequestFacts, b: PullRequestFacts): boolean {
  const { head, state, draft, base, mergeability } = a;
  const demands = (facts: PullRequestFacts): string => (facts.unmet ?? []).map(({ words }) => words).join();
  const isAsBefore = head === b.head && state === b.state && draft === b.draft && base === b.base;
  return isAsBefore && mergeability === b.mergeability && demands(a) === demands(b);
}
