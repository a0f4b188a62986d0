import { QueueTurns } from './queue-turns';

describe('the turns of a queue', () => {
  it('come one after another, also after a failed turn', async () => {
    const turns = new QueueTurns();
    const seen: string[] = [];
    const turn = (name: string, end: 'succeeds' | 'fails') => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (end === 'fails') throw new Error(name);
      return name;
    };
    const first = turns.take('queue', turn('first', 'fails'));
    const second = turns.take('queue', turn('second', 'succeeds'));
    await expect(first).rejects.toThrow('first');
    await expect(second).resolves.toBe('second');
    expect(seen).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('do not wait for the turns of other queues', async () => {
    const turns = new QueueTurns();
    let release = (): void => undefined;
    const held = turns.take('one', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(turns.take('other', () => Promise.resolve('decided'))).resolves.toBe('decided');
    release();
    await held;
  });
});
