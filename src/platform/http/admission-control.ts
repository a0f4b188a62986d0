import { Logger, SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, type Registry } from 'prom-client';
import { TooMuchForNow } from '../errors/classify-error';
import { processCounter } from '../metrics/process-counter';

/** Priority classes of requests under overload, best first. */
export const REQUEST_PRIORITIES = ['first', 'usual', 'last'] as const;
export type RequestPriority = (typeof REQUEST_PRIORITIES)[number];

export const REQUEST_PRIORITY = Symbol('priority');

/**
 * The priority class of a handler. `first`: results from tests and code hosts, and requests that stop work. `last`: new
 * work. `always`: probes and metrics, which report the state of the service, and handlers with a limit of their own.
 * Default: `usual`.
 */
export const AdmitAs = (priority: RequestPriority | 'always') => SetMetadata(REQUEST_PRIORITY, priority);

/** Six per database connection: enough to keep the connections busy, and few enough for fast answers. */
const SLOTS = 64;
/** The remaining slots are reserved for `first`. */
const MOST_NOT_FIRST = 56;
/** A slow code host delays submissions for seconds. Slow submissions must not take all slots. */
const MOST_LAST = 32;
const MOST_WAITING: Readonly<Record<RequestPriority, number>> = { first: 2_000, usual: 1_000, last: 500 };
const LONGEST_WAIT_MS = 10_000;
const CLIENT_TAKES_LONG_MS = 1_000;
const SAID_EVERY_MS = 60_000;

interface Waiting {
  readonly begin: () => void;
}

const refused = processCounter(
  'sluice_http_refused_total',
  'Requests that were refused with 503 because the service had more work than it accepts at a time, by priority.',
  ['priority'],
);
// Starts the series at 0: otherwise increase(), which alerts use, would miss the first refusal.
for (const priority of REQUEST_PRIORITIES) refused.inc({ priority }, 0);

/** The slot of a running request. */
interface Slot {
  free(): void;
  retake(): void;
}

const slots = new WeakMap<Response, Slot>();

/** Frees the slot of a request whose answer stays open, such as an event stream. */
export function releaseSlot(response: Response): void {
  slots.get(response)?.free();
}

/** Awaits work that waits for the client. If the work takes long, another request uses the slot meanwhile. */
export async function lendSlot<T>(response: Response, work: Promise<T>): Promise<T> {
  const slot = slots.get(response);
  const timer = setTimeout(() => slot?.free(), CLIENT_TAKES_LONG_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    // Nothing would free the slot of a client that has left.
    if (slots.get(response) === slot) slot?.retake();
  }
}

/**
 * Limits the requests that run at the same time. Further requests wait by priority, with their bodies unread. A request
 * that waits too long, or arrives when too many wait, is refused with Retry-After. This keeps memory use constant, and
 * merging continues under overload.
 */
export class AdmissionControl {
  private readonly inProgress: Record<RequestPriority, number> = { first: 0, usual: 0, last: 0 };
  private readonly waiting: Readonly<Record<RequestPriority, Set<Waiting>>> = {
    first: new Set(),
    usual: new Set(),
    last: new Set(),
  };

  private readonly logger = new Logger('Requests');
  private refusals = 0;
  private saidAt = Number.NEGATIVE_INFINITY;

  /** `isBacklogLarge`: while true, no new work begins. */
  constructor(private readonly isBacklogLarge: () => boolean) {}

  /**
   * Resolves when the request may run. The slot of the request is freed when the answer has ended. Error: UNAVAILABLE.
   */
  async enter(response: Response, priority: RequestPriority): Promise<void> {
    if (!this.hasSlot(priority) || this.waiting[priority].size > 0) await this.wait(response, priority);
    else this.inProgress[priority]++;
    const slot = this.slotIn(priority);
    slots.set(response, slot);
    const end = (): void => {
      slots.delete(response);
      slot.free();
    };
    response.once('close', end);
    if (response.closed) end();
  }

  measure(registry: Registry): void {
    const labelNames = ['priority', 'state'];
    const help = 'Requests that are in progress or wait for a slot, by priority.';
    const gauge = new Gauge({ name: 'sluice_http_requests', help, labelNames, registers: [registry] });
    for (const priority of REQUEST_PRIORITIES) {
      gauge.set({ priority, state: 'in_progress' }, this.inProgress[priority]);
      gauge.set({ priority, state: 'waiting' }, this.waiting[priority].size);
    }
  }

  private wait(response: Response, priority: RequestPriority): Promise<void> {
    const waiting = this.waiting[priority];
    return new Promise((resolve, reject) => {
      const leave = (then: () => void): void => {
        clearTimeout(timer);
        response.removeListener('close', abandon);
        waiting.delete(one);
        then();
      };
      const refuse = (): void => {
        refused.inc({ priority });
        this.sayRefused();
        reject(new TooMuchForNow());
      };
      const abandon = (): void => leave(() => reject(new TooMuchForNow()));
      const timer = setTimeout(() => leave(refuse), LONGEST_WAIT_MS);
      const one: Waiting = {
        begin: () =>
          leave(() => {
            this.inProgress[priority]++;
            resolve();
          }),
      };
      response.once('close', abandon);
      waiting.add(one);
      if (waiting.size > MOST_WAITING[priority]) leave(refuse);
    });
  }

  /** Returns a slot for a request that is already counted as running. */
  private slotIn(priority: RequestPriority): Slot {
    let isTaken = true;
    return {
      free: () => {
        if (!isTaken) return;
        isTaken = false;
        this.inProgress[priority]--;
        this.beginNext();
      },
      retake: () => {
        if (isTaken) return;
        isTaken = true;
        this.inProgress[priority]++;
      },
    };
  }

  /** One log line a minute at most. */
  private sayRefused(): void {
    this.refusals++;
    if (performance.now() - this.saidAt < SAID_EVERY_MS) return;
    this.logger.warn(
      `The service has more work than it accepts at a time. Requests refused with 503 since the last such line: ${this.refusals}.`,
    );
    this.saidAt = performance.now();
    this.refusals = 0;
  }

  /** Starts the waiting requests that may run now. The end of each request calls this method automatically. */
  beginNext(): void {
    for (const priority of REQUEST_PRIORITIES) {
      for (const next of this.waiting[priority]) {
        if (!this.hasSlot(priority)) break;
        next.begin();
      }
    }
  }

  private hasSlot(priority: RequestPriority): boolean {
    const { first, usual, last } = this.inProgress;
    if (first + usual + last >= SLOTS) return false;
    if (priority === 'first') return true;
    if (usual + last >= MOST_NOT_FIRST) return false;
    return priority === 'usual' || (last < MOST_LAST && !this.isBacklogLarge());
  }
}
