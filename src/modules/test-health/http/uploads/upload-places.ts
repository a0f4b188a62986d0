import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../../platform/errors/domain-error';
import { RequestBodies } from '../../../../platform/http/request-bodies';

/** Each upload takes a few MiB of memory and four files. */
export const MOST_AT_ONCE = 32;
const COME_BACK_SECONDS = 5;
/** An upload that has waited this long for its client loses its slot to a new upload when all slots are taken. */
const STALLED_MS = 5_000;

interface Taken {
  readonly request: IncomingMessage;
  readonly tokenId: string;
}

/**
 * Limits the uploads in progress. When all slots are taken, a new upload gets the slot of a stalled upload, or of an
 * upload by a token that has at least two more uploads than the new upload's token. This way, dead connections and a
 * single busy token cannot block other tokens.
 */
@Injectable()
export class UploadPlaces {
  private readonly taken = new Set<Taken>();

  constructor(private readonly bodies: RequestBodies) {}

  /** Returns a function that frees the slot. Errors: UNAVAILABLE when no upload loses its slot. */
  take(request: IncomingMessage, tokenId: string): () => void {
    if (this.taken.size >= MOST_AT_ONCE) this.freePlace(tokenId);
    const place = { request, tokenId };
    this.taken.add(place);
    return () => this.taken.delete(place);
  }

  private freePlace(tokenId: string): void {
    const slowest = this.slowestOf([...this.taken]);
    const giving = slowest && this.bodies.waitedMs(slowest.request) >= STALLED_MS ? slowest : this.busiestBut(tokenId);
    if (giving === undefined) throw allTaken('are in progress');
    this.taken.delete(giving);
    this.bodies.cutOff(giving.request, allTaken('came after this one, which was too slow'));
  }

  private busiestBut(tokenId: string): Taken | undefined {
    const byToken = new Map<string, Taken[]>();
    for (const place of this.taken) byToken.set(place.tokenId, [...(byToken.get(place.tokenId) ?? []), place]);
    const busiest = [...byToken.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const own = byToken.get(tokenId)?.length ?? 0;
    return busiest.length > own + 1 ? this.slowestOf(busiest) : undefined;
  }

  /** Considers only uploads that still arrive: an upload that is being stored no longer waits for its client. */
  private slowestOf(places: readonly Taken[]): Taken | undefined {
    const arriving = places.filter(({ request }) => !request.complete);
    const waited = ({ request }: Taken) => this.bodies.waitedMs(request);
    return arriving.reduce<Taken | undefined>((a, b) => (a && waited(a) >= waited(b) ? a : b), undefined);
  }
}

function allTaken(what: string): DomainError {
  const message = `${MOST_AT_ONCE} uploads ${what}; try again in ${COME_BACK_SECONDS} seconds.`;
  return new DomainError('UNAVAILABLE', message, [], COME_BACK_SECONDS);
}
