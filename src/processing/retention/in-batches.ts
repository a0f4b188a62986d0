import { setTimeout as pause } from 'node:timers/promises';

/** A process that is told to stop waits for it. */
const MOST_REST_MS = 1_000;

/**
 * Deletes batch after batch until one is not full, or `mayGoOn` says no. After each full one it rests as long as that took, a second at most: a decision
 * that finds the queue locked asks again after a while, and would find it locked again if the next batch followed at once.
 */
export async function deleteInBatches(
  deleteBatch: () => Promise<number>,
  batch: number,
  mayGoOn: () => boolean,
): Promise<void> {
  while (mayGoOn()) {
    const began = performance.now();
    if ((await deleteBatch()) < batch) return;
    await pause(Math.min(performance.now() - began, MOST_REST_MS));
  }
}
