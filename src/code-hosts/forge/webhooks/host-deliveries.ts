import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type HostEvent, HostInbox } from '../../../domain/code-host.port';
import { DomainError } from '../../../platform/errors/domain-error';
import { isMapping } from '../../../platform/mapping';
import { parseRepositoryPath } from '../../../platform/repository-name';
import { type RegisteredRepository, RepositoryIdentities } from '../../repository-identities';
import type { RepositoryPath } from '../../repository-path';

/** A delivery whose signature or token was checked. */
export interface ProvenDelivery {
  readonly host: string;
  /** The id of the delivery, which stays the same when it is delivered again. */
  readonly id: string;
  /** `<owner>/<name>`; null if the delivery names no repository. */
  readonly path: string | null;
  /** The number of the repository at the host. */
  readonly hostId: number | null;
}

/** The stored repositories that a delivery may be about. */
interface DeliveredTo {
  readonly named: RepositoryPath;
  readonly repositories: readonly RegisteredRepository[];
}

/** Stores the host events of a delivery before the code host gets its answer. */
@Injectable()
export class HostDeliveries {
  constructor(
    private readonly identities: RepositoryIdentities,
    private readonly inbox: HostInbox,
  ) {}

  /** Stores the events of a delivery; returns null if it names no repository and so has no events. */
  async store(
    { host, id, path, hostId }: ProvenDelivery,
    eventsFor: (repository: RegisteredRepository) => readonly HostEvent[] | Promise<readonly HostEvent[]>,
  ): Promise<DeliveredTo | null> {
    const named = parseRepositoryPath(path ?? '');
    if (named === null) return null;
    const found = { ...named, hostId: hostId === null ? null : String(hostId) };
    const repositories = await this.identities.rowsOf(host, found);
    const events: HostEvent[] = [];
    for (const repository of repositories) events.push(...(await eventsFor(repository)));
    for (const [index, one] of events.entries()) {
      await this.inbox.append(host, index === 0 ? id : `${id}/${index}`, one);
    }
    return { named, repositories };
  }
}

/** The bytes of a request body; empty if there is no body. */
export function bytesOf({ body }: Pick<Request, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/**
 * Whether the signature in `header` (hex, alone or after `sha256=`) was made from these bytes with this secret. The
 * comparison takes the same time for any result.
 */
export function isSignedWith(secret: string, body: Buffer, header: string | undefined): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from((header ?? '').replace(/^sha256=/, ''));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The object in the body. Throws DomainError for any other body. */
export function deliveredObject(body: Buffer): unknown {
  try {
    const payload = JSON.parse(body.toString('utf8')) as unknown;
    if (isMapping(payload)) return payload;
  } catch {
    // The parser's message is not passed on, because it quotes the body.
  }
  throw new DomainError('MALFORMED_JSON', 'The body is not a JSON object; choose application/json for the webhook.');
}
