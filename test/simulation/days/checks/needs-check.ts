import type { Change } from '../../../../src/engine/changes';
import type { Entry } from '../../../../src/engine/model';
import { isConcluded } from '../../../../src/engine/states';
import { type EngineHost, nameOf } from '../../../support/engine-host';
import type { EngineStore } from '../../../../src/processing/replay/engine-store';

/**
 * Checks that a pull request which contains an earlier entry lands after or with that entry, or after another head that
 * contains the entry's head. So the pull request never lands the content of an entry that left the queue.
 */
export class NeedsCheck {
  readonly problems: string[] = [];
  /**
   * For each pull request and head, as `number@head`, the earlier entries, also as `number@head`, that it contained
   * when the queue accepted it.
   */
  private readonly contained = new Map<string, readonly string[]>();
  /** For each head, the heads that it contains. */
  private readonly within = new Map<string, readonly string[]>();
  /** Entries, as `number@head`, that left because the target has all their changes. */
  private readonly nothingLeft: string[] = [];

  constructor(
    private readonly host: EngineHost,
    private readonly store: EngineStore,
  ) {}

  decided(changes: readonly Change[], entryOf: (id: string) => Entry): void {
    for (const change of changes) {
      if (change.type === 'entrySubmitted') this.takenUp(change.entry, change.entry.head);
      if (change.type === 'entryFollowedHead') this.takenUp(entryOf(change.entryId), change.head);
      if (change.type === 'entryMoved' && change.because === 'nothing_to_merge')
        this.nothingLeft.push(nameOf(entryOf(change.entryId)));
      if (change.type === 'changeLanded') this.landed(nameOf(change.change));
    }
  }

  private takenUp({ id, number, submittedOrder }: Entry, head: string): void {
    const { contains = [], head: now } = this.host.pullRequest(number);
    if (head !== now) return;
    this.within.set(head, contains);
    const earlier = [...this.store.all].filter(
      (other) =>
        other.id !== id &&
        !isConcluded(other.state) &&
        other.submittedOrder < submittedOrder &&
        contains.includes(other.head),
    );
    this.contained.set(`${number}@${head}`, earlier.map(nameOf));
  }

  private landed(name: string): void {
    const there = [...this.host.target, ...this.nothingLeft];
    for (const needed of this.contained.get(name) ?? []) {
      const [, head = ''] = needed.split('@');
      // A third pull request may also bring the needed head, if it contains this head and was submitted after the
      // needed entry had left.
      const isThere = there.some((other) => {
        const [, otherHead = ''] = other.split('@');
        return other === needed || (other !== name && (this.within.get(otherHead) ?? []).includes(head));
      });
      if (!isThere) this.problems.push(`${name} landed without ${needed}, which it contains`);
    }
  }
}
