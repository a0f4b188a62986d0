import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MemoryHostAdapter } from '../../src/code-hosts/memory/memory-host.adapter';
import type { MemoryHost } from '../../src/code-hosts/memory/memory-host';
import type { Role } from '../../src/platform/requests/roles';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { startApplication } from '../support/application';
import { emptyDatabase } from '../support/empty-database';
import type { BareRepository } from '../support/bare-repository';
import { ManualClock } from '../support/manual-clock';
import { RecordingLogger } from '../support/recording-logger';
import { settle } from '../support/settle';
import { Client } from './client';

export const NOW = new Date('2026-11-20T12:00:00.000Z');

/** The real application with several organizations and callers, tested over HTTP. */
export class Service {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly clock: ManualClock,
  ) {}

  /** Starts the service on an empty database, without work in the background. */
  static async start(settings: Partial<Config> = {}, extensions: readonly Type[] = []): Promise<Service> {
    const environment = readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' });
    const config = new Config({ ...environment, ...settings });
    const clock = new ManualClock(NOW);
    const { app, url } = await startApplication({ config, clock, logger: new RecordingLogger(), extensions });
    await emptyDatabase(app.get(PrismaService));
    return new Service(app, url, clock);
  }

  /** Starts the service with one host, `local`, which has the repositories of `git`. */
  static onGit(git: BareRepository, settings: Partial<Config> = {}): Promise<Service> {
    const host = { host: 'local', kind: 'git', url: git.urlTemplate, pollSeconds: 5, settings: {} };
    return Service.start({ hosts: [host], dataDirectory: git.dataDirectory, ...settings });
  }

  /** Starts the service with one host, `memory.example`. */
  static inMemory(settings: Partial<Config> = {}, extensions: readonly Type[] = []): Promise<Service> {
    const host = { host: 'memory.example', kind: 'memory', pollSeconds: 5, settings: {} };
    return Service.start({ hosts: [host], repositoryClaims: 'on', ...settings }, extensions);
  }

  get prisma(): PrismaService {
    return this.app.get(PrismaService);
  }

  /** The adapter of the in-memory host, for further instances on the same hosts. */
  get memoryAdapter(): MemoryHostAdapter {
    return this.app.get(MemoryHostAdapter, { strict: false });
  }

  get memory(): MemoryHost {
    return this.memoryHost('memory.example');
  }

  memoryHost(name: string): MemoryHost {
    return this.memoryAdapter.world(name);
  }

  settles(): Promise<void> {
    return settle(this.app);
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  async organization(slug: string): Promise<string> {
    return (await createOrganization(this.prisma, { slug }, this.clock.now())).id;
  }

  async client(organizationSlug: string, role: Role): Promise<Client> {
    const request = { organizationSlug, name: `${role} of ${organizationSlug}`, role };
    return new Client(this.url, (await createToken(this.prisma, request, this.clock.now())).token);
  }

  anonymous(): Client {
    return new Client(this.url, undefined);
  }
}
