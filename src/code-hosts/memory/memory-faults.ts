import type { CodeHost, HostPeople, PullRequestConversation } from '../../domain/code-host.port';

type RequestsOf<Port> = {
  [Name in keyof Required<Port>]: Required<Port>[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Port];

/** The requests of the port. */
export type HostCall = RequestsOf<CodeHost> | RequestsOf<PullRequestConversation> | RequestsOf<HostPeople>;

type When = 'before' | 'after';

interface Surprise {
  readonly call: HostCall;
  readonly when: When;
  readonly happen: () => void;
}

/** What goes wrong, or happens at a bad moment, at the next requests of one kind. */
export class MemoryFaults {
  private readonly surprises: Surprise[] = [];
  private outage: Error | null = null;

  /** The next such request fails; nothing has happened at the host. */
  failNext(call: HostCall, error: Error): void {
    this.beforeNext(call, () => {
      throw error;
    });
  }

  /** The next such request takes effect, but its answer is lost. */
  loseAnswerOfNext(call: HostCall, error: Error): void {
    this.afterNext(call, () => {
      throw error;
    });
  }

  /** Something else happens at the host directly before the next such request takes effect. */
  beforeNext(call: HostCall, happen: () => void): void {
    this.surprises.push({ call, when: 'before', happen });
  }

  afterNext(call: HostCall, happen: () => void): void {
    this.surprises.push({ call, when: 'after', happen });
  }

  /** Every request fails with the error until `recover`. */
  goDown(error: Error): void {
    this.outage = error;
  }

  recover(): void {
    this.outage = null;
  }

  /** Runs a request with what was planned for it. */
  async around<T>(call: HostCall, request: () => T): Promise<T> {
    await Promise.resolve();
    if (this.outage !== null) throw this.outage;
    this.meet(call, 'before');
    const answer = request();
    this.meet(call, 'after');
    return answer;
  }

  /** One surprise per request and moment, in the order they were planned. */
  private meet(call: HostCall, when: When): void {
    const at = this.surprises.findIndex((surprise) => surprise.call === call && surprise.when === when);
    if (at !== -1) this.surprises.splice(at, 1)[0]?.happen();
  }
}
