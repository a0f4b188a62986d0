import { setTimeout as pause } from 'node:timers/promises';

/** A process that stops waits for the end of the rest. */
const MOST_REST_MS = 1_000;

/**
 * Deletes batch after batch until one is not full, or `mayGoOn` returns false. After each full batch it rests as long
 * as the batch took, one second at most. A decision that finds the queue locked tries again after a while: without the
 * rest, it would find the queue locked again.
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
