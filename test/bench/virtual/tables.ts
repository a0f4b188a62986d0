import type { Decided } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import type { Entry, QueueSnapshot, StatusReport } from '../../../src/engine/model';
import { comparePending } from '../../../src/engine/policy/order';
import { isConcluded } from '../../../src/engine/states';
import type { Instant } from '../../../src/engine/vocabulary';

/** Where a queue is kept between two decisions. */
export interface Tables {
  /** The bounded snapshot that this event is decided on. */
  load(event: QueueEvent, now: Instant): QueueSnapshot;
  save(decided: Decided): void;
  report(report: StatusReport): void;
}

/** Keeps what is in flight in the snapshot and what waits in its order beside it. */
export class PlainTables implements Tables {
  private waiting: Entry[] = [];

  constructor(private queue: QueueSnapshot) {}

  load(_event: QueueEvent, _now: Instant): QueueSnapshot {
    const { concurrency, batch, batchingMinSize } = this.queue.settings;
    const next = this.waiting.slice(0, concurrency * (batch ? batchingMinSize : 1) + 1);
    this.waiting = this.waiting.slice(next.length);
    const moreToLoad = { unjudged: false, waiting: this.waiting.length > 0 };
    return { ...this.queue, entries: [...this.queue.entries, ...next], moreToLoad };
  }

  save({ after }: Decided): void {
    const open = after.entries.filter((entry) => !isConcluded(entry.state));
    const isAside = (entry: Entry): boolean => entry.place === null && entry.search === null;
    this.waiting = [...open.filter(isAside), ...this.waiting].sort(comparePending);
    const commits = new Set(after.runs.map((run) => run.commit));
    const oldest = Math.min(
      ...after.runs.map((run) => run.base.landedSeq),
      ...after.searches.map((search) => search.base.landedSeq),
    );
    this.queue = {
      ...after,
      entries: open.filter((entry) => !isAside(entry)),
      reports: after.reports.filter((report) => commits.has(report.commit)),
      landed: after.landed.filter((change) => change.seq > oldest),
    };
  }

  report(report: StatusReport): void {
    this.queue = { ...this.queue, reports: [...this.queue.reports, report] };
  }
}
