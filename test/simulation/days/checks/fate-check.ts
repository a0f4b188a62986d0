import type { Change, EntryMoved } from '../../../../src/engine/changes';
import { explain } from '../../../../src/engine/explain';
import type { Entry } from '../../../../src/engine/model';
import { isConcluded } from '../../../../src/engine/states';
import type { Instant } from '../../../../src/engine/vocabulary';
import { type EngineHost, nameOf } from '../../../support/engine-host';
import type { EngineStore } from '../../../../src/processing/replay/engine-store';

/**
 * Checks that no pull request is lost, and that the outcome of each pull request agrees with the target and the host.
 */
export class FateCheck {
  readonly problems: string[] = [];
  private readonly submitted = new Set<number>();
  private readonly landed = new Set<string>();

  constructor(
    private readonly host: EngineHost,
    private readonly store: EngineStore,
  ) {}

  accepted(number: number): void {
    this.submitted.add(number);
  }

  landedByQueue(names: readonly string[]): void {
    for (const name of names) this.landed.add(name);
  }

  concluded(move: EntryMoved, entry: Entry): void {
    const name = nameOf(entry);
    const { state } = this.host.pullRequest(entry.number);
    if (move.to === 'merged') {
      const isThere = this.host.target.includes(name);
      if (move.because === 'manual_merge' ? state !== 'merged' : !isThere)
        this.note(`#${entry.number} is merged (${move.because}), but not on the target`);
    } else if (move.because === 'nothing_to_merge' && !this.host.isNothingOn(this.host.target, entry)) {
      this.note(`#${entry.number} is said to change nothing, and does`);
    } else if (this.landed.has(name)) this.note(`#${entry.number} is ${move.to}, but the queue landed it`);
  }

  /**
   * Checks that the queue knows every submitted pull request, and that it explains for each unconcluded one why it
   * waits.
   */
  visible(now: Instant): void {
    for (const number of this.submitted) {
      const entry = this.store.entryOf(number);
      if (!entry) this.note(`#${number} is lost`);
      else if (!isConcluded(entry.state)) this.explained(entry, now);
    }
  }

  /** Checks, at the end of the day, that everything has concluded. */
  settled(now: Instant): void {
    if (!this.store.isIdle) this.note('everybody has concluded, but something is still under way');
    for (const entry of this.store.all) {
      if (!isConcluded(entry.state))
        this.note(`#${entry.number} is still ${entry.state}: ${this.sentence(entry, now)}`);
      if (this.landed.has(nameOf(entry)) && entry.state !== 'merged')
        this.note(`#${entry.number} was landed and is ${entry.state}`);
    }
  }

  private explained(entry: Entry, now: Instant): void {
    const sentence = this.sentence(entry, now);
    if (!/\w+ \w+/.test(sentence)) this.note(`nobody knows what #${entry.number} (${entry.state}) waits for`);
  }

  private sentence(entry: Entry, now: Instant): string {
    const queue = this.store.view([entry.number], now);
    const [explanation] = explain(queue, [{ entryId: entry.id, ahead: 0 }], now);
    return explanation?.waitingFor ?? '';
  }

  private note(problem: string): void {
    this.problems.push(problem);
  }
}

export function movesTo(changes: readonly Change[], ...states: readonly EntryMoved['to'][]): readonly EntryMoved[] {
  return changes.flatMap((change) => (change.type === 'entryMoved' && states.includes(change.to) ? [change] : []));
}
