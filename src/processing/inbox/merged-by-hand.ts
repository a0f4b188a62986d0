import type { CodeHost, HostRepository } from '../../domain/code-host.port';

/** A queue, with the tip of its target and the pull requests that wait in it. */
export interface ComparedQueue {
  readonly queueId: string;
  readonly tip: string;
  readonly waiting: readonly { readonly number: number; readonly head: string }[];
}

/**
 * Finds the pull requests that the target contains although the queue did not merge them, on hosts that do not tell. Every
 * tip is compared once. What submits or pushes later reads the state of its own pull request.
 */
export class MergedByHand {
  /** By queue: the tip that was compared last. After a start, it is compared again. */
  private readonly compared = new Map<string, string>();

  async find(host: CodeHost, repository: HostRepository, { queueId, tip, waiting }: ComparedQueue): Promise<number[]> {
    if (host.findContained === undefined || this.compared.get(queueId) === tip || waiting.length === 0) return [];
    const heads = waiting.map(({ head }) => head);
    const contained = new Set(await host.findContained(repository, tip, heads));
    return waiting.filter(({ head }) => contained.has(head)).map(({ number }) => number);
  }

  /** Call this once what was found is stored. */
  noteCompared({ queueId, tip }: ComparedQueue): void {
    this.compared.set(queueId, tip);
  }
}
