import { setTimeout as pause } from 'node:timers/promises';

/**
 * Deletes batch after batch until one is not full, or `mayGoOn` says no. After each full one it rests for as long as that took: a decision
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
    await pause(performance.now() - began);
  }
}
