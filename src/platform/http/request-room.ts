import { Logger, SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, type Registry } from 'prom-client';
import { TooMuchForNow } from '../errors/classify-error';
import { processCounter } from '../metrics/process-counter';

/** Who is answered first when there is more to do than the service takes at a time. */
export const TURNS = ['first', 'usual', 'last'] as const;
export type Turn = (typeof TURNS)[number];

export const TURN = Symbol('turn');

/**
 * For handlers. `first`: what tests and hosts report, and what stops something. `last`: what brings new work. `always`: probes and
 * metrics, which say how the service is, and what has places of its own. Without it: `usual`.
 */
export const InTurn = (turn: Turn | 'always') => SetMetadata(TURN, turn);

/** Six for each connection to the database: enough to keep those busy, and few enough to answer soon. */
const PLACES = 64;
/** The rest is for what goes first. */
const MOST_NOT_FIRST = 56;
/** A slow code host holds submissions for seconds, and may not hold everything. */
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
// A series that began with the first refusal would hide that one from increase(), which alerts ask for.
for (const turn of TURNS) refused.inc({ turn }, 0);

/** Of a request that is worked on. */
interface Place {
  free(): void;
  takeAgain(): void;
}

const places = new WeakMap<Response, Place>();

/** For answers that stay open, such as streams of events: from now on they take nobody's place. */
export function leaveRoom(response: Response): void {
  places.get(response)?.free();
}

/** For what waits for the client: when that takes long, somebody else has the place meanwhile. */
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
 * Places for requests that are worked on. Beyond them requests wait, those that go first before the others, with their bodies unread;
 * who waits for too long, or comes when too many wait, is told to come back. So memory stays flat, and landing goes on.
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

  /** `areArrearsLarge`: then no new work begins. */
  constructor(private readonly areArrearsLarge: () => boolean) {}

  /** Resolves when the request may be worked on; its place is free again when the answer has ended. Error: UNAVAILABLE. */
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

  /** One that is counted already. */
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

  /** One line a minute, however many there are. */
  private sayRefused(): void {
    this.refusals++;
    if (performance.now() - this.saidAt < SAID_EVERY_MS) return;
    this.logger.warn(
      `There is more to do than the service takes at a time. Requests that were refused with 503 since the last such line: ${this.refusals}.`,
    );
    this.saidAt = performance.now();
    this.refusals = 0;
  }

  /** For who waits for something else than a place: the end of a request calls it by itself. */
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
