import { setTimeout as pause } from 'node:timers/promises';

/** The longest rest. A process that stops has to wait for the end of a rest. */
const MOST_REST_MS = 1_000;

/**
 * Deletes batch after batch until a batch is not full, or `mayGoOn` returns false. After each full batch, it rests as
 * long as the batch took, but at most one second. A decision that finds its queue locked tries again after a while, and
 * without the rests it would find the queue locked again.
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
