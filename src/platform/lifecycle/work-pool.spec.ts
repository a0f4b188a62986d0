import { WorkPool } from './work-pool';

describe('WorkPool', () => {
  const errors: string[] = [];
  afterEach(() => expect(errors).toEqual([]));

  it('carries out all due work, never more items at once than its width', async () => {
    const due = [1, 2, 3, 4, 5, 6, 7];
    const done: number[] = [];
    let inProgress = 0;
    let most = 0;
    const pool = new WorkPool<number>({
      report: (message) => errors.push(message),
      width: 3,
      claim: (free) => Promise.resolve(due.splice(0, free)),
      carryOut: async (item) => {
        most = Math.max(most, ++inProgress);
        await Promise.resolve();
        inProgress--;
        done.push(item);
      },
    });
    await pool.idle();
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('claims again when it is woken during a claim', async () => {
    const due: string[] = [];
    const done: string[] = [];
    let claims = 0;
    const pool = new WorkPool<string>({
      report: (message) => errors.push(message),
      width: 1,
      claim: (free) => {
        if (++claims === 1) {
          pool.wake();
          queueMicrotask(() => due.push('late'));
          return Promise.resolve([]);
        }
        return Promise.resolve(due.splice(0, free));
      },
      carryOut: (item) => Promise.resolve(void done.push(item)),
    });
    await pool.idle();
    expect(done).toEqual(['late']);
  });

  it('claims nothing more once it is told to finish, and waits for work in progress', async () => {
    const due = ['first', 'second'];
    const done: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const pool = new WorkPool<string>({
      report: (message) => errors.push(message),
      width: 1,
      claim: (free) => Promise.resolve(due.splice(0, free)),
      carryOut: async (item) => {
        await held;
        done.push(item);
      },
    });
    pool.wake();
    await new Promise(setImmediate);
    const finished = pool.finish();
    release();
    await finished;
    expect(done).toEqual(['first']);
    expect(due).toEqual(['second']);
  });

  describe('with independent items', () => {
    const done: string[] = [];
    let due: string[];
    let claims: number;
    let release: () => void;
    let pool: WorkPool<string>;

    beforeEach(() => {
      done.length = 0;
      due = [];
      claims = 0;
      const held = new Promise<void>((resolve) => (release = resolve));
      pool = new WorkPool<string>({
        report: (message) => errors.push(message),
        width: 2,
        claim: (free) => {
          claims++;
          return Promise.resolve(due.splice(0, free));
        },
        carryOut: async (item) => {
          await held;
          done.push(item);
        },
        areIndependent: true,
      });
    });

    async function ends(): Promise<void> {
      release();
      await new Promise(setImmediate);
    }

    it('carries out an offered item without a claim, and claims nothing when the item ends', async () => {
      pool.offer('first');
      await ends();
      expect({ done, claims }).toEqual({ done: ['first'], claims: 0 });
    });

    it('claims an offered item that did not fit, when an item in progress ends', async () => {
      for (const item of ['first', 'second']) pool.offer(item);
      due = ['third'];
      pool.offer('third');
      await ends();
      expect(done).toEqual(['first', 'second', 'third']);
    });

    it('claims again at the end of an item when a claim filled all slots', async () => {
      due = ['first', 'second', 'third'];
      pool.wake();
      await new Promise(setImmediate);
      await ends();
      expect(done).toEqual(['first', 'second', 'third']);
    });

    it('accepts no item once it is told to finish', async () => {
      await pool.finish();
      pool.offer('late');
      await ends();
      expect(done).toEqual([]);
    });
  });

  describe('slots that are reserved for items in preparation', () => {
    const claims: number[] = [];
    const done: string[] = [];
    let pool: WorkPool<string>;
    let release: () => void;

    beforeEach(() => {
      claims.length = 0;
      done.length = 0;
      const held = new Promise<void>((resolve) => (release = resolve));
      pool = new WorkPool<string>({
        report: (message) => errors.push(message),
        width: 3,
        areIndependent: true,
        claim: (free) => Promise.resolve(claims.push(free)).then(() => []),
        carryOut: async (item) => {
          await held;
          done.push(item);
        },
      });
    });

    it('are excluded from claims, and never exceed the free slots', async () => {
      const reservation = pool.reserve();
      expect([reservation.keep(2), pool.reserve().keep(2), reservation.keep(1)]).toEqual([2, 1, 0]);
      pool.wake();
      reservation.end();
      pool.wake();
      await Promise.resolve();
      release();
      expect(claims).toEqual([2]);
    });

    it('are free again at the end of the reservation, and work that arrived meanwhile is claimed', async () => {
      const reservation = pool.reserve();
      reservation.keep(3);
      pool.offer('another');
      reservation.carryOut(['made']);
      release();
      reservation.end();
      await pool.idle();
      expect(done).toEqual(['made']);
      expect(claims[0]).toBe(2);
    });

    it('delay the end of the pool, which reserves no further slots', async () => {
      const reservation = pool.reserve();
      reservation.keep(1);
      let isFinished = false;
      const finished = pool.finish().then(() => (isFinished = true));
      expect(pool.reserve().keep(1)).toBe(0);
      await new Promise(setImmediate);
      expect(isFinished).toBe(false);
      reservation.carryOut(['made']);
      reservation.end();
      release();
      await finished;
      expect(done).toEqual(['made']);
    });
  });
});
