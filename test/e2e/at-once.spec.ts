import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module';
import { configureMergeQueue } from '../../src/create-merge-queue';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { emptyDatabase } from '../support/empty-database';
import { BareRepository } from '../support/bare-repository';
import { RecordingLogger } from '../support/recording-logger';
import { Client } from './client';

const QUEUE = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };

/** The deployed service with its workers, but without its timers: only signals start work. */
describe('A service without timers', () => {
  let git: BareRepository;
  let app: NestExpressApplication;
  let client: Client;

  beforeAll(async () => {
    git = BareRepository.create();
    git.openPullRequest(1, { 'one.txt': '1\n' });
    const environment = readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' });
    const host = { host: 'local', kind: 'git', url: git.urlTemplate, pollSeconds: 5, settings: {} };
    const config = new Config({ ...environment, hosts: [host], dataDirectory: git.dataDirectory });
    const module = await Test.createTestingModule({ imports: [AppModule.with(config)] })
      .setLogger(new RecordingLogger())
      .compile();
    app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
    configureMergeQueue(app, config);
    await app.listen(0, '127.0.0.1');
    const ticks = app.get(SchedulerRegistry);
    for (const name of ticks.getIntervals()) ticks.deleteInterval(name);
    expect(ticks.getIntervals()).toEqual([]);
    const prisma = app.get(PrismaService);
    await emptyDatabase(prisma);
    await createOrganization(prisma, { slug: 'acme' }, new Date());
    const { token } = await createToken(prisma, { organizationSlug: 'acme', name: 'ci', role: 'admin' }, new Date());
    client = new Client(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`, token);
  });

  afterAll(async () => {
    await app.close();
    git.close();
  });

  /**
   * Polls until the pull request has this state, failed or was cancelled. Returns its state. The test's own time limit
   * ends the wait.
   */
  async function reaches(state: string): Promise<string> {
    for (;;) {
      const { body } = await client.post('getSubmittedPullRequest', { ...QUEUE, pr: { number: 1 } });
      if ([state, 'failed', 'cancelled'].includes(body.state)) return body.state;
    }
  }

  it('tests a pull request at once when it is submitted, and merges it at once when its status arrives', async () => {
    await client.post('createQueue', { ...QUEUE, requiredStatuses: ['ci'] });
    await client.post('submitPullRequest', { ...QUEUE, pr: { number: 1 } });
    expect(await reaches('testing')).toBe('testing');
    const details = await client.post('getMergeQueueTestingDetails', { ...QUEUE, pr: { number: 1 } });
    const sha = details.body.testBranchSha;
    const reported = { repo: QUEUE.repo, sha, context: 'ci', state: 'success' };
    expect((await client.post('reportStatus', reported)).status).toBe(200);
    expect(await reaches('merged')).toBe('merged');
    expect(git.tip('main')).toBe(sha);
  });

  it('begins a new attempt if a new head is submitted before the queue received the first submission or the push', async () => {
    const pullRequest = { ...QUEUE, pr: { number: 2 } };
    const first = git.openPullRequest(2, { 'two.txt': '2\n' });
    expect((await client.post('submitPullRequest', pullRequest)).body.prSha).toBe(first);
    const second = git.openPullRequest(2, { 'two.txt': 'two\n' });
    const { body } = await client.post('submitPullRequest', { ...pullRequest, includeTimeline: true });
    expect([body.prSha, body.isCurrentlySubmittedToQueue]).toEqual([second, true]);
    const record = await client.post('getSubmittedPullRequest', { ...pullRequest, includeTimeline: true });
    const told = record.body.timeline?.map(({ attempt, state, reason }) => `${attempt} ${state} ${reason}`);
    expect(told).toEqual(expect.arrayContaining(['1 cancelled pr_pushed_to', '2 pending merge_item_now_ready']));
  });
});
