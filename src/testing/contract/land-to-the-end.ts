import type { AskedMerges, CodeHost, LandOutcome, LandRequest, MergingAtHost } from '../../domain/code-host.port';
import type { HostWorld } from './host-world';

/** Waits until a host that merges in the background wants the next request. */
type Waits = Pick<HostWorld, 'waitUntil'>;

/**
 * Repeats `land` with the state that the previous call returned, as the service does, while the host merges in the
 * background.
 */
export async function landToTheEnd(
  host: CodeHost,
  request: LandRequest,
  kept: { asked: AskedMerges | null } = { asked: null },
  world: Waits = {},
): Promise<Exclude<LandOutcome, MergingAtHost>> {
  const store = (asked: AskedMerges): Promise<void> => Promise.resolve(void (kept.asked = asked));
  for (;;) {
    const outcome = await host.land({ ...request, memory: { asked: kept.asked, store } });
    if (outcome.type !== 'merging') return outcome;
    await world.waitUntil?.(outcome.askAgainAt);
  }
}

/** The same host, but `land` returns the final outcome. The wrapper keeps no state between calls. */
export function landingToTheEnd(host: CodeHost, world: Waits): CodeHost {
  const land = (request: LandRequest): Promise<LandOutcome> => landToTheEnd(host, request, undefined, world);
  return new Proxy(host, {
    get(target, name) {
      if (name === 'land') return land;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
