import { createHash } from 'node:crypto';
import type { BuildRequest, CandidateOutcome } from '../../domain/code-host.port';
import { BoundedMap } from '../bounded-map';

/** The number of builds that are kept, which is far more than the number of concurrent landings. */
const MOST = 500;

/**
 * The builds of recent landings, so that a landing that asks several times for the state of its merges builds once. A
 * build starts a dozen git processes, and its result never changes.
 */
export class RecentBuilds {
  private readonly built = new BoundedMap<CandidateOutcome>(MOST);

  async once(request: BuildRequest, build: () => Promise<CandidateOutcome>): Promise<CandidateOutcome> {
    const { repository, onto, mergeMethod, pullRequests } = request;
    // Only the digest is kept as the key, because pull requests have long texts.
    const key = digestOf(JSON.stringify([repository.id, onto, mergeMethod, pullRequests]));
    const outcome = this.built.get(key) ?? (await build());
    if (outcome.type === 'built') this.built.set(key, outcome);
    return outcome;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
