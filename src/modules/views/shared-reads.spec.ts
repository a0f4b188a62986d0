import { SharedReads } from './shared-reads';

/** Reads that the test ends one by one, in the order in which they began. */
class Reads {
  readonly begun: { readonly answer: (text: string) => void; readonly fail: (error: Error) => void }[] = [];

  readonly read = (): Promise<string> =>
    new Promise((answer, fail) => {
      this.begun.push({ answer, fail });
    });
}

/** Waits until all code that awaited an ended read has continued. */
const goOn = () => new Promise((resolve) => setImmediate(resolve));

describe('shared reads', () => {
  let shared: SharedReads<string>;
  let reads: Reads;

  beforeEach(() => {
    shared = new SharedReads();
    reads = new Reads();
  });

  it('give all requests that arrive during a read the result of one next read', async () => {
    const first = shared.read('main', reads.read);
    const others = [shared.read('main', reads.read), shared.read('main', reads.read)];
    expect(reads.begun).toHaveLength(1);
    reads.begun[0]!.answer('before');
    expect(await first).toBe('before');
    await goOn();
    expect(reads.begun).toHaveLength(2);
    const late = shared.read('main', reads.read);
    reads.begun[1]!.answer('after');
    expect(await Promise.all(others)).toEqual(['after', 'after']);
    await goOn();
    reads.begun[2]!.answer('later');
    expect(await late).toBe('later');
  });

  it('begin at once if no read is running', async () => {
    for (const text of ['one', 'two']) {
      const answer = shared.read('main', reads.read);
      reads.begun.at(-1)!.answer(text);
      expect(await answer).toBe(text);
      await goOn();
    }
    expect(reads.begun).toHaveLength(2);
  });

  it('are separate for different requests', () => {
    void shared.read('main', reads.read);
    void shared.read('release', reads.read);
    expect(reads.begun).toHaveLength(2);
  });

  it('fail for their own requests only, and later reads continue', async () => {
    const first = shared.read('main', reads.read);
    const second = shared.read('main', reads.read);
    reads.begun[0]!.fail(new Error('the database is gone'));
    await expect(first).rejects.toThrow('the database is gone');
    await goOn();
    reads.begun[1]!.answer('back');
    expect(await second).toBe('back');
  });
});
