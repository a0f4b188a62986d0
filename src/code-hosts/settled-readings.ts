import type { Clock } from '../platform/clock/clock';
import { BoundedMap } from './bounded-map';

const MOST_PULL_REQUESTS = 10_000;
/**
 * Hosts give times in whole seconds. A read at least this long after a change contains all changes of the same second.
 */
const SETTLED_MS = 2_000;

interface Reading<Item> {
  /** The host's time of the last change of the pull request, as text. */
  readonly changedAt: string;
  /**
   * `seenAt` and `readAt` are milliseconds by the clock of the service: when that change was first seen, and when the
   * items were last read.
   */
  readonly seenAt: number;
  readonly readAt: number;
  readonly since: number;
  readonly items: readonly Item[];
}

/**
 * Caches items of pull requests, such as comments, if the host lists them only by pull request. Without this cache,
 * every poll would read the items of every pull request that changed in the last day, whatever the change was.
 */
export class SettledReadings<Item> {
  private readonly readings = new BoundedMap<Reading<Item>>(MOST_PULL_REQUESTS);

  constructor(
    private readonly clock: Clock,
    private readonly timeOf: (item: Item) => Date,
  ) {}

  /**
   * The items since then. They are read again if `changedAt`, the host's time of the last change of the pull request,
   * is null.
   */
  async itemsSince(
    key: string,
    changedAt: string | null,
    since: Date,
    read: () => Promise<readonly Item[]>,
  ): Promise<readonly Item[]> {
    const readAt = this.clock.now().getTime();
    const found = this.readings.get(key);
    const known = found?.changedAt === changedAt ? found : undefined;
    const isSettled = known !== undefined && known.readAt - known.seenAt >= SETTLED_MS;
    if (isSettled && known.since <= since.getTime()) return known.items.filter((item) => this.timeOf(item) >= since);
    const items = await read();
    const seenAt = known?.seenAt ?? readAt;
    if (changedAt !== null) this.readings.set(key, { changedAt, seenAt, readAt, since: since.getTime(), items });
    return items;
  }
}
