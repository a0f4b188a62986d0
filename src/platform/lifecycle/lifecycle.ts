import { setTimeout as after } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

/** How long a stop waits for work in progress. Another process takes over unfinished work by its lease or lock. */
export const DRAIN_LIMIT_MS = 20_000;

interface DrainHook {
  readonly name: string;
  readonly finish: () => Promise<void>;
}

/**
 * The graceful stop. Workers check `isStopping` before they claim work, and register a hook that finishes their claimed
 * work. The hooks run before the HTTP server and the database connections are closed.
 */
@Injectable()
export class Lifecycle implements OnModuleDestroy {
  private readonly logger = new Logger(Lifecycle.name);
  private readonly hooks = new Set<DrainHook>();
  private stopping = false;
  private drained?: Promise<void>;

  get isStopping(): boolean {
    return this.stopping;
  }

  /** `finish` resolves when the worker holds no work. Returns a function that removes the hook. */
  onDrain(name: string, finish: () => Promise<void>): () => void {
    const hook = { name, finish };
    this.hooks.add(hook);
    return () => this.hooks.delete(hook);
  }

  onModuleDestroy(): Promise<void> {
    return this.drain();
  }

  drain(limitMs = DRAIN_LIMIT_MS): Promise<void> {
    this.stopping = true;
    this.drained ??= this.finishAll(limitMs);
    return this.drained;
  }

  private async finishAll(limitMs: number): Promise<void> {
    const limit = new AbortController();
    const unfinished = new Set(this.hooks);
    const finishing = [...this.hooks].map(async (hook) => {
      try {
        await hook.finish();
      } catch (error) {
        this.logger.error(`${hook.name} did not stop cleanly`, error instanceof Error ? error.stack : String(error));
      }
      unfinished.delete(hook);
    });
    const late = after(limitMs, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([Promise.all(finishing), late]);
    limit.abort();
    if (unfinished.size > 0) {
      const names = [...unfinished].map((hook) => hook.name).join(', ');
      this.logger.warn(`stopping without waiting any longer for: ${names}`);
    }
  }
}
