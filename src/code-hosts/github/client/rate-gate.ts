import { Gauge, register } from 'prom-client';
import type { Clock } from '../../../platform/clock/clock';
import { rateLimited } from '../../forge/client/host-answer';
import { ContentPace } from './content-pace';
import { limitedUntil } from './github-answer';
import type { RawAnswer } from './transport';

const NAME = 'sluice_github_requests_remaining';

/**
 * Obeys GitHub's rate limits: while an identity has to wait, no request is sent for this identity. The gate itself does
 * not wait. It throws HostUnavailable with the time of the next attempt, at which tasks and host events are retried.
 */
export class RateGate {
  private readonly closedUntil = new Map<string, Date>();
  private readonly content = new ContentPace();

  constructor(
    private readonly host: string,
    private readonly clock: Clock,
  ) {}

  /** Throws HostUnavailable while this identity has to wait. */
  enter(identity: string): void {
    const until = this.closedUntil.get(identity);
    if (until === undefined) return;
    if (until > this.clock.now()) throw rateLimited(this.host, until);
    this.closedUntil.delete(identity);
  }

  /** Throws HostUnavailable while another comment could use up GitHub's limit for new content. */
  enterToComment(identity: string): void {
    const until = this.content.nextCommentAt(identity, this.clock.now());
    if (until !== null) throw rateLimited(this.host, until);
  }

  noteContent(identity: string): void {
    this.content.note(identity, this.clock.now());
  }

  /** Reads the rate limits in an answer. Throws HostUnavailable if the request was refused because of a limit. */
  learn(identity: string, answer: RawAnswer): void {
    const { headers } = answer;
    const remaining = Number(headers['x-ratelimit-remaining'] ?? Number.NaN);
    const resource = String(headers['x-ratelimit-resource'] ?? 'core');
    if (Number.isFinite(remaining)) remainingGauge().set({ host: this.host, identity, resource }, remaining);
    const until = limitedUntil(answer, this.clock.now());
    if (until === null) return;
    const known = this.closedUntil.get(identity);
    if (known === undefined || known < until) this.closedUntil.set(identity, until);
    throw rateLimited(this.host, until);
  }
}

/**
 * The gauge of the process. A process has one registry of metrics, but in tests several applications, so the gauge may
 * exist already.
 */
function remainingGauge(): Gauge {
  const known = register.getSingleMetric(NAME) as Gauge | undefined;
  const labelNames = ['host', 'identity', 'resource'];
  return known ?? new Gauge({ name: NAME, help: 'Requests that GitHub still allows in the current hour', labelNames });
}
