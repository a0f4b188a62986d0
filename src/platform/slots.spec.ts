import { Slots } from './slots';

describe('slots', () => {
  it('limit the work that runs at a time; the rest runs in turn, even after a failure', async () => {
    const slots = new Slots(2);
    const begun: number[] = [];
    const ends: ((how: 'well' | 'badly') => void)[] = [];
    const outcomes = [0, 1, 2, 3].map((number) => {
      const work = () =>
        new Promise<number>((resolve, reject) => {
          begun.push(number);
          ends[number] = (how) => (how === 'well' ? resolve(number) : reject(new Error(`${number} failed`)));
        });
      return slots.run(work).catch((error: Error) => error.message);
    });
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    ends[1]?.('badly');
    expect(await outcomes[1]).toBe('1 failed');
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.('well');
    await outcomes[0];
    expect(begun).toEqual([0, 1, 2, 3]);
    ends[2]?.('well');
    ends[3]?.('well');
    expect(await Promise.all(outcomes)).toEqual([0, '1 failed', 2, 3]);
    expect(await slots.run(() => Promise.resolve('free again'))).toBe('free again');
  });
});
