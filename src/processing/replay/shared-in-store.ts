import type { Entry, QueuedHead, QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import type { StoredEntries } from './stored-entries';
import { keyOf, matchesAny, type TargetBook } from './target-book';

/** The shared impacted targets of the stored entries, for a snapshot. */
export class SharedInStore {
  constructor(
    private readonly targets: TargetBook,
    private readonly entries: StoredEntries,
  ) {}

  /**
   * The shared targets of entries and landed changes. For an entry that is not ready, the head of its pull request
   * counts, because the decision that observes another head adopts it.
   */
  sharing(
    { mode, requestedMode, entries, landed }: QueueSnapshot,
    submitted: readonly QueuedHead[],
  ): QueueSnapshot['sharing'] {
    if (mode === 'single' && requestedMode !== 'parallel') return new Map();
    const heads = new Map<string, Set<string>>();
    for (const { id, number, head, state, pullRequest } of entries)
      heads.set(id, new Set([keyOf(number, state === 'not_ready' ? pullRequest.head : head)]));
    const others = submitted.map((change) => ({
      ...change,
      entryId: this.entries.ofNumber(change.number)?.id ?? change.entryId,
    }));
    for (const { entryId, number, head } of [...landed, ...others])
      heads.set(entryId, (heads.get(entryId) ?? new Set()).add(keyOf(number, head)));
    return this.targets.sharingAmong(heads);
  }

  areas(
    { settings }: Pick<QueueSnapshot, 'settings'>,
    entries: readonly Entry[],
    submitted: readonly QueuedHead[],
  ): Pick<QueueSnapshot, 'areas'> {
    if (settings.scheduling !== 'flow') return {};
    const open = entries.filter(({ state }) => !isConcluded(state));
    const keys = new Map(open.map(({ id, number, head }) => [id, keyOf(number, head)]));
    for (const { entryId, number, head } of submitted)
      keys.set(this.entries.ofNumber(number)?.id ?? entryId, keyOf(number, head));
    return { areas: this.targets.areasAmong(keys) };
  }

  isolated({ settings, entries }: QueueSnapshot, submitted: readonly QueuedHead[]): ReadonlySet<string> {
    const { batchingRules } = settings;
    if (batchingRules.length === 0) return new Set();
    const heads = entries.map(({ id: entryId, number, head, state, pullRequest }) => {
      return { entryId, number, head: state === 'not_ready' ? pullRequest.head : head };
    });
    const others = submitted.map((change) => ({
      ...change,
      entryId: this.entries.ofNumber(change.number)?.id ?? change.entryId,
    }));
    const matching = [...heads, ...others].filter(({ number, head }) =>
      matchesAny(batchingRules, this.targets.of(number, head)),
    );
    return new Set(matching.map(({ entryId }) => entryId));
  }
}
