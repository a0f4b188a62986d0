import type { Change } from '../../../../src/engine/changes';
import type { Command, StartTestRun } from '../../../../src/engine/commands';
import type { QueueEvent } from '../../../../src/engine/events';
import type { QueueSettings, ServiceLimits } from '../../../../src/engine/model';
import { type Instant, MINUTE, type Scheduling } from '../../../../src/engine/vocabulary';

interface Slot {
  readonly isSearch: boolean;
  /** The timeout of the queue when the run was ordered. The run keeps this timeout. */
  readonly timeout: Instant;
  requiredStatuses: readonly string[];
  commit: string | null;
  frees: Instant;
}

type Verdict = 'passed' | 'failed' | 'open';
type Kind = 'line' | 'search';

const INTERRUPTED = 'skip_the_line_interrupted';

/**
 * Counts runs by commands and events, and checks that the queue never has more runs in progress than its settings and
 * the service allow. The queue's own records are trusted only about which runs belong to a bisection.
 */
export class SlotsCheck {
  readonly problems: string[] = [];
  runs = 0;
  private readonly slots = new Map<number, Slot>();
  private readonly started: number[] = [];
  private readonly searching = new Set<number>();
  private scheduling: Scheduling;

  constructor(
    private settings: QueueSettings,
    private readonly limits: ServiceLimits,
    private readonly verdictOf: (commit: string, name: string) => Verdict,
  ) {
    this.scheduling = settings.scheduling ?? 'in_order';
  }

  /** Called after each decision: the event frees slots, and the commands take slots. */
  decided(event: QueueEvent, changes: readonly Change[], commands: readonly Command[], now: Instant): void {
    for (const change of changes)
      if (change.type === 'runStarted' && change.run.search !== null) this.searching.add(change.run.number);
    for (const change of changes) if (change.type === 'schedulingChanged') this.scheduling = change.scheduling;
    if (event.type === 'settingsChanged') this.expectNothingStopped(event, commands);
    if (event.type === 'settingsChanged') this.settings = { ...this.settings, ...event.settings };
    this.hear(event);
    for (const [run, slot] of this.slots) if (slot.frees <= now || this.isJudged(slot)) this.slots.delete(run);
    const before = { line: this.inUse('line').length, search: this.inUse('search').length };
    for (const command of commands) {
      if (command.type === 'stopTestRun') this.slots.delete(command.run);
      if (command.type === 'startTestRun') this.take(command);
    }
    const givesWay = changes.some((change) => change.type === 'runEnded' && change.because === INTERRUPTED);
    if (this.started.length > 0) this.expectFreeSlots(givesWay ? before : { line: 0, search: 0 });
  }

  isOfSearch(run: number): boolean {
    return this.searching.has(run);
  }

  private take({ run, own, requiredStatuses }: StartTestRun): void {
    // A run that tests the target alone needs no slot.
    if (own.length === 0) return;
    this.runs++;
    this.started.push(run);
    const timeout = this.settings.testingTimeoutMinutes * MINUTE;
    this.slots.set(run, {
      isSearch: this.searching.has(run),
      timeout,
      requiredStatuses: [],
      commit: null,
      frees: Infinity,
    });
    if (requiredStatuses.join() !== this.settings.requiredStatuses.join())
      this.problems.push(
        `run ${run} requires ${requiredStatuses.join()}, not ${this.settings.requiredStatuses.join()}`,
      );
  }

  private hear(event: QueueEvent): void {
    if (event.type === 'runNotStarted' || event.type === 'runResultKnown') this.slots.delete(event.run);
    const slot = event.type === 'runPushed' ? this.slots.get(event.run) : undefined;
    if (event.type !== 'runPushed' || !slot) return;
    slot.commit = event.commit;
    slot.requiredStatuses = event.requiredStatuses;
    slot.frees = event.at + slot.timeout;
  }

  private isJudged({ commit, requiredStatuses }: Slot): boolean {
    if (commit === null) return false;
    const verdicts = requiredStatuses.map((name) => this.verdictOf(commit, name));
    return verdicts.includes('failed') || verdicts.every((verdict) => verdict === 'passed');
  }

  private inUse(kind: Kind): readonly number[] {
    return [...this.slots].filter(([, slot]) => slot.isSearch === (kind === 'search')).map(([run]) => run);
  }

  /**
   * A lower concurrency stops no run. While more slots are in use than the concurrency allows, only an urgent run may
   * start, in the slot of an interrupted run. `before`: the slots in use before the decision.
   */
  private expectFreeSlots(before: Record<Kind, number>): void {
    const { concurrency, bisectionConcurrency } = this.settings;
    const search = bisectionConcurrency ?? concurrency;
    // Flow scheduling has one pool of slots for test runs and bisections.
    const may = { line: concurrency + (this.scheduling === 'flow' ? search : 0), search };
    const started = this.started.splice(0);
    for (const kind of ['line', 'search'] as const) {
      const inUse = this.inUse(kind);
      const most = Math.max(Math.min(may[kind], this.limits.runsInFlight), before[kind]);
      if (inUse.length > most && inUse.some((run) => started.includes(run)))
        this.problems.push(`${inUse.length} ${kind} runs at once, ${most} may: ${inUse.join()}`);
    }
  }

  private expectNothingStopped(
    { settings, mode, state }: Extract<QueueEvent, { type: 'settingsChanged' }>,
    commands: readonly Command[],
  ): void {
    const isOnlyConcurrency = Object.keys(settings).every((key) => /concurrency/i.test(key));
    const stops = commands.filter((command) => command.type === 'stopTestRun');
    if (isOnlyConcurrency && mode === undefined && state === undefined && stops.length > 0)
      this.problems.push(`another concurrency stopped ${stops.length} runs`);
  }
}
