const ENDS_BY_ITSELF: readonly string[] = ['no_answer', 'gateway_error', 'server_error', 'rate_limited'];

/**
 * The host gave no usable answer, for example because of the connection, a time-out, a 5xx status or a rate limit. Such
 * a failure says nothing about the pull request.
 */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable';
  constructor(
    readonly host: string,
    /**
     * `no_answer`: no readable answer arrived. `gateway_error`: a proxy answered, and the host has not seen the
     * request. `server_error`: the host answered this very request with an error of its own. `no_access`: the host
     * refuses the credentials of the service, or hides the repository from it. `another_repository`: another repository
     * now has the name of the registered one. `branch_missing`: the target branch does not exist. Callers see the
     * messages of the last three.
     */
    readonly kind:
      | 'no_answer'
      | 'gateway_error'
      | 'server_error'
      | 'rate_limited'
      | 'no_access'
      | 'another_repository'
      | 'branch_missing',
    message: string,
    /** When to ask again, according to the host; null if the host did not say. */
    readonly retryAt: Date | null = null,
  ) {
    super(message);
  }

  /** A sentence about the answer that arrived instead of the expected answer; null if no answer arrived. */
  get refusal(): string | null {
    return this.kind === 'no_answer' ? null : this.message;
  }

  /** Whether somebody has to fix something before the service can continue with this host or repository. */
  get isLasting(): boolean {
    return !ENDS_BY_ITSELF.includes(this.kind);
  }
}
