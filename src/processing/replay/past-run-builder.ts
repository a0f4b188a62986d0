import type { Change } from '../../engine/changes';
import type { NotStarted } from '../../engine/events';
import type { TestRun } from '../../engine/model';
import type { Instant } from '../../engine/vocabulary';
import type { PastReport, PastRun, PastStart } from './history';

/** Collects the log lines about one run, decision by decision. */
export class PastRunBuilder {
  private start: PastStart | null = null;
  private readonly reports: PastReport[] = [];
  private isSilent = false;
  private isEnded = false;
  private stoppedAfter: Instant | null = null;

  constructor(private readonly run: TestRun) {}

  get ownHeads(): TestRun['own'] {
    return this.run.own;
  }

  note(change: Change, at: Instant, rank: number): void {
    switch (change.type) {
      case 'runPushed':
        this.start = { type: 'pushed', pushedAfter: change.pushedAt - this.run.createdAt, ...this.told(at, rank) };
        return;
      case 'runResultReused':
        this.start = { type: 'reused', isRed: false, ...this.told(at, rank) };
        return;
      case 'runPassed':
        return this.report('passed', at, rank);
      case 'runFailed': {
        const { failure } = change;
        if (this.start?.type === 'reused') this.start = { ...this.start, isRed: true };
        else if (failure.type === 'status') this.report('failed', at, rank);
        else if (failure.type === 'lost') this.report('lost', at, rank);
        else this.isSilent = true;
        return;
      }
      case 'runSuspected':
        return this.report('failed', at, rank, 'flaky');
      case 'runLost':
        if (change.names.length === 0) this.isSilent = true;
        else this.report('lost', at, rank);
        return;
      case 'runEnded':
        this.isEnded = true;
        if (this.start?.type === 'refused' || this.reports.length > 0 || this.isSilent) return;
        this.stoppedAfter = at - this.heardAt();
        return;
      default:
        return;
    }
  }

  refuse(because: NotStarted, at: Instant, rank: number): void {
    this.start = { type: 'refused', because, ...this.told(at, rank) };
  }

  built(until: Instant): PastRun {
    const { createdAt: orderedAt, kind, base, builtOn, own } = this.run;
    const holds = [...builtOn, ...own].map(({ number, head }) => ({ number, head }));
    const { start, reports, isSilent } = this;
    const on = { epoch: base.epoch, landedSeq: base.landedSeq };
    const past = { orderedAt, kind, ...on, holds, own: own.length, start, reports, isSilent };
    if (!this.isUnderWay) return { ...past, stoppedAfter: this.stoppedAfter };
    return { ...past, stoppedAfter: until - this.heardAt(), isUnderWay: true };
  }

  private get isUnderWay(): boolean {
    const isTested = this.start === null || this.start.type === 'pushed';
    return isTested && !this.isEnded && !this.isSilent && this.reports.length === 0;
  }

  private report(state: PastReport['state'], at: Instant, rank: number, why?: 'flaky'): void {
    if (this.start?.type !== 'pushed') return;
    this.reports.push({ after: at - this.heardAt(), rank, state, isFlaky: why === 'flaky' });
  }

  private told(at: Instant, rank: number): { readonly toldAfter: Instant; readonly rank: number } {
    return { toldAfter: at - this.run.createdAt, rank };
  }

  private heardAt(): Instant {
    return this.run.createdAt + (this.start?.toldAfter ?? 0);
  }
}
