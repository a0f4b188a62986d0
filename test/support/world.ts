import type { NestExpressApplication } from '@nestjs/platform-express';
import type { MemoryHost } from '../../src/code-hosts/memory/memory-host';
import { CodeHostRegistry } from '../../src/code-hosts/code-host.registry';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import type { Role } from '../../src/platform/requests/roles';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createRepository } from '../../src/platform/auth/repositories';
import { createToken } from '../../src/platform/auth/tokens';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { Sql } from '../../src/platform/database/sql';
import { newId } from '../../src/platform/ids';
import { HostPoller } from '../../src/processing/inbox/host-poller';
import { EvaluationTicker } from '../../src/modules/test-health/storage/evaluation/evaluation-ticker';
import { type ApiAnswer, ApiClient } from './api-client';
import { startApplication } from './application';
import { emptyDatabase } from './empty-database';
import type { BareRepository } from './bare-repository';
import type { Exchange } from './forge/exchange';
import type { GiteaDouble } from './gitea/gitea-double';
import type { GiteaRepositoryDouble } from './gitea/repository-double';
import type { GitHubDouble } from './github/github-double';
import type { GitLabDouble } from './gitlab/gitlab-double';
import type { Project } from './gitlab/state';
import type { RepositoryDouble } from './github/repository-double';
import { type HostKind, type Hosts, MemoryHostsModule, openHosts, WEBHOOK_SECRET } from './hosts';
import { ManualClock } from './manual-clock';
import { RecordingLogger } from './recording-logger';
import { settle } from './settle';

