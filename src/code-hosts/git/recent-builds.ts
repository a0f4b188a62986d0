import { createHash } from 'node:crypto';
import type { BuildRequest, CandidateOutcome } from '../../domain/code-host.port';
import { BoundedMap } from '../bounded-map';

/** Far more than the number of concurrent landings. */
const MOST = 500;

/**
 * A build starts a dozen git processes, and its result never changes. So a landing that asks several times for the
 * state of its merges builds once.
 */
export class RecentBuilds {
  private readonly built = new BoundedMap<CandidateOutcome>(MOST);

  async once(request: BuildRequest, build: () => Promise<CandidateOutcome>): Promise<CandidateOutcome> {
    const { repository, onto, mergeMethod, pullRequests } = request;
    // Pull requests have long texts, so only their digest is kept.
    const key = digestOf(JSON.stringify([repository.id, onto, mergeMethod, pullRequests]));
    const outcome = this.built.get(key) ?? (await build());
    if (outcome.type === 'built') this.built.set(key, outcome);
    return outcome;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
