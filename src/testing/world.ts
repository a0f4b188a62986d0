import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../app.module';
import { configureMergeQueue } from '../create-merge-queue';
import type { Role } from '../platform/auth/caller';
import { createOrganization } from '../platform/auth/organizations';
import { createRepository } from '../platform/auth/repositories';
import { createToken } from '../platform/auth/tokens';
import { Clock } from '../platform/clock/clock';
import { Config, type HostConfig } from '../platform/config/config';
import { readConfig } from '../platform/config/read-config';
import { PrismaService } from '../platform/database/prisma.service';
import { Background } from '../platform/lifecycle/background';
import { HostPoller } from '../processing/host-poller';
import { ApiClient, type ApiAnswer } from './api-client';
import { emptyDatabase } from './empty-database';
import { ManualClock } from './manual-clock';
import { RecordingLogger } from './recording-logger';
import { settle } from './settle';

export const START = new Date('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;

export interface WorldOptions {
  /** Its only repository, made with `ordinary git`, belongs to the organization; default: a host without any. */
  readonly host: HostConfig;
  readonly owner?: string;
  readonly name?: string;
  readonly settings?: Partial<Config>;
  readonly startAt?: Date;
  /** An application that joins a database another one already uses. */
  readonly database?: 'emptied' | 'as it is';
}

/**
 * The real application on an empty database, asked over HTTP. Time stands still and nothing happens by itself: a test
 * describes the state, acts, lets the world settle, and looks at what a person would see.
 */
export class World {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly clock: ManualClock,
    readonly api: ApiClient,
    readonly repo: { host: string; owner: string; name: string },
    private readonly logger: RecordingLogger,
    private readonly folder: string,
  ) {}

  static async create(options: WorldOptions): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-world-'));
    const config = new Config({
      ...readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_DATA_DIR: folder, SLUICE_LOG_LEVEL: 'silent' }),
      hosts: [options.host],
      ...options.settings,
    });
    const clock = new ManualClock(options.startAt ?? START);
    const logger = new RecordingLogger();
    const app = await startApplication(config, clock, logger);
    const prisma = app.get(PrismaService);
    const repo = { host: options.host.host, owner: options.owner ?? 'acme', name: options.name ?? 'widgets' };
    if (options.database !== 'as it is') await emptyDatabase(prisma);
    const token = await makeTenant(prisma, repo, clock.now());
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    return new World(app, url, clock, new ApiClient(url, token), repo, logger, folder);
  }

  get prisma(): PrismaService {
    return this.app.get(PrismaService);
  }

  /** Lets everything happen that is due now. An error in the background fails the test here. */
  async settles(): Promise<void> {
    await settle(this.app);
    this.failOnErrors();
  }

  async advance(minutes: number): Promise<void> {
    this.clock.advance(minutes * MINUTE_MS);
    await this.settles();
  }

  /** Finds at the host what no news told, and lets it happen. */
  async looksAtHost(): Promise<void> {
    await this.app.get(HostPoller).poll();
    await this.settles();
  }

  /** What was reported as an error; for tests that expect some. */
  takeErrors(): string[] {
    return this.logger.takeErrors();
  }

  createQueue(settings: object = {}, targetBranch = 'main'): Promise<Record<string, unknown>> {
    return this.api.mustPost('createQueue', { repo: this.repo, targetBranch, ...settings });
  }

  updateQueue(settings: object, targetBranch = 'main'): Promise<Record<string, unknown>> {
    return this.api.mustPost('updateQueue', { repo: this.repo, targetBranch, ...settings });
  }

  submit(number: number, more: object = {}): Promise<ApiAnswer> {
    return this.ask('submitPullRequest', number, more);
  }

  cancel(number: number): Promise<ApiAnswer> {
    return this.ask('cancelPullRequest', number);
  }

  restart(number: number): Promise<ApiAnswer> {
    return this.ask('restartTestsOnPullRequest', number);
  }

  async record(number: number): Promise<Record<string, unknown>> {
    return (await this.ask('getSubmittedPullRequest', number, { includeTimeline: true })).body;
  }

  async stateOf(number: number): Promise<string> {
    return String((await this.record(number)).state);
  }

  /** Reports a status on the commit that the pull request is tested as now, and lets it be decided on. */
  async report(number: number, state: 'success' | 'failure' | 'pending', context = 'tests'): Promise<void> {
    const details = await this.ask('getMergeQueueTestingDetails', number);
    const sha = details.body.testBranchSha;
    await this.api.mustPost('reportStatus', { repo: this.repo, sha, context, state });
    await this.settles();
  }

  async client(role: Role): Promise<ApiClient> {
    const request = { organizationSlug: 'acme', name: `${role} ${Math.floor(performance.now() * 1_000)}`, role };
    return new ApiClient(this.url, (await createToken(this.prisma, request, this.clock.now())).token);
  }

  async close(): Promise<void> {
    await this.app.close();
    rmSync(this.folder, { recursive: true, force: true });
    this.failOnErrors();
  }

  private ask(operation: string, number: number, more: object = {}): Promise<ApiAnswer> {
    return this.api.post(operation, { repo: this.repo, targetBranch: 'main', pr: { number }, ...more });
  }

  private failOnErrors(): void {
    const errors = this.logger.takeErrors();
    if (errors.length > 0) throw new Error(`In the background:\n${errors.join('\n')}`);
  }
}

async function startApplication(
  config: Config,
  clock: Clock,
  logger: RecordingLogger,
): Promise<NestExpressApplication> {
  const module = await Test.createTestingModule({ imports: [AppModule.with(config)] })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(Background)
    .useValue({ isOn: false })
    .setLogger(logger)
    .compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
  configureMergeQueue(app, config);
  await app.listen(0, '127.0.0.1');
  return app;
}

async function makeTenant(
  prisma: PrismaService,
  repo: { host: string; owner: string; name: string },
  now: Date,
): Promise<string> {
  const organizationSlug = 'acme';
  const known = await prisma.organization.findUnique({ where: { slug: organizationSlug } });
  if (!known) {
    await createOrganization(prisma, { slug: organizationSlug }, now);
    await createRepository(prisma, { organizationSlug, ...repo }, now);
  }
  const name = known ? `another ${Math.floor(performance.now() * 1_000)}` : 'admin';
  return (await createToken(prisma, { organizationSlug, name, role: 'admin' }, now)).token;
}