export const START = new Date('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
const OWNER = 'acme';
const NAME = 'widgets';

export interface WorldOptions {
  /** The code host of the world's repository acme/widgets. */
  readonly host: HostKind;
  readonly settings?: Partial<Config>;
  readonly startAt?: Date;
  /** Receives every exchange with the API of the mock code host, in worlds with such a host. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** The database, the hosts and the time, which all instances of the service in one world share. */
interface Surroundings {
  readonly config: Config;
  readonly clock: ManualClock;
  readonly hosts: Hosts;
  /** The logger of all instances. Like Nest's own logger, it exists once in each process. */
  readonly logger: RecordingLogger;
}

/**
 * The real application on an empty database, called over HTTP. Time stands still and nothing happens automatically: a
 * test sets up the state, acts, lets the world settle, and checks the effects that a person would see.
 */
export class World {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly api: ApiClient,
    private readonly surroundings: Surroundings,
  ) {}

  static async create({ host, settings = {}, startAt = START, onExchange }: WorldOptions): Promise<World> {
    const clock = new ManualClock(startAt);
    const hosts = await openHosts(host, clock, onExchange);
    const env = { DATABASE_URL: process.env.DATABASE_URL, SLUICE_DATA_DIR: hosts.folder, SLUICE_LOG_LEVEL: 'silent' };
    const config = new Config({ ...readConfig(env), hosts: [hosts.config], ...settings });
    return World.start({ config, clock, hosts, logger: new RecordingLogger() }, 'emptied');
  }

  /** Starts another instance of the service next to this one. The new instance must be closed before the first one. */
  join(): Promise<World> {
    return World.start(this.surroundings, 'as it is');
  }

  private static async start(surroundings: Surroundings, database: 'emptied' | 'as it is'): Promise<World> {
    const { config, clock, hosts, logger } = surroundings;
    hosts.retain();
    const parts = { config, clock, logger, extensions: [MemoryHostsModule], memory: hosts.memory };
    const { app, url } = await startApplication(parts);
    if (hosts.config.kind === 'memory') hosts.memory.world(hosts.config.host).repository(OWNER, NAME);
    const prisma = app.get(PrismaService);
    if (database === 'emptied') {
      await emptyDatabase(prisma);
      await createOrganization(prisma, { slug: OWNER }, clock.now());
      const repository = { organizationSlug: OWNER, host: hosts.config.host, owner: OWNER, name: NAME };
      await createRepository(prisma, repository, clock.now(), app.get(CodeHostRegistry).hostsIgnoringCase());
    }
    const webhooks = hosts.github?.webhooks ?? hosts.gitea?.webhooks ?? hosts.gitlab?.webhooks;
    // The first instance receives the deliveries, so it closes last.
    if (database === 'emptied')
      webhooks?.deliverTo(`${url}/webhooks/${hosts.config.kind}/${hosts.config.host}`, WEBHOOK_SECRET);
    const token = await newToken(prisma, 'admin', clock.now());
    return new World(app, url, new ApiClient(url, token), surroundings);
  }

  get clock(): ManualClock {
    return this.surroundings.clock;
  }

  get repo(): { host: string; owner: string; name: string } {
    return { host: this.surroundings.hosts.config.host, owner: OWNER, name: NAME };
  }

  get kind(): Exclude<HostKind, 'forgejo'> {
    return this.surroundings.hosts.config.kind as Exclude<HostKind, 'forgejo'>;
  }

  /** The repository; only in worlds with a git host. */
  get git(): BareRepository {
    const { git } = this.surroundings.hosts;
    if (!git) throw new Error('The host of this world is not git.');
    return git;
  }

  /** The mock GitHub; only in worlds with GitHub. */
  get github(): GitHubDouble {
    const { github } = this.surroundings.hosts;
    if (!github) throw new Error('The host of this world is not GitHub.');
    return github;
  }

  get githubRepository(): RepositoryDouble {
    const { githubRepository } = this.surroundings.hosts;
    if (!githubRepository) throw new Error('The host of this world is not GitHub.');
    return githubRepository;
  }

  /** The mock Gitea; only in worlds with Gitea or Forgejo. */
  get gitea(): GiteaDouble {
    const { gitea } = this.surroundings.hosts;
    if (!gitea) throw new Error('The host of this world is not Gitea.');
    return gitea;
  }

  get giteaRepository(): GiteaRepositoryDouble {
    const { giteaRepository } = this.surroundings.hosts;
    if (!giteaRepository) throw new Error('The host of this world is not Gitea.');
    return giteaRepository;
  }

  /** The mock GitLab; only in worlds with GitLab. */
  get gitlab(): GitLabDouble {
    const { gitlab } = this.surroundings.hosts;
    if (!gitlab) throw new Error('The host of this world is not GitLab.');
    return gitlab;
  }

  get gitlabProject(): Project {
    const { gitlabProject } = this.surroundings.hosts;
    if (!gitlabProject) throw new Error('The host of this world is not GitLab.');
    return gitlabProject;
  }

  /**
   * The repository; only in worlds with a host in memory. The repository gives access to the host, so that a test can
   * make the host fail.
   */
  get memory(): MemoryRepository {
    return this.memoryHost.repository(OWNER, NAME);
  }

  get memoryHost(): MemoryHost {
    return this.surroundings.hosts.memory.world(this.repo.host);
  }

  get prisma(): PrismaService {
    return this.app.get(PrismaService);
  }

  get sql(): Sql {
    return this.app.get(Sql);
  }

  /** Lets everything happen that is due now. Throws if work in the background reported an error. */
  async settles(): Promise<void> {
    await settle(this.app);
    await this.hearWebhooks();
    this.failOnErrors();
  }

  async advance(minutes: number): Promise<void> {
    this.clock.advance(minutes * MINUTE_MS);
    await this.settles();
  }

  /** Lets the service poll the result of a merge after a second, as the service does without a webhook. */
  async seesBackgroundMerge(): Promise<void> {
    this.clock.advance(1_000);
    await this.settles();
  }

  /** Polls the host for missed events, and lets the world settle. */
  async looksAtHost(): Promise<void> {
    await this.app.get(HostPoller).poll();
    await this.settles();
  }

  /** Lets the world settle. Returns the errors that work in the background reported, for tests that expect errors. */
  async settlesWithErrors(): Promise<string[]> {
    await settle(this.app);
    await this.hearWebhooks();
    return this.surroundings.logger.takeErrors();
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

  /** The answer of getMergeQueueTestingDetails. */
  async details(number: number): Promise<Record<string, unknown>> {
    return (await this.ask('getMergeQueueTestingDetails', number)).body;
  }

  /** Reports a status on the commit under test for the pull request, and lets the queue decide. */
  async report(
    number: number,
    state: 'success' | 'failure' | 'pending',
    context = 'tests',
    more: object = {},
  ): Promise<void> {
    const { testBranchSha: sha } = await this.details(number);
    await this.api.mustPost('reportStatus', { repo: this.repo, sha, context, state, ...more });
    await this.settles();
  }

  /**
   * Uploads test results as a CI job does, for a commit. `said` holds fields of the metadata, such as branch and
   * pr_number.
   */
  async uploadTests(
    outcomes: Readonly<Record<string, 'passed' | 'failed'>>,
    said: { readonly commit: string } & Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> {
    const cases = Object.entries(outcomes).map(
      ([name, outcome]) =>
        `<testcase name="${name}">${outcome === 'failed' ? '<failure message="no"/>' : ''}</testcase>`,
    );
    const { host, owner, name } = this.repo;
    const query = { repo: `${host}/${owner}/${name}`, org_url_slug: OWNER, ...said };
    const answer = await this.api.uploadReport(query, `<testsuite>${cases.join('')}</testsuite>`);
    await this.app.get(EvaluationTicker).drain();
    return answer;
  }

  async client(role: Role): Promise<ApiClient> {
    return new ApiClient(this.url, await newToken(this.prisma, role, this.clock.now()));
  }

  async close(): Promise<void> {
    await this.app.close();
    if ((await this.surroundings.hosts.release()) === 'closed') this.failOnErrors();
  }

  /** Delivers host events to the service. Actions of the service at the host also cause events. */
  private async hearWebhooks(): Promise<void> {
    const { github, gitea, gitlab } = this.surroundings.hosts;
    const webhooks = (github ?? gitea ?? gitlab)?.webhooks;
    for (let heard = -1; webhooks && heard < webhooks.deliveries.length;) {
      heard = webhooks.deliveries.length;
      await webhooks.settled();
      await settle(this.app);
    }
  }

  private ask(operation: string, number: number, more: object = {}): Promise<ApiAnswer> {
    return this.api.post(operation, { repo: this.repo, targetBranch: 'main', pr: { number }, ...more });
  }

  private failOnErrors(): void {
    const errors = this.surroundings.logger.takeErrors();
    if (errors.length > 0) throw new Error(`In the background:\n${errors.join('\n')}`);
  }
}

async function newToken(prisma: PrismaService, role: Role, now: Date): Promise<string> {
  const request = { organizationSlug: OWNER, name: `${role} ${newId()}`, role };
  return (await createToken(prisma, request, now)).token;
}
