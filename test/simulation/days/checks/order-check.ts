import type { Change } from '../../../../src/engine/changes';
import type { Command, LandRun, StartTestRun } from '../../../../src/engine/commands';
import type { QueueEvent } from '../../../../src/engine/events';
import type { Freeze, QueuedHead, QueueSettings, ServiceLimits } from '../../../../src/engine/model';
import { HOUR, type Instant, type RequestableQueueState, URGENT } from '../../../../src/engine/vocabulary';

/**
 * Checks that the queue orders only permitted work: it lands nothing while it is paused, and starts nothing unless it
 * is running. A later urgent entry must not interrupt an urgent entry. An entry whose restart was requested must not
 * get an old result.
 */
export class OrderCheck {
  readonly problems: string[] = [];
  private readonly urgent = new Set<string>();
  private readonly toTestAnew = new Set<string>();
  private readonly dryRuns = new Set<string>();
  private readonly landings: Instant[] = [];
  private readonly priorities = new Map<string, number>();

  private state: RequestableQueueState = 'running';
  /** Whether a landing was refused midway, and the part of it that landed is not tested yet. */
  private isTargetOpen = false;

  constructor(
    private settings: QueueSettings,
    private readonly limits: ServiceLimits,
    private readonly freezes: readonly Freeze[],
  ) {}

  decided(event: QueueEvent, changes: readonly Change[], commands: readonly Command[], now: Instant): void {
    if (event.type === 'settingsChanged') {
      this.settings = { ...this.settings, ...event.settings };
      this.state = event.state ?? this.state;
    }
    // If an entry got a new need, the queue moves the entry behind that need. Then the placement does not mean that an
    // urgent entry overtook others.
    const isReordered = changes.some(({ type }) => type === 'needsChanged');
    const isUrgentNew =
      !isReordered && changes.some((change) => change.type === 'entriesPlaced' && change.because === 'urgent');
    for (const change of changes) this.follow(change, isUrgentNew);
    for (const command of commands) {
      if (command.type === 'startTestRun') this.started(command, now);
      if (command.type === 'landRun') this.landed(command, now);
    }
  }

  private started({ run, own, onto, builtOn, reuseSince }: StartTestRun, now: Instant): void {
    const dry = [...onto.contains, ...builtOn].find(({ entryId }) => this.dryRuns.has(entryId));
    if (dry) this.note(`run ${run} is built on #${dry.number}, which is a dry run`);
    if (own.length > 1 && own.some(({ entryId }) => this.dryRuns.has(entryId)))
      this.note(`run ${run} has a dry run in a batch`);
    if (this.state !== 'running') this.note(`run ${run} was started while the queue is ${this.state}`);
    if (this.isTargetOpen && own.length > 0)
      this.note(`run ${run} was started before what is on the target was tested`);
    if (reuseSince === null) return;
    const anew = own.find((change) => this.toTestAnew.has(change.entryId));
    if (anew) this.note(`run ${run} may reuse a result, but #${anew.number} was restarted`);
    if (this.settings.optimizationMode === 'off') this.note(`run ${run} may reuse a result without the setting`);
    if (reuseSince < now - this.limits.treeReuseHours * HOUR) this.note(`run ${run} may reuse too old a result`);
  }

  private landed({ landing, changes, direct }: LandRun, now: Instant): void {
    const holds = this.freezes.filter(({ from, until }) => from <= now && now < until);
    const isExcepted = ({ entryId }: QueuedHead): boolean =>
      holds.every(({ exceptPriorityAtMost: best }) => best !== null && (this.priorities.get(entryId) ?? 0) <= best);
    if (!changes.every(isExcepted)) this.note(`landing ${landing} was ordered in a freeze`);
    const { maxMergesPerHour: most } = this.settings;
    const lately = this.landings.filter((at) => at > now - HOUR).length;
    if (most !== null && lately > 0 && lately + changes.length > most)
      this.note(`landing ${landing} is of ${changes.length}, and ${lately} of ${most} landed in the last hour`);
    const dry = changes.find(({ entryId }) => this.dryRuns.has(entryId));
    if (dry) this.note(`landing ${landing} is of #${dry.number}, which is a dry run`);
    if (this.state === 'paused') this.note(`landing ${landing} was ordered while the queue is paused`);
    if (direct !== null && this.state !== 'running')
      this.note(`landing ${landing} is direct, and the queue is ${this.state}`);
  }

  private follow(change: Change, isUrgentNew: boolean): void {
    if (change.type === 'entrySubmitted') this.wishes(change.entry.id, change.entry.priority);
    // An urgent entry may stand behind a need that is not urgent. A later urgent entry without needs goes ahead of the
    // urgent entry and of its need.
    if (change.type === 'entrySubmitted' && change.entry.needs) this.urgent.delete(change.entry.id);
    if (change.type === 'needsChanged') this.urgent.delete(change.entryId);
    if (change.type === 'entrySubmitted') this.priorities.set(change.entry.id, change.entry.priority);
    if (change.type === 'entryPrioritised') this.priorities.set(change.entryId, change.priority);
    if (change.type === 'entrySubmitted') this.isMeant(change.entry.id, change.entry.dryRun);
    if (change.type === 'entryPrioritised') this.isMeant(change.entryId, change.dryRun);
    // An entry that becomes urgent while it is under test restarts no other run, so it may be interrupted like any
    // other entry.
    if (change.type === 'entryPrioritised' && change.priority !== URGENT) this.urgent.delete(change.entryId);
    if (change.type === 'changeLanded') this.landings.push(change.at);
    if (change.type === 'partLanded') this.isTargetOpen = true;
    if (change.type === 'partEvaluated') this.isTargetOpen = false;
    if (change.type === 'partEvaluated' && change.problem !== null) this.state = 'paused';
    if (change.type !== 'entryMoved') return;
    const { entryId, to, because } = change;
    if (because === 'dry_run_passed' && !this.dryRuns.has(entryId))
      this.note(`${entryId} left as a dry run, and is to be merged`);
    if (isUrgentNew && because === 'skip_the_line_interrupted' && this.urgent.has(entryId))
      this.note(`${entryId} is urgent and was interrupted by one that came later`);
    if (because === 'tests_restarted_by_user' || because === 'tests_restarted_by_api_request')
      this.toTestAnew.add(entryId);
    else if (to !== 'pending' && to !== 'testing' && to !== 'not_ready') this.toTestAnew.delete(entryId);
  }

  private isMeant(entryId: string, dryRun: boolean): void {
    if (dryRun) this.dryRuns.add(entryId);
    else this.dryRuns.delete(entryId);
  }

  private wishes(entryId: string, priority: number): void {
    this.toTestAnew.delete(entryId);
    if (priority === URGENT) this.urgent.add(entryId);
    else this.urgent.delete(entryId);
  }

  private note(problem: string): void {
    this.problems.push(problem);
  }
}
