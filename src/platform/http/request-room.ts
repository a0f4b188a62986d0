import { Logger, SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, type Registry } from 'prom-client';
import { TooMuchForNow } from '../errors/classify-error';
import { processCounter } from '../metrics/process-counter';

/** Priority classes of requests under overload, best first. */
export const TURNS = ['first', 'usual', 'last'] as const;
export type Turn = (typeof TURNS)[number];

export const TURN = Symbol('turn');

/**
 * For handlers. `first`: results from tests and code hosts, and anything that stops work. `last`: new work. `always`:
 * probes and metrics, which report the state of the service, and handlers with a limit of their own. Default: `usual`.
 */
export const InTurn = (turn: Turn | 'always') => SetMetadata(TURN, turn);

/** Six per database connection: enough to keep the connections busy, and few enough for fast answers. */
const PLACES = 64;
/** The remaining slots are reserved for `first`. */
const MOST_NOT_FIRST = 56;
/** A slow code host delays submissions for seconds. They must not take all slots. */
const MOST_LAST = 32;
const MOST_WAITING: Readonly<Record<Turn, number>> = { first: 2_000, usual: 1_000, last: 500 };
const LONGEST_WAIT_MS = 10_000;
const CLIENT_TAKES_LONG_MS = 1_000;
const SAID_EVERY_MS = 60_000;

interface Waiting {
  readonly begin: () => void;
}

const refused = processCounter(
  'sluice_http_refused_total',
  'Requests that were refused with 503 because there was more to do than the service takes at a time, by turn.',
  ['turn'],
);
// Starts the series at 0: otherwise increase(), which alerts use, would miss the first refusal.
for (const turn of TURNS) refused.inc({ turn }, 0);

/** The slot of a running request. */
interface Place {
  free(): void;
  takeAgain(): void;
}

const places = new WeakMap<Response, Place>();

/** For answers that stay open, such as event streams: frees the slot. */
export function leaveRoom(response: Response): void {
  places.get(response)?.free();
}

/** For work that waits for the client: if it takes long, another request uses the slot meanwhile. */
export async function outsideRoom<T>(response: Response, work: Promise<T>): Promise<T> {
  const place = places.get(response);
  const timer = setTimeout(() => place?.free(), CLIENT_TAKES_LONG_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    place?.takeAgain();
  }
}

/**
 * Limits the requests that run at the same time. Further requests wait by priority, with their bodies unread. A request
 * that waits too long, or arrives when too many wait, is refused with Retry-After. So memory use stays constant, and
 * merging continues.
 */
export class RequestRoom {
  private readonly inHand: Record<Turn, number> = { first: 0, usual: 0, last: 0 };
  private readonly waiting: Readonly<Record<Turn, Set<Waiting>>> = {
    first: new Set(),
    usual: new Set(),
    last: new Set(),
  };

  private readonly logger = new Logger('Requests');
  private refusals = 0;
  private saidAt = Number.NEGATIVE_INFINITY;

  /** `areArrearsLarge`: while true, no new work begins. */
  constructor(private readonly areArrearsLarge: () => boolean) {}

  /** Resolves when the request may run. Its slot is freed when the answer has ended. Error: UNAVAILABLE. */
  async enter(response: Response, turn: Turn): Promise<void> {
    if (!this.hasPlace(turn) || this.waiting[turn].size > 0) await this.wait(response, turn);
    else this.inHand[turn]++;
    const place = this.placeIn(turn);
    places.set(response, place);
    const end = (): void => {
      places.delete(response);
      place.free();
    };
    response.once('close', end);
    if (response.closed) end();
  }

  measure(registry: Registry): void {
    const labelNames = ['turn', 'state'];
    const help = 'Requests in hand, and those that wait for a place, by turn.';
    const gauge = new Gauge({ name: 'sluice_http_requests', help, labelNames, registers: [registry] });
    for (const turn of TURNS) {
      gauge.set({ turn, state: 'in_hand' }, this.inHand[turn]);
      gauge.set({ turn, state: 'waiting' }, this.waiting[turn].size);
    }
  }

  private wait(response: Response, turn: Turn): Promise<void> {
    const waiting = this.waiting[turn];
    return new Promise((resolve, reject) => {
      const leave = (then: () => void): void => {
        clearTimeout(timer);
        response.removeListener('close', abandon);
        waiting.delete(one);
        then();
      };
      const refuse = (): void => {
        refused.inc({ turn });
        this.sayRefused();
        reject(new TooMuchForNow());
      };
      const abandon = (): void => leave(() => reject(new TooMuchForNow()));
      const timer = setTimeout(() => leave(refuse), LONGEST_WAIT_MS);
      const one: Waiting = {
        begin: () =>
          leave(() => {
            this.inHand[turn]++;
            resolve();
          }),
      };
      response.once('close', abandon);
      waiting.add(one);
      if (waiting.size > MOST_WAITING[turn]) leave(refuse);
    });
  }

  /** A slot that is already counted. */
  private placeIn(turn: Turn): Place {
    let isTaken = true;
    return {
      free: () => {
        if (!isTaken) return;
        isTaken = false;
        this.inHand[turn]--;
        this.beginNext();
      },
      takeAgain: () => {
        if (isTaken) return;
        isTaken = true;
        this.inHand[turn]++;
      },
    };
  }

  /** One log line a minute at most. */
  private sayRefused(): void {
    this.refusals++;
    if (performance.now() - this.saidAt < SAID_EVERY_MS) return;
    this.logger.warn(
      `There is more to do than the service takes at a time. Requests that were refused with 503 since the last such line: ${this.refusals}.`,
    );
    this.saidAt = performance.now();
    this.refusals = 0;
  }

  /** Starts waiting requests whose reason to wait is not a slot. The end of a request calls it automatically. */
  beginNext(): void {
    for (const turn of TURNS) {
      for (const next of this.waiting[turn]) {
        if (!this.hasPlace(turn)) break;
        next.begin();
      }
    }
  }

  private hasPlace(turn: Turn): boolean {
    const { first, usual, last } = this.inHand;
    if (first + usual + last >= PLACES) return false;
    if (turn === 'first') return true;
    if (usual + last >= MOST_NOT_FIRST) return false;
    return turn === 'usual' || (last < MOST_LAST && !this.areArrearsLarge());
  }
}
