import type { ApiCaller } from './issued-tokens';

export interface RateWindow {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the limit is reset, in seconds since 1970. */
  readonly reset: number;
}

const WINDOW_MS = 60 * 60 * 1000;
const USUAL_LIMIT = 5000;

/** The primary rate limit: a number of requests for each caller in each hour. */
export class RateLimits {
  limit = USUAL_LIMIT;
  private pressed: { readonly used: number; readonly endsAt: number } | null = null;
  private readonly windows = new Map<string, { used: number; endsAt: number }>();

  constructor(private readonly now: () => Date) {}

  read(caller: ApiCaller): RateWindow {
    const { used, endsAt } = this.windowOf(caller);
    const remaining = Math.max(0, this.limit - used);
    return { limit: this.limit, used, remaining, reset: Math.ceil(endsAt / 1000) };
  }

  /** Counts a request of the caller. Returns false when the caller has no request left. */
  take(caller: ApiCaller): boolean {
    const window = this.windowOf(caller);
    if (window.used >= this.limit) return false;
    window.used++;
    return true;
  }

  giveBack(caller: ApiCaller): void {
    this.windowOf(caller).used--;
  }

  /** Leaves this many requests to each installation and person, for the hour that begins now. */
  leave(remaining: number): void {
    this.pressed = { used: this.limit - remaining, endsAt: this.now().getTime() + WINDOW_MS };
    this.windows.clear();
  }

  private windowOf(caller: ApiCaller): { used: number; endsAt: number } {
    const key = keyOf(caller);
    const now = this.now().getTime();
    const known = this.windows.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    const pressed = caller.type === 'app' ? null : this.pressed;
    const window = pressed !== null && pressed.endsAt > now ? { ...pressed } : { used: 0, endsAt: now + WINDOW_MS };
    this.windows.set(key, window);
    return window;
  }
}

function keyOf(caller: ApiCaller): string {
  switch (caller.type) {
    case 'anonymous':
    case 'app':
      return caller.type;
    case 'installation':
      return `installation ${caller.token.installation.id}`;
    case 'user':
      return `user ${caller.account.id}`;
  }
}
