import { Registry } from 'prom-client';
import { HealthProbes } from '../health/health-probes';
import { Background } from '../lifecycle/background';
import { Lifecycle } from '../lifecycle/lifecycle';
import { Wakeups } from '../wakeups/wakeups';
import { MetricSources } from '../metrics/metric-sources';
import { type Claim, type DurableWork, type DurableWorker, DurableWorkers } from './durable-worker';
import { WorkerPlaces } from './worker-places';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const turnOfLoop = () => new Promise(setImmediate);

describe('DurableWorker', () => {
  let due: string[];
  let claims: Claim[];
  let done: string[];
  let reports: unknown[];
  const wakeups = new Wakeups();

  beforeEach(() => ([due, claims, done, reports] = [[], [], [], []]));
  afterEach(() => jest.useRealTimers());

  function workersOf(work: 'on' | 'off') {
    const [lifecycle, probes] = [new Lifecycle(), new HealthProbes()];
    const sources = new MetricSources(undefined as never);
    const beats: (() => object)[] = [];
    const places = new WorkerPlaces(sources, { tellAtEachBeat: (facts: () => object) => beats.push(facts) } as never);
    places.onModuleInit();
    const background = new Background(work);
    const workers = new DurableWorkers({ now: () => NOW }, wakeups, background, lifecycle, probes, places);
    return { workers, lifecycle, probes, sources, factsOfBeat: () => beats.map((facts) => facts()) };
  }

  const workOf = (more: Partial<DurableWork<string>> = {}): DurableWork<string> => ({
    width: 2,
    leaseMs: 30_000,
    claim: (free, claim) => {
      claims.push(claim);
      return Promise.resolve(due.splice(0, free));
    },
    describe: (item) => item,
    carryOut: (item) => Promise.resolve(void done.push(item)),
    report: (...report) => reports.push(report),
    ...more,
  });

  it('claims under its own name, with a lease that begins at the time of the claim', async () => {
    const { workers } = workersOf('on');
    const [one, other] = [workers.create(workOf()), workers.create(workOf())];
    await one.drain();
    await other.drain();
    expect(claims).toMatchObject([1, 2].map(() => ({ now: NOW, leaseUntil: after(30_000) })));
    expect(claims.map(({ leasedBy }) => leasedBy)).toEqual([one.lease().leasedBy, other.lease().leasedBy]);
    expect(one.lease().leasedBy).not.toBe(other.lease().leasedBy);
  });

  it('retries a piece of work after the backoff, and not before the earliest time', () => {
    const worker = workersOf('on').workers.create(workOf());
    expect([1, 2, 3].map((failures) => worker.retryAt(failures))).toEqual([1_000, 2_000, 4_000].map(after));
    expect(worker.retryAt(1, after(60_000))).toEqual(after(60_000));
    expect(worker.retryAt(7, after(60_000))).toEqual(after(64_000));
  });

  describe('where background jobs are off', () => {
    let worker: DurableWorker<string>;

    beforeEach(() => {
      due = ['claimed'];
      worker = workersOf('off').workers.create(workOf());
    });

    it('claims nothing, and accepts no offered piece of work', async () => {
      worker.wake();
      worker.offer('offered');
      await turnOfLoop();
      expect([claims, done]).toEqual([[], []]);
    });

    it('carries out due pieces in `drain`, also a piece that another piece made due', async () => {
      const { workers } = workersOf('off');
      const chained = workers.create(
        workOf({
          areIndependent: true,
          carryOut: (item) => {
            done.push(item);
            if (item === 'claimed') due.push('next');
            if (item === 'claimed') chained.claimMore();
            return Promise.resolve();
          },
        }),
      );
      await chained.drain();
      expect(done).toEqual(['claimed', 'next']);
    });
  });

  it('shows in /metrics and in the list of processes for how long a place has been held', async () => {
    jest.useFakeTimers();
    const { workers, sources, factsOfBeat } = workersOf('on');
    let end: () => void = () => undefined;
    const worker = workers.create(workOf({ carryOut: () => new Promise((resolve) => (end = resolve)) }));
    workers.start('letters', { topic: 'webhooks', wake: () => worker.wake(), pools: [worker] });
    due = ['stuck'];
    const drained = worker.drain();
    await jest.advanceTimersByTimeAsync(60 * 60_000);
    expect(factsOfBeat()).toEqual([{ heldWorkers: [] }]);
    await jest.advanceTimersByTimeAsync(1_000);
    const held = { worker: 'letters', held: 1, places: 2, longestSeconds: 3601 };
    expect(factsOfBeat()).toEqual([{ heldWorkers: [held] }]);
    const text = await Registry.merge([...(await sources.read())]).metrics();
    expect(text).toContain('sluice_worker_places{worker="letters"} 2');
    expect(text).toContain('sluice_worker_places_held{worker="letters"} 1');
    expect(text).toContain('sluice_worker_longest_held_seconds{worker="letters"} 3601');
    end();
    await drained;
    expect(factsOfBeat()).toEqual([{ heldWorkers: [] }]);
  });

  describe('with a piece that outlasts its lease', () => {
    let end: () => void;
    let renewals: (readonly [item: string, leaseUntil: Date])[];

    function begin(renewed: () => Promise<unknown>): Promise<void> {
      jest.useFakeTimers();
      renewals = [];
      const held = new Promise<void>((resolve) => (end = resolve));
      const worker = workersOf('on').workers.create(
        workOf({
          carryOut: () => held,
          renew: (item, leaseUntil) => {
            renewals.push([item, leaseUntil]);
            return renewed();
          },
        }),
      );
      due = ['slow'];
      return worker.drain();
    }

    it('renews the lease three times per lease, until the piece ends', async () => {
      const drained = begin(() => Promise.resolve());
      await jest.advanceTimersByTimeAsync(30_000);
      expect(renewals).toEqual([1, 2, 3].map(() => ['slow', after(30_000)]));
      end();
      await drained;
      await jest.advanceTimersByTimeAsync(30_000);
      expect(renewals).toHaveLength(3);
    });

    it('reports a renewal that failed as a warning, and continues', async () => {
      const drained = begin(() => Promise.reject(new Error('away')));
      await jest.advanceTimersByTimeAsync(10_000);
      expect(reports).toEqual([['A lease was not renewed', new Error('away'), 'warn']]);
      end();
      await drained;
    });

    it('stops renewing when the piece fails, and reports the failure', async () => {
      jest.useFakeTimers();
      const renew = jest.fn(() => Promise.resolve());
      const worker = workersOf('on').workers.create(
        workOf({ renew, carryOut: () => Promise.reject(new Error('broken')) }),
      );
      due = ['one'];
      await worker.drain();
      await jest.advanceTimersByTimeAsync(30_000);
      expect([renew.mock.calls, reports]).toEqual([[], [['A piece of work failed', new Error('broken')]]]);
    });
  });

  describe('that is started', () => {
    it('is woken by its topic, with the id of the due item', () => {
      const ids: (string | undefined)[] = [];
      const { workers } = workersOf('on');
      workers.start('one', { topic: 'queues', wake: (id) => ids.push(id), pools: [] });
      wakeups.wake('queues', 'queue-1');
      wakeups.wake('queues');
      wakeups.wake('outbox');
      expect(ids).toEqual(['queue-1', undefined]);
    });

    it('finishes its work in progress before a stop ends, and claims nothing more', async () => {
      const { workers, lifecycle } = workersOf('on');
      let end = (): void => undefined;
      const held = new Promise<void>((resolve) => (end = resolve));
      const worker = workers.create(workOf({ carryOut: (item) => held.then(() => void done.push(item)) }));
      workers.start('one', { topic: 'inbox', wake: () => worker.wake(), pools: [worker] });
      due = ['first'];
      worker.wake();
      await turnOfLoop();
      const stopped = lifecycle.drain();
      due = ['second'];
      worker.wake();
      end();
      await stopped;
      expect([done, due]).toEqual([['first'], ['second']]);
    });

    it('is not ready when one of its pools has a problem', async () => {
      const { workers, probes } = workersOf('on');
      const finish = (): Promise<void> => Promise.resolve();
      const places = () => ({ width: 1, held: 0, longestHeldMs: 0 });
      const sick = { finish, places, health: () => ({ problem: 'has not looked for work for 31 s' }) };
      workers.start('one', { topic: 'inbox', wake: jest.fn(), pools: [workers.create(workOf()), sick] });
      workers.start('without health', { topic: 'inbox', wake: jest.fn(), pools: [{ finish, places }] });
      expect(await probes.check()).toEqual({ one: { problem: 'has not looked for work for 31 s' } });
    });

    it('has no readiness probe if background jobs are off', async () => {
      const { workers, probes } = workersOf('off');
      workers.start('one', { topic: 'inbox', wake: jest.fn(), pools: [workers.create(workOf())] });
      expect(await probes.check()).toEqual({});
    });
  });
});
