const ENDS_BY_ITSELF: readonly string[] = ['no_answer', 'gateway_error', 'server_error', 'rate_limited'];

/** The host could not be asked: connection, time-out, 5xx, rate limit. It says nothing about the pull request. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable';
  constructor(
    readonly host: string,
    /**
     * `no_answer`: nothing came back that can be read. `gateway_error`: a proxy answered, and the host has not seen the request.
     * `server_error`: the host answered this very request with an error of its own. `no_access`: it answers, but refuses the
     * credentials of the service, or hides the repository from it. `another_repository`: the name of the registered repository
     * is that of another one now. `branch_missing`: the target branch does not exist. The messages of these three are shown to callers.
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
    /** When the host said to come back; null when it did not. */
    readonly retryAt: Date | null = null,
  ) {
    super(message);
  }

  /** What came instead of the answer that was asked for, in a sentence; null: nothing did. */
  get refusal(): string | null {
    return this.kind === 'no_answer' ? null : this.message;
  }

  /** Somebody has to mend something before the service can go on there. */
  get isLasting(): boolean {
    return !ENDS_BY_ITSELF.includes(this.kind);
  }
}
