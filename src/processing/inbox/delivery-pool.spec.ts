import { DeliveryPool } from './delivery-pool';
import type { Delivery, DeliveryChunk } from './inbox.store';

describe('DeliveryPool', () => {
  const errors: string[] = [];
  const due: DeliveryChunk[] = [];
  const done: string[] = [];
  let claims: string[][];
  let pool: DeliveryPool;
  let release: () => void;

  const delivery = (id: number): Delivery => ({ id: BigInt(id), attempts: 1, event: {} as Delivery['event'] });
  const turns = async (): Promise<void> => {
    for (let nth = 0; nth < 5; nth++) await new Promise(setImmediate);
  };

  beforeEach(() => {
    for (const list of [errors, due, done]) list.length = 0;
    claims = [];
    const held = new Promise<void>((resolve) => (release = resolve));
    pool = new DeliveryPool({
      width: 2,
      claim: (_, except) => {
        claims.push([...except]);
        return Promise.resolve(due.splice(0));
      },
      process: async ({ repositoryId, deliveries }) => {
        await held;
        done.push(`${repositoryId} ${deliveries.map(({ id }) => id).join()}`);
      },
      report: (message) => errors.push(message),
    });
  });
  afterEach(() => expect(errors).toEqual([]));

  it('processes a prefetched delivery without a claim', async () => {
    const prefetched = pool.prefetch('a')!;
    prefetched.process(delivery(1));
    prefetched.end();
    release();
    await turns();
    expect([done, claims]).toEqual([['a 1'], []]);
  });

  it('prefetches no second delivery of a repository, and claims the second at the end of the first', async () => {
    const prefetched = pool.prefetch('a')!;
    prefetched.process(delivery(1));
    prefetched.end();
    expect(pool.prefetch('a')).toBeNull();
    due.push({ repositoryId: 'a', deliveries: [delivery(2)] });
    pool.wake('a');
    await turns();
    expect(claims).toEqual([]);
    release();
    await pool.idle();
    expect(done).toEqual(['a 1', 'a 2']);
  });

  it('prefetches at most as many deliveries as it has slots', () => {
    const prefetched = ['a', 'b', 'c'].map((name) => pool.prefetch(name));
    expect(prefetched.map((one) => one !== null)).toEqual([true, true, false]);
    prefetched[0]!.end();
    expect(pool.prefetch('c')).not.toBeNull();
  });

  it('releases an unused prefetch, and claims deliveries that arrived meanwhile', async () => {
    const prefetched = pool.prefetch('a')!;
    pool.wake('a');
    release();
    expect(claims).toEqual([]);
    prefetched.end();
    await turns();
    expect(claims).toEqual([[]]);
    expect(pool.prefetch('a')).not.toBeNull();
  });

  it('claims again after each claimed chunk, because more deliveries may be due', async () => {
    due.push({ repositoryId: 'a', deliveries: [delivery(1)] });
    release();
    await pool.idle();
    expect(claims).toHaveLength(2);
  });
});
