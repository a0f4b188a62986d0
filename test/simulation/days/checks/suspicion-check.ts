import type { Change } from '../../../../src/engine/changes';
import type { QueueEvent } from '../../../../src/engine/events';
import type { QueueSettings, UploadFact } from '../../../../src/engine/model';
import { type Instant, MINUTE } from '../../../../src/engine/vocabulary';

interface Test {
  readonly own: readonly string[];
  commit: string | null;
  redSince: Instant | null;
}

/**
 * The queue waits two minutes for uploads. The additional time is for a tick that was lost together with its process.
 */
const WAITS_AT_MOST = 7 * MINUTE;
/** Stands for the part of a landing that reached the target, which has no entry. */
const TARGET = 'the target';

/**
 * Checks that a failed run is tested again only if no tests but known flaky ones failed in it, and only once for each
 * attempt of an entry. `LandingCheck` makes sure that no upload makes a run pass.
 */
export class SuspicionCheck {
  readonly problems: string[] = [];
  private readonly tests = new Map<number, Test>();
  private readonly uploads = new Map<string, UploadFact[]>();
  private readonly suspected = new Set<string>();
  private isPartOpen = false;

  constructor(
    private settings: Pick<QueueSettings, 'retestFlakyFailures'>,
    private readonly runningTime: (from: Instant, to: Instant) => Instant,
  ) {}

  uploaded(upload: UploadFact): void {
    const others = this.uploads.get(upload.commit) ?? [];
    this.uploads.set(upload.commit, [...others.filter((other) => other.upload !== upload.upload), upload]);
  }

  decided(event: QueueEvent, changes: readonly Change[], now: Instant): void {
    if (event.type === 'settingsChanged') this.settings = { ...this.settings, ...event.settings };
    for (const change of changes) {
      if (change.type === 'entrySubmitted') this.suspected.delete(change.entry.id);
      if (change.type === 'partLanded') this.partLanded();
      if (change.type === 'partEvaluated') this.isPartOpen = false;
      if (change.type === 'runStarted') this.started(change);
      if (change.type === 'runPushed') this.testOf(change.run).commit = change.commit;
      if (change.type === 'runFoundRed') this.testOf(change.run).redSince = now;
      if (change.type === 'entryMoved' && change.to === 'tests_passed') this.passedOtherwise(change.entryId);
      if (change.type === 'runSuspected') this.noteSuspected(change.run, change.entryIds);
      if (change.type === 'runFailed' && change.failure.type === 'status' && !change.failure.reused)
        this.failed(change.run, now);
    }
  }

  private partLanded(): void {
    this.isPartOpen = true;
    this.suspected.delete(TARGET);
  }

  private started({ run }: Extract<Change, { type: 'runStarted' }>): void {
    // The queue also tests the target to learn whether tests work. A failure of a flaky test gives this information,
    // too, so the queue does not repeat the test of the target.
    if (run.kind === 'target' && !this.isPartOpen) return;
    const own = run.kind === 'target' ? [TARGET] : run.own.map(({ entryId }) => entryId);
    this.tests.set(run.number, { own, commit: null, redSince: null });
  }

  /**
   * A run on top of this entry's run passed. A failure of this entry's run matters only if the later run disappears.
   */
  private passedOtherwise(entryId: string): void {
    for (const test of this.tests.values()) if (test.own.includes(entryId)) test.redSince = null;
  }

  /** In flow scheduling a run may contain an entry that left the queue and came back as another attempt. */
  private noteSuspected(run: number, stillThere: readonly string[]): void {
    if (!this.showsOnlyFlakes(run)) this.note(`run ${run} was suspected, but its uploads do not show flakes only`);
    if (!this.settings.retestFlakyFailures) this.note(`run ${run} was suspected, although the queue does not want it`);
    for (const entryId of this.testOf(run).own) {
      if (entryId !== TARGET && !stillThere.includes(entryId)) continue;
      if (this.suspected.has(entryId)) this.note(`run ${run} was suspected, and an earlier one of ${entryId}, too`);
      this.suspected.add(entryId);
    }
  }

  private failed(run: number, now: Instant): void {
    const { own, redSince } = this.testOf(run);
    const isNew = own.every((entryId) => !this.suspected.has(entryId));
    if (this.settings.retestFlakyFailures && isNew && this.showsOnlyFlakes(run))
      this.note(`run ${run} failed, although only known flaky tests did`);
    if (redSince !== null && this.runningTime(redSince, now) > WAITS_AT_MOST)
      this.note(`run ${run} waited ${this.runningTime(redSince, now) / MINUTE} minutes for uploads`);
  }

  private showsOnlyFlakes(run: number): boolean {
    const uploads = this.uploads.get(this.testOf(run).commit ?? '') ?? [];
    return uploads.some(({ flaky }) => flaky > 0) && !uploads.some(({ others }) => others > 0);
  }

  private testOf(run: number): Test {
    return this.tests.get(run) ?? { own: [], commit: null, redSince: null };
  }

  private note(problem: string): void {
    this.problems.push(problem);
  }
}
