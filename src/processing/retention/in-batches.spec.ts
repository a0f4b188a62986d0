import { setTimeout as pause } from 'node:timers/promises';
import { deleteInBatches } from './in-batches';

const BATCH_MS = 20;

describe('deleting in batches', () => {
  const always = () => true;

  it('pauses after each full batch for as long as the batch took', async () => {
    const began: number[] = [];
    const ended: number[] = [];
    const left = [10, 10, 3];
    const deleteBatch = async () => {
      began.push(performance.now());
      await pause(BATCH_MS);
      ended.push(performance.now());
      return left.shift()!;
    };
    await deleteInBatches(deleteBatch, 10, always);
    expect(left).toEqual([]);
    const rests = began.slice(1).map((at, nth) => at - ended[nth]!);
    // Timers may fire a millisecond early.
    for (const rest of rests) expect(rest).toBeGreaterThan(BATCH_MS - 2);
  });

  it('continues until it is told to stop', async () => {
    let batches = 0;
    const deleteBatch = () => {
      batches += 1;
      return Promise.resolve(10);
    };
    await deleteInBatches(deleteBatch, 10, () => batches < 3);
    expect(batches).toBe(3);
  });

  it('throws the error of a batch', async () => {
    await expect(deleteInBatches(() => Promise.reject(new Error('no')), 10, always)).rejects.toThrow('no');
  });
});
