import type { Change } from '../../../../src/engine/changes';
import type { Command } from '../../../../src/engine/commands';
import type { QueueEvent } from '../../../../src/engine/events';
import type { QueueSettings, ServiceLimits } from '../../../../src/engine/model';
import { HOUR, type Instant, URGENT } from '../../../../src/engine/vocabulary';

/** Whoever was urgent first is not interrupted, and whoever asked for a new test is not given an old result. */
export class OrderCheck {
  readonly problems: string[] = [];
  private readonly urgent = new Set<string>();
  private readonly toTestAnew = new Set<string>();

  constructor(
    private settings: QueueSettings,
    private readonly limits: ServiceLimits,
  ) {}

  decided(event: QueueEvent, changes: readonly Change[], commands: readonly Command[], now: Instant): void {
    if (event.type === 'settingsChanged') this.settings = { ...this.settings, ...event.settings };
    const isUrgentNew = changes.some((change) => change.type === 'entriesPlaced' && change.because === 'urgent');
    for (const change of changes) this.follow(change, isUrgentNew);
    for (const command of commands) {
      if (command.type !== 'startTestRun' || command.reuseSince === null) continue;
      const anew = command.own.filter((change) => this.toTestAnew.has(change.entryId));
      if (anew.length > 0) this.note(`run ${command.run} may reuse a result, but #${anew[0]!.number} was restarted`);
      if (this.settings.optimizationMode === 'off')
        this.note(`run ${command.run} may reuse a result without the setting`);
      if (command.reuseSince < now - this.limits.treeReuseHours * HOUR)
        this.note(`run ${command.run} may reuse a result that is too old`);
    }
  }

  private follow(change: Change, isUrgentNew: boolean): void {
    if (change.type === 'entrySubmitted') this.wishes(change.entry.id, change.entry.priority);
    // What became urgent while a run held it restarts nothing, so it may be interrupted like anybody.
    if (change.type === 'entryPrioritised' && change.priority !== URGENT) this.urgent.delete(change.entryId);
    if (change.type !== 'entryMoved') return;
    const { entryId, to, because } = change;
    if (isUrgentNew && because === 'skip_the_line_interrupted' && this.urgent.has(entryId))
      this.note(`${entryId} is urgent and was interrupted by one that came later`);
    if (because === 'tests_restarted_by_user' || because === 'tests_restarted_by_api_request')
      this.toTestAnew.add(entryId);
    else if (to !== 'pending' && to !== 'testing' && to !== 'not_ready') this.toTestAnew.delete(entryId);
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
