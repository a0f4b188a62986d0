import { Logger } from '@nestjs/common';
import { Lifecycle } from './lifecycle';

describe('a graceful stop', () => {
  it('sets isStopping before any work is finished, and waits for all of it', async () => {
    const lifecycle = new Lifecycle();
    const seen: string[] = [];
    expect(lifecycle.isStopping).toBe(false);
    lifecycle.onDrain('first', async () => {
      seen.push(`first, stopping: ${lifecycle.isStopping}`);
      await Promise.resolve();
      seen.push('first done');
    });
    const takeBack = lifecycle.onDrain('second', () => Promise.reject(new Error('never called')));
    takeBack();
    await lifecycle.drain();
    expect(seen).toEqual(['first, stopping: true', 'first done']);
  });

  it('ends in spite of work that is stuck or fails, and names that work', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const lifecycle = new Lifecycle();
    lifecycle.onDrain('the stuck worker', () => new Promise(() => undefined));
    lifecycle.onDrain('the broken worker', () => Promise.reject(new Error('broken')));
    await lifecycle.drain(5);
    expect(warned).toHaveBeenCalledWith('stopping without waiting any longer for: the stuck worker');
    expect(failed).toHaveBeenCalledWith('the broken worker did not stop cleanly', expect.stringContaining('broken'));
    jest.restoreAllMocks();
  });
});
