import type { BuildRequest, CandidateOutcome } from '../../domain/code-host.port';
import { BoundedMap } from '../bounded-map';

/** Far more than there are landings at a time. */
const MOST = 500;

/** What git builds takes a dozen processes, and never changes. So a landing that asks again how its merges stand builds it once. */
export class RecentBuilds {
  private readonly built = new BoundedMap<CandidateOutcome>(MOST);

  async once(request: BuildRequest, build: () => Promise<CandidateOutcome>): Promise<CandidateOutcome> {
    const { repository, onto, mergeMethod, pullRequests } = request;
    const key = JSON.stringify([repository.id, onto, mergeMethod, pullRequests]);
    const outcome = this.built.get(key) ?? (await build());
    if (outcome.type === 'built') this.built.set(key, outcome);
    return outcome;
  }
}
