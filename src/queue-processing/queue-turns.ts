/**
 * One decision at a time per queue within this process. The row's lock alone would be enough for correctness, but each
 * of those who wait for it would hold a connection, and a busy queue would starve all others of them.
 */
export class QueueTurns {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<Result>(queueId: string, turn: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(queueId) ?? Promise.resolve();
    const mine = before.then(turn, turn);
    const settled = mine.catch(() => undefined);
    this.last.set(queueId, settled);
    try {
      return await mine;
    } finally {
      if (this.last.get(queueId) === settled) this.last.delete(queueId);
    }
  }
}
