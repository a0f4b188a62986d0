import { chmodSync, existsSync, mkdirSync, readdirSync, writeFile, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { DRAIN_LIMIT_MS } from '../../src/platform/lifecycle/lifecycle';
import { ApiClient } from '../support/api-client';
import { emptyDatabase } from '../support/empty-database';
import { BareRepository } from '../support/bare-repository';
import { EventStream } from './event-stream';
import { Visitor } from './visitor';
import { StartedService } from './stop/started-service';

const REPO = { host: 'local', owner: 'acme', name: 'widgets' };

describe('a service that is stopped', () => {
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  let world: BareRepository;
  let token: string;
  let service: StartedService | undefined;
  let pushMayGoOn: string;
  let pushBegan: string;

  beforeAll(async () => {
    world = BareRepository.create();
    pushMayGoOn = join(world.folder, 'go-on');
    pushBegan = join(world.folder, 'began');
    chmodSync(world.folder, 0o711); // As root, the checks run as another user.
    // A check in namespaces sees only its own folder.
    const test = 'until test -e may-pass; do sleep 0.05; done';
    world.pushTo('main', {
      '.sluice/sluice.yaml': `merge: { required_statuses: [test] }\nci: { test: "${test}" }\n`,
    });
    world.setBranch('release', world.tip('main'));
    for (const number of [1, 2, 3]) world.openPullRequest(number, { [`${number}.txt`]: `${number}\n` });
    // The push of pull request 2 waits until the test lets it continue.
    const wait = `touch ${pushBegan}; until test -e ${pushMayGoOn}; do sleep 0.05; done`;
    mkdirSync(join(world.bare, 'hooks'), { recursive: true });
    const hook = `#!/bin/sh\nread -r _ _ ref\ncase "$ref" in */pr-2/*) ${wait};; esac\n`;
    writeFileSync(join(world.bare, 'hooks/pre-receive'), hook, { mode: 0o755 });
    await emptyDatabase(prisma);
    await createOrganization(prisma, { slug: 'acme' }, new Date());
    token = (await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, new Date())).token;
  });

  afterAll(async () => {
    writeFileSync(pushMayGoOn, '');
    await service?.kill();
    await prisma.$disconnect();
    world.close();
  });

  async function start(more: Readonly<Record<string, string>> = {}): Promise<StartedService> {
    service = await StartedService.start({
      DATABASE_URL: process.env.DATABASE_URL ?? '',
      PORT: '0',
      SLUICE_DATA_DIR: world.dataDirectory,
      SLUICE_HOSTS: JSON.stringify([{ host: 'local', kind: 'git', url: world.urlTemplate, pollSeconds: 1 }]),
      SLUICE_CHECK_RUNNER: 'unconfined',
      SLUICE_STOP_DELAY_SECONDS: '0',
      TMPDIR: world.folder,
      ...more,
    });
    return service;
  }

  const post = (operation: string, more: object) =>
    new ApiClient(service?.url ?? '', token).mustPost(operation, { repo: REPO, targetBranch: 'main', ...more });
  const submit = (number: number, more = {}) => post('submitPullRequest', { pr: { number }, ...more });

  /** Lets all running checks pass. */
  function letChecksPass(): void {
    const folders = readdirSync(world.folder).filter((name) => name.startsWith('sluice-check-'));
    const checkouts = folders.map((name) => join(world.folder, name, 'checkout'));
    for (const checkout of checkouts.filter((path) => existsSync(join(path, '.sluice')))) {
      // The write may fail, because a check that has just ended removes its folder.
      writeFile(join(checkout, 'may-pass'), '', () => undefined);
    }
  }

  async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if (await isSo()) return;
      await after(50);
    }
    throw new Error(`Never: ${what}\n${service?.log()}`);
  }

  const starts = (state: string) => ({ where: { type: 'startTestRun', state } });

  it('finishes its work in progress and claims nothing more; the next service concludes everything', async () => {
    const stopping = await start();
    await post('createQueue', { concurrency: 2 });
    await post('createQueue', { targetBranch: 'release' });
    await submit(1);
    await eventually('1 is tested', async () => (await prisma.checkRun.count({ where: { state: 'running' } })) === 1);
    await submit(2);
    await eventually('the task of 2 is in progress', () => existsSync(pushBegan));
    await eventually('the checks of both run', async () => (await prisma.checkRun.count(HELD)) === 2);
    expect(await stopping.readiness()).toEqual({ status: 200, is: 'ready' });

    const told = Date.now();
    stopping.terminate();
    await eventually('it is not ready', async () => JSON.stringify(await stopping.readiness()) === STOPPING);
    // The stopping process still answers and decides, but leaves the new tasks to the next process.
    await submit(3, { targetBranch: 'release' });
    await eventually('the checks are given back', async () => (await prisma.checkRun.count(CLAIMABLE())) === 2);
    expect(await prisma.outboxTask.count(starts('leased'))).toBe(1);
    writeFileSync(pushMayGoOn, '');
    expect(await stopping.ended).toBe(0);
    expect(Date.now() - told).toBeLessThan(DRAIN_LIMIT_MS);
    expect(await stopping.readiness()).toBe('refused');
    expect(readdirSync(world.folder).filter((name) => name.startsWith('sluice-check-'))).toEqual([]);

    expect(await prisma.outboxTask.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
      { type: 'startTestRun', state: 'done' },
      { type: 'startTestRun', state: 'done', leasedBy: null, attempts: 1 },
      { type: 'startTestRun', state: 'waiting', leasedBy: null, attempts: 0 },
    ]);
    expect(await prisma.checkRun.count(CLAIMABLE())).toBe(2);

    const next = await start();
    await eventually('the checks run', async () => (await prisma.checkRun.count(HELD)) === 2);
    const merged = () => prisma.entry.count({ where: { state: 'merged' } });
    await eventually('all have merged', async () => {
      letChecksPass();
      return (await merged()) === 3;
    });
    expect(world.files(world.tip('main'))).toMatchObject({ '1.txt': '1\n', '2.txt': '2\n' });
    expect(world.files(world.tip('release'))).toMatchObject({ '3.txt': '3\n' });
    next.terminate();
    expect(await next.ended).toBe(0);
  });

  it('says at once that it stops, answers a little longer, and then closes idle connections', async () => {
    await prisma.outboxTask.deleteMany();
    const stopping = await start({ SLUICE_STOP_DELAY_SECONDS: '2', SLUICE_KEEP_ALIVE_SECONDS: '90' });
    const agent = new Agent({ keepAlive: true });
    const ask = (path: string) => askOver(agent, `${stopping.url}${path}`);
    // Two requests at the same time open two connections, and one connection stays idle.
    const [first] = await Promise.all([ask('/healthz'), ask('/healthz')]);
    expect(first).toEqual({ status: 200, connection: 'keep-alive', keepAlive: 'timeout=90' });
    const idle = new Set(Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []));
    expect(idle.size).toBe(2);

    const told = performance.now();
    stopping.terminate();
    await eventually('it is not ready', async () => JSON.stringify(await stopping.readiness()) === STOPPING);
    // A load balancer that has not noticed the stop still sends requests. The service answers these requests, and
    // closes their connections.
    const answers = [await ask('/healthz'), await ask('/v1/token')];
    expect(answers).toEqual([
      { status: 200, connection: 'close', keepAlive: undefined },
      { status: 401, connection: 'close', keepAlive: undefined },
    ]);
    expect(await stopping.ended).toBe(0);
    const took = performance.now() - told;
    expect(took).toBeGreaterThanOrEqual(2_000);
    expect(took).toBeLessThan(30_000);
    agent.destroy();
  });

  it('point 11: stops with 50 open pages as fast as without open pages', async () => {
    await prisma.outboxTask.deleteMany();
    const stopTime = async (pages: number): Promise<number> => {
      const stopping = await start();
      const visitor = new Visitor(stopping.url);
      await visitor.signIn(token);
      const live = `${stopping.url}/ui/live?repo=local/acme/widgets&branch=main`;
      const streams = await Promise.all(Array.from({ length: pages }, () => EventStream.open(live, visitor.cookie())));
      for (const stream of streams) expect(await stream.next()).toMatchObject({ event: 'version' });
      const told = performance.now();
      stopping.terminate();
      for (const stream of streams) {
        expect(await stream.next()).toEqual({ event: 'end', data: 'the service stops' });
        expect(await stream.next()).toBeNull();
      }
      expect(await stopping.ended).toBe(0);
      return performance.now() - told;
    };
    const without = await stopTime(0);
    const withPages = await stopTime(50);
    // Open streams of pages would delay the stop for all of DRAIN_LIMIT_MS.
    expect(withPages - without).toBeLessThan(DRAIN_LIMIT_MS / 2);
  });
});

function askOver(agent: Agent, url: string): Promise<object> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      const { connection, 'keep-alive': keepAlive } = response.headers;
      response.resume().once('end', () => resolve({ status: response.statusCode, connection, keepAlive }));
    });
    request.once('error', reject);
  });
}

const STOPPING = JSON.stringify({ status: 503, is: 'stopping' });
const HELD = { where: { state: 'running', leasedBy: { not: null } } };
const CLAIMABLE = () => ({ where: { state: 'running', leasedBy: null, leaseUntil: { lte: new Date() } } });
