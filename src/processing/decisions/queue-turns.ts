/**
 * Runs one decision per queue at a time in this process. The row lock alone would be correct, but every waiting
 * decision would hold a database connection, and a busy queue would leave none for the other queues.
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
