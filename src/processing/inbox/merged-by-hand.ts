import type { CodeHost, HostRepository } from '../../domain/code-host.port';

/** A queue, the tip of its target, and the pull requests that wait in it. */
export interface ComparedQueue {
  readonly queueId: string;
  readonly tip: string;
  readonly waiting: readonly { readonly number: number; readonly head: string }[];
}

/**
 * Finds pull requests that are in the target although the queue did not merge them, on hosts that do not report such
 * merges. Each tip is compared once, because a later submission or push reads the state of its own pull request.
 */
export class MergedByHand {
  /** The tip that was compared last, by queue. After a start of the service, tips are compared again. */
  private readonly compared = new Map<string, string>();

  async find(host: CodeHost, repository: HostRepository, { queueId, tip, waiting }: ComparedQueue): Promise<number[]> {
    if (host.findContained === undefined || this.compared.get(queueId) === tip || waiting.length === 0) return [];
    const heads = waiting.map(({ head }) => head);
    const contained = new Set(await host.findContained(repository, tip, heads));
    return waiting.filter(({ head }) => contained.has(head)).map(({ number }) => number);
  }

  /** Notes that the tip was compared. Call this once the result of the comparison is stored. */
  noteCompared({ queueId, tip }: ComparedQueue): void {
    this.compared.set(queueId, tip);
  }
}
