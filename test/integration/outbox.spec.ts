import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { HostUnavailable } from '../../src/domain/code-host.port';
import { TASK_HANDLERS, type TaskHandler } from '../../src/processing/outbox/task';
import { commandsAppended } from '../../src/processing/outbox/append-tasks';
import { OutboxStore } from '../../src/processing/outbox/outbox.store';
import { OutboxWorker } from '../../src/processing/outbox/outbox.worker';
import { writeTogether } from '../../src/platform/database/bulk';
import { QueueScheduler } from '../../src/processing/decisions/queue-scheduler';
import { World } from '../support/world';

const LEASE_MS = 30_000;

describe('the outbox', () => {
  let world: World;
  let others: World[];

  beforeEach(async () => {
    others = [];
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
    await world.createQueue({ requiredStatuses: ['tests'] });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const other of others) await other.close();
    await world.close();
  });

  async function another(): Promise<World> {
    const other = await world.join();
    others.push(other);
    return other;
  }

  /** Counts the service's requests of this kind to the host from now on. */
  function count(call: Parameters<typeof world.memoryHost.faults.beforeNext>[0]): { times: number } {
    const counted = { times: 0 };
    const again = (): void => {
      counted.times += 1;
      world.memoryHost.faults.afterNext(call, again);
    };
    world.memoryHost.faults.afterNext(call, again);
    return counted;
  }

  function unavailable(kind: 'no_answer' | 'server_error' = 'no_answer'): HostUnavailable {
    return new HostUnavailable('memory.example', kind, 'connection refused');
  }

  /** From now on, the host's rules refuse this many removals of a testing branch. */
  function keepBranches(times: number): void {
    const removes = jest.spyOn(world.memoryHost, 'removeTestingBranch');
    for (let nth = 0; nth < times; nth++) removes.mockResolvedValueOnce({ type: 'kept', why: 'not now' });
  }

  const testingBranch = () => [...world.memory.branches.keys()].find((name) => name !== 'main') ?? 'none';

  const tasks = () => world.prisma.outboxTask.findMany({ orderBy: { id: 'asc' } });

  it('gives each task to only one of two workers', async () => {
    const other = await another();
    const pushes = count('pushTestingBranch');
    await world.submit(1);
    await Promise.all([world.app.get(OutboxWorker).drain(), other.app.get(OutboxWorker).drain()]);
    expect(pushes.times).toBe(1);
    expect(await tasks()).toMatchObject([{ type: 'startTestRun', state: 'done', attempts: 1 }]);
  });

  it("gives the task of a dead worker to another worker once the lease is over, and ignores the dead worker's outcome", async () => {
    await world.submit(1);
    const store = world.app.get(OutboxStore);
    const now = world.clock.now();
    const [dead] = await store.claim('dead worker', 8, now, new Date(now.getTime() + LEASE_MS));
    await world.settles();
    expect(await world.stateOf(1)).toBe('pending');
    world.clock.advance(LEASE_MS);
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    expect(await store.settle(dead!, 'dead', null, world.clock.now())).toBe('lease lost');
    expect(await store.renew(dead!, world.clock.now())).toBe(false);
    await expect(store.remember(dead!, {})).rejects.toThrow('lease');
    expect(await tasks()).toMatchObject([{ state: 'done', attempts: 2 }]);
  });

  describe('a worker that was paused for longer than its lease, and then starts a test run that has ended', () => {
    it.each([
      ['learns that when it settles the task', () => undefined, []],
      ['meets an outage after its push', () => Promise.reject(unavailable()), []],
      ['meets a bug of the service after its push', () => Promise.reject(new Error('a bug')), ['a bug']],
    ])('leaves no testing branch if it %s', async (_, thenMeets, errors) => {
      let goOn = (): void => undefined;
      const isTold = new Promise<void>((resolve) => (goOn = resolve));
      let stand = (): void => undefined;
      const stands = new Promise<void>((resolve) => (stand = resolve));
      const push = world.memoryHost.pushTestingBranch.bind(world.memoryHost);
      jest.spyOn(world.memoryHost, 'pushTestingBranch').mockImplementationOnce(async (request) => {
        stand();
        await isTold;
        await push(request);
        await thenMeets();
        return { type: 'pushed' };
      });
      await world.submit(1);
      const late = world.app.get(OutboxWorker).drain();
      await stands;
      world.clock.advance(LEASE_MS);
      await (await another()).settles();
      expect(await world.stateOf(1)).toBe('testing');
      await world.cancel(1);
      await others[0]!.settles();
      expect([...world.memory.branches.keys()]).toEqual(['main']);
      goOn();
      await late;
      expect(await world.settlesWithErrors()).toEqual(errors.map((text) => expect.stringContaining(text) as string));
      expect([...world.memory.branches.keys()]).toEqual(['main']);
      expect(await tasks()).toMatchObject([
        { type: 'startTestRun', state: 'done', attempts: 2 },
        { type: 'stopTestRun', state: 'done', attempts: 2, consumedAt: expect.any(Date) as Date },
      ]);
    });
  });

  it('does not give away a task whose lease is renewed', async () => {
    await world.submit(1);
    const store = world.app.get(OutboxStore);
    const [held] = await store.claim(
      'busy worker',
      8,
      world.clock.now(),
      new Date(world.clock.now().getTime() + LEASE_MS),
    );
    world.clock.advance(LEASE_MS - 1);
    expect(await store.renew(held!, new Date(world.clock.now().getTime() + LEASE_MS))).toBe(true);
    world.clock.advance(LEASE_MS - 1);
    expect(await store.claim('another', 8, world.clock.now(), world.clock.now())).toEqual([]);
  });

  it('carries out the tasks of one subject in order, however often the first task fails', async () => {
    await world.submit(1);
    world.memoryHost.faults.failNext('pushTestingBranch', unavailable());
    await world.settles();
    await world.cancel(1);
    await world.settles();
    expect(await tasks()).toMatchObject([
      { type: 'startTestRun', state: 'waiting' },
      { type: 'stopTestRun', state: 'waiting', attempts: 0 },
    ]);
    await world.advance(1);
    expect((await tasks()).map(({ state }) => state)).toEqual(['done', 'done']);
    expect([...world.memory.branches.keys()]).toEqual(['main']);
  });

  it('does not let one subject wait for another subject', async () => {
    world.memory.openPullRequest(2);
    await world.updateQueue({ concurrency: 2 });
    await world.submit(1);
    await world.settles();
    world.memoryHost.faults.failNext('removeTestingBranch', unavailable());
    await world.cancel(1);
    await world.submit(2);
    await world.settles();
    expect(await world.stateOf(2)).toBe('testing');
    expect((await tasks()).map(({ type, state }) => `${type} ${state}`)).toEqual([
      'startTestRun done',
      'stopTestRun waiting',
      'startTestRun done',
    ]);
  });

  it('deletes a testing branch later if the host refuses the deletion for a while', async () => {
    await world.submit(1);
    await world.settles();
    const branch = testingBranch();
    keepBranches(2);
    await world.cancel(1);
    await world.settles();
    expect((await tasks()).at(-1)).toMatchObject({
      type: 'stopTestRun',
      state: 'waiting',
      lastProblem: `memory.example keeps the branch ${branch}: not now`,
    });
    expect(String((await world.record(1)).waitingFor)).not.toContain('not answered');
    await world.advance(1);
    await world.advance(1);
    expect((await tasks()).at(-1)).toMatchObject({ type: 'stopTestRun', state: 'done', attempts: 3 });
    expect([...world.memory.branches.keys()]).toEqual(['main']);
  });

  it('counts refusals to delete a testing branch, but not earlier outages', async () => {
    await world.submit(1);
    await world.settles();
    world.memoryHost.faults.goDown(unavailable());
    await world.cancel(1);
    for (let minute = 0; minute < 30; minute++) await world.advance(1);
    expect((await tasks()).at(-1)?.attempts).toBeGreaterThan(10);
    world.memoryHost.faults.recover();
    keepBranches(1);
    for (let minute = 0; minute < 6; minute++) await world.advance(1);
    expect((await tasks()).at(-1)).toMatchObject({ type: 'stopTestRun', state: 'done', notes: { refusals: 1 } });
    expect([...world.memory.branches.keys()]).toEqual(['main']);
  });

  it('gives up the deletion of a testing branch after ten refusals of the host, with a log line', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await world.submit(1);
    await world.settles();
    const branch = testingBranch();
    keepBranches(100);
    await world.cancel(1);
    for (let minute = 0; minute < 20; minute++) await world.advance(1);
    expect((await tasks()).at(-1)).toMatchObject({ type: 'stopTestRun', state: 'done', attempts: 10 });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(`memory.example keeps the branch ${branch}: not now.`));
    expect([...world.memory.branches.keys()]).toEqual(['main', branch]);
  });

  it('retries without a limit and with growing waits while the host does not answer, and reports that', async () => {
    await world.submit(1);
    world.memoryHost.faults.goDown(unavailable());
    await world.settles();
    const waits: number[] = [];
    for (let failures = 0; failures < 12; failures++) {
      const [task] = await tasks();
      waits.push((task!.notBefore.getTime() - world.clock.now().getTime()) / 1_000);
      world.clock.advance(task!.notBefore.getTime() - world.clock.now().getTime());
      await world.settles();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect(await tasks()).toMatchObject([{ state: 'waiting', answers: 0, lastProblem: 'connection refused' }]);
    expect(await world.record(1)).toMatchObject({
      state: 'pending',
      waitingFor: expect.stringContaining('memory.example') as string,
    });
    world.memoryHost.faults.recover();
    await world.advance(5);
    expect(await world.stateOf(1)).toBe('testing');
    expect(String((await world.record(1)).waitingFor)).not.toContain('not answered');
  });

  it('gives up a task if the host answers it with errors for ten minutes while other tasks succeed', async () => {
    await world.submit(1);
    const fail = (): void => {
      world.memoryHost.faults.beforeNext('pushTestingBranch', () => {
        fail();
        throw unavailable('server_error');
      });
    };
    fail();
    await world.settles();
    for (let minute = 0; minute < 9; minute++) await world.advance(1);
    expect(await world.stateOf(1)).toBe('pending');
    const errors: string[] = [];
    for (let minute = 0; minute < 30 && errors.length === 0; minute++) {
      world.clock.advance(60_000);
      errors.push(...(await world.settlesWithErrors()));
    }
    expect(errors).toEqual([expect.stringContaining('is given up: connection refused')]);
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_retry_exhausted' });
    expect((await tasks())[0]).toMatchObject({ type: 'startTestRun', state: 'dead' });
  });

  describe('gives up a merge that the host answers with errors', () => {
    /** Lets every attempt fail. `beforeFirst` is the effect that the first attempt nevertheless has at the host. */
    async function giveUpLanding(beforeFirst: () => void): Promise<void> {
      let happen = beforeFirst;
      const fail = (): void => {
        world.memoryHost.faults.beforeNext('land', () => {
          fail();
          happen();
          happen = () => undefined;
          throw unavailable('server_error');
        });
      };
      fail();
      const errors: string[] = [];
      for (let minute = 0; minute < 30 && errors.length === 0; minute++) {
        world.clock.advance(60_000);
        errors.push(...(await world.settlesWithErrors()));
      }
      expect(errors).toEqual([expect.stringContaining('is given up: connection refused')]);
      world.memoryHost.faults.recover();
    }

    beforeEach(async () => {
      world.memory.openPullRequest(2);
      await world.updateQueue({ batch: true, batchingMinSize: 2 });
      await world.submit(1);
      await world.submit(2);
      await world.settles();
      world.memoryHost.faults.beforeNext('land', () => {
        throw unavailable('server_error');
      });
      await world.report(1, 'success');
    });

    it('and fails its first pull request while the target has not moved', async () => {
      await giveUpLanding(() => undefined);
      expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'host_merge_failed' });
    });

    it('and fails no pull request if a part of the merge may have moved the target', async () => {
      await giveUpLanding(() => world.memory.mergeByHand(1));
      await world.looksAtHost();
      await world.settles();
      expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['merged', 'testing']);
    });
  });

  it('gives up a task after twenty attempts if a bug of the service makes it fail, and logs an error', async () => {
    await world.submit(1);
    world.memoryHost.faults.goDown(new Error('a bug'));
    const errors: string[] = [];
    for (let tries = 1; tries < 20; tries++) {
      errors.push(...(await world.settlesWithErrors()));
      const [task] = await tasks();
      expect(task).toMatchObject({ state: 'waiting', answers: tries });
      world.clock.advance(task!.notBefore.getTime() - world.clock.now().getTime());
    }
    expect(errors).toHaveLength(19);
    expect(await world.settlesWithErrors()).toContainEqual(expect.stringContaining('is given up: a bug'));
    expect((await tasks())[0]).toMatchObject({ state: 'dead' });
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_retry_exhausted' });
  });

  it('keeps an outcome if the process dies before the queue has received it', async () => {
    await world.submit(1);
    await world.prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Queue" FOR UPDATE`;
      await world.app.get(OutboxWorker).drain();
    });
    expect(await tasks()).toMatchObject([{ state: 'done', consumedAt: null }]);
    const other = await another();
    await other.settles();
    expect(await other.stateOf(1)).toBe('testing');
  });

  it('delivers each outcome exactly once, with any number of schedulers', async () => {
    const instances = [world, await another(), await another()];
    await world.submit(1);
    await world.app.get(OutboxWorker).drain();
    await Promise.all(instances.map(({ app }) => app.get(QueueScheduler).drain()));
    expect(await world.stateOf(1)).toBe('testing');
    expect(await world.prisma.queueLog.count({ where: { type: 'runPushed' } })).toBe(1);
  });

  it('stores a task only once if it is appended twice', async () => {
    await world.submit(1);
    const [task] = await tasks();
    const command = task!.payload as never;
    const appended = await writeTogether(world.sql, {
      listed: commandsAppended(task!.queueId!, [command], world.clock.now()),
    });
    expect(appended).toEqual({ count: 0, list: [] });
    expect(await tasks()).toHaveLength(1);
  });

  it('has a README that names every handler whose repetition may be visible', () => {
    const readme = readFileSync(join(__dirname, '../../src/processing/outbox/README.md'), 'utf8');
    const section = readme.split('## What repeating a task does')[1]!.split('\n## ')[0]!;
    const named = [...section.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name);
    const handlers = world.app.get<TaskHandler[]>(TASK_HANDLERS);
    const tolerated = handlers.filter((handler) => handler.repeat === 'tolerated');
    expect(named).toEqual(tolerated.map((handler) => handler.constructor.name));
  });
});
