import type { Clock } from '../platform/clock/clock';
import { BoundedMap } from './bounded-map';

const MOST_PULL_REQUESTS = 10_000;
/** Hosts give times in whole seconds: what is read that long after a change was seen holds all of the second of the change. */
const SETTLED_MS = 2_000;

interface Reading<Item> {
  /** When the host says that the pull request was changed last; its words. */
  readonly changedAt: string;
  /** By the clock of the service, in milliseconds: when that change was first seen, and when the items were read last. */
  readonly seenAt: number;
  readonly readAt: number;
  readonly since: number;
  readonly items: readonly Item[];
}

/**
 * What was read of pull requests, such as their labels: where there is no list of it for a repository, none may cost a request
 * at every look, because of whatever else happened at it in a day.
 */
export class SettledReadings<Item> {
  private readonly readings = new BoundedMap<Reading<Item>>(MOST_PULL_REQUESTS);

  constructor(
    private readonly clock: Clock,
    private readonly timeOf: (item: Item) => Date,
  ) {}

  /** `changedAt` null: the host does not say, so it is read. */
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
