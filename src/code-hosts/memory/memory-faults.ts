import type { CodeHost, HostPeople, PullRequestConversation } from '../../domain/code-host.port';

type RequestsOf<Port> = {
  [Name in keyof Required<Port>]: Required<Port>[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Port];

/** The names of the methods of a code host, of its conversation and of its people. */
export type HostCall = RequestsOf<CodeHost> | RequestsOf<PullRequestConversation> | RequestsOf<HostPeople>;

type When = 'before' | 'after';

interface PlannedFault {
  readonly call: HostCall;
  readonly when: When;
  readonly happen: () => void;
}

/**
 * Faults that tests plan for the next request of a kind: errors, lost answers, and changes at an unfortunate moment.
 */
export class MemoryFaults {
  private readonly planned: PlannedFault[] = [];
  private outage: Error | null = null;

  /** The next request of this kind fails without an effect at the host. */
  failNext(call: HostCall, error: Error): void {
    this.beforeNext(call, () => {
      throw error;
    });
  }

  /** The next request of this kind takes effect, but fails with the error. */
  loseAnswerOfNext(call: HostCall, error: Error): void {
    this.afterNext(call, () => {
      throw error;
    });
  }

  /** Calls `happen` directly before the next request of this kind takes effect. */
  beforeNext(call: HostCall, happen: () => void): void {
    this.planned.push({ call, when: 'before', happen });
  }

  afterNext(call: HostCall, happen: () => void): void {
    this.planned.push({ call, when: 'after', happen });
  }

  /** Every request fails with the error until `recover`. */
  goDown(error: Error): void {
    this.outage = error;
  }

  recover(): void {
    this.outage = null;
  }

  /** Runs a request with its planned faults. */
  async around<T>(call: HostCall, request: () => T): Promise<T> {
    await Promise.resolve();
    if (this.outage !== null) throw this.outage;
    this.runPlanned(call, 'before');
    const answer = request();
    this.runPlanned(call, 'after');
    return answer;
  }

  /** Runs the first fault that is planned for the request and moment, if there is one. */
  private runPlanned(call: HostCall, when: When): void {
    const at = this.planned.findIndex((fault) => fault.call === call && fault.when === when);
    if (at !== -1) this.planned.splice(at, 1)[0]?.happen();
  }
}
