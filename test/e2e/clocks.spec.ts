import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { ApiClient } from '../support/api-client';
import { BareRepository } from '../support/bare-repository';
import { emptyDatabase } from '../support/empty-database';
import { StartedService } from './stop/started-service';

const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const HOUR_MS = 3_600_000;

describe('two processes on machines whose clocks differ by an hour', () => {
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  const world = BareRepository.create();
  const pushMayGoOn = join(world.folder, 'go-on');
  const pushBegan = join(world.folder, 'began');
  const services: StartedService[] = [];

  afterAll(async () => {
    writeFileSync(pushMayGoOn, '');
    await Promise.all(services.map((service) => service.kill()));
    await prisma.$disconnect();
    world.close();
  });

  async function start(aheadMs: number): Promise<StartedService> {
    const service = await StartedService.start({
      DATABASE_URL: process.env.DATABASE_URL ?? '',
      PORT: '0',
      TEST_CLOCK_AHEAD_MS: String(aheadMs),
      SLUICE_DATA_DIR: world.dataDirectory,
      SLUICE_HOSTS: JSON.stringify([{ host: 'local', kind: 'git', url: world.urlTemplate, pollSeconds: 1 }]),
    });
    services.push(service);
    return service;
  }

  async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if (await isSo()) return;
      await after(50);
    }
    throw new Error(`Never: ${what}\n${services.map(({ log }) => log()).join('\n')}`);
  }

  it("do not take over each other's work, and use the clock of the database", async () => {
    await emptyDatabase(prisma);
    const now = new Date();
    await createOrganization(prisma, { slug: 'acme' }, now);
    const { token } = await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, now);
    world.setBranch('release', world.tip('main'));
    for (const number of [1, 2]) world.openPullRequest(number, { [`${number}.txt`]: `${number}\n` });
    const wait = `touch ${pushBegan}; until test -e ${pushMayGoOn}; do sleep 0.05; done`;
    mkdirSync(join(world.bare, 'hooks'), { recursive: true });
    const hook = `#!/bin/sh\nread -r _ _ ref\ncase "$ref" in */pr-1/*) ${wait};; esac\n`;
    writeFileSync(join(world.bare, 'hooks/pre-receive'), hook, { mode: 0o755 });

    const right = await start(0);
    const post = (service: StartedService, operation: string, more: object) =>
      new ApiClient(service.url, token).mustPost<{ state: string }>(operation, { repo: REPO, ...more });
    for (const targetBranch of ['main', 'release']) {
      await post(right, 'createQueue', { targetBranch, requiredStatuses: ['test'] });
    }
    await post(right, 'submitPullRequest', { targetBranch: 'main', pr: { number: 1 } });
    await eventually('the task of 1 is in progress', () => existsSync(pushBegan));

    const wrong = await start(HOUR_MS);
    expect(wrong.log()).toMatch(/The clock of this machine is (3600|3599) s ahead of the database clock/);
    // This process finishes its task in progress, but claims no other. So the other process looks for tasks, and takes
    // the second task.
    right.terminate();
    const second = { targetBranch: 'release', pr: { number: 2 } };
    await post(wrong, 'submitPullRequest', second);
    await eventually(
      'the other one tests 2',
      async () => (await post(wrong, 'getSubmittedPullRequest', second)).state === 'testing',
    );
    expect(await prisma.outboxTask.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
      { type: 'startTestRun', state: 'leased', attempts: 1 },
      { type: 'startTestRun', state: 'done', attempts: 1 },
    ]);
    const entries = await prisma.entry.findMany({ select: { stateChangedAt: true } });
    for (const { stateChangedAt } of entries)
      expect(Math.abs(stateChangedAt.getTime() - Date.now())).toBeLessThan(HOUR_MS / 2);
  });
});
