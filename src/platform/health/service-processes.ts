import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { Config } from '../config/config';
import { settingsShown, type ShownSettings } from '../config/settings-shown';
import { PrismaService } from '../database/prisma.service';
import { Background } from '../lifecycle/background';
import { BackgroundJob } from '../lifecycle/background-job';
import { BEAT_EVERY_MS, GONE_AFTER_MS } from '../lifecycle/heartbeat';
import { Lifecycle } from '../lifecycle/lifecycle';
import { type ServiceBuild, serviceBuild, serviceVersion } from '../service-version';
import { MetricSources } from '../metrics/metric-sources';

const FORGOTTEN_AFTER_MS = 3_600_000;

export interface ServiceProcess {
  readonly id: string;
  /** The name of the machine or container. */
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
  readonly node: string;
  readonly settings: ShownSettings;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** The seconds since the process last reported, by the clock of the database. */
  readonly seenSecondsAgo: number;
  /** False: the process has not reported for 15 s, and did not announce its stop. */
  readonly isAlive: boolean;
}

/** The build that a process runs. */
export function buildOf({ version, facts }: Pick<ServiceProcess, 'version' | 'facts'>): ServiceBuild {
  // Earlier versions do not report a build.
  return { commit: null, sources: null, builtAt: null, ...(facts.build as Partial<ServiceBuild> | undefined), version };
}

/** Running processes first, then the most recently seen. */
export function listServiceProcesses(prisma: Pick<PrismaService, '$queryRaw'>): Promise<readonly ServiceProcess[]> {
  return prisma.$queryRaw<ServiceProcess[]>`/* service-processes listServiceProcesses */
    SELECT *, "ago"::float8 AS "seenSecondsAgo", "ago" <= ${GONE_AFTER_MS / 1_000} AS "isAlive"
    FROM "ServiceProcess", LATERAL (SELECT GREATEST(0, extract(epoch FROM clock_timestamp() - "seenAt")) AS "ago") age
    ORDER BY "isAlive" DESC, "startedAt", "id"`;
}

/**
 * The processes of the service on this database. Each process reports every few seconds, and removes its row when it
 * stops.
 */
@Injectable()
export class ServiceProcesses implements OnModuleInit, OnApplicationBootstrap {
  private readonly id = randomUUID();
  private facts: Readonly<Record<string, unknown>> = { build: serviceBuild() };
  private readonly changing: (() => Readonly<Record<string, unknown>>)[] = [];
  private written: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly prisma: PrismaService,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
    private readonly sources: MetricSources,
  ) {}

  onModuleInit(): void {
    this.sources.register('processes', (registry) => this.readMetrics(registry));
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.background.isOn) return;
    this.lifecycle.onDrain('the list of processes', () => this.leave());
    await this.beat();
  }

  /**
   * Adds to the facts that this process reports; the next heartbeat stores them. The facts must not contain secrets.
   */
  tell(facts: Readonly<Record<string, unknown>>): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** Adds facts that change while the process runs. Never a secret. */
  tellAtEachBeat(facts: () => Readonly<Record<string, unknown>>): void {
    this.changing.push(facts);
  }

  @BackgroundJob({ name: 'list of processes', everyMs: BEAT_EVERY_MS })
  async beat(): Promise<void> {
    const written = this.writeRow();
    // A stop waits for the write whether or not the write succeeds; the caller of the write gets the failure.
    this.written = written.catch(() => undefined);
    await written;
  }

  list(): Promise<readonly ServiceProcess[]> {
    return listServiceProcesses(this.prisma);
  }

  private async writeRow(): Promise<void> {
    const settings = JSON.stringify(settingsShown(this.config));
    const facts = JSON.stringify(Object.assign({}, this.facts, ...this.changing.map((read) => read())));
    await this.prisma.$executeRaw`/* service-processes writeRow */
      INSERT INTO "ServiceProcess"
        ("id", "machine", "pid", "version", "node", "settings", "facts", "startedAt", "seenAt")
      VALUES (${this.id}::uuid, ${hostname()}, ${process.pid}, ${serviceVersion()}, ${process.versions.node},
        ${settings}::jsonb, ${facts}::jsonb, clock_timestamp(), clock_timestamp())
      ON CONFLICT ("id") DO UPDATE SET "facts" = EXCLUDED."facts", "seenAt" = EXCLUDED."seenAt"`;
    await this.prisma.$executeRaw`/* service-processes writeRow 2 */
      DELETE FROM "ServiceProcess" WHERE "id" IN (
        SELECT "id" FROM "ServiceProcess"
        WHERE "seenAt" < clock_timestamp() - ${FORGOTTEN_AFTER_MS} * interval '1 millisecond' FOR UPDATE SKIP LOCKED)`;
  }

  private async leave(): Promise<void> {
    await this.written;
    await this.prisma
      .$executeRaw`/* service-processes leave */ DELETE FROM "ServiceProcess" WHERE "id" = ${this.id}::uuid`;
  }

  private async readMetrics(registry: Registry): Promise<void> {
    const help = 'Running processes of the service on this database, by version.';
    const gauge = new Gauge({ name: 'sluice_processes', help, labelNames: ['version'], registers: [registry] });
    for (const { version, isAlive } of await this.list()) if (isAlive) gauge.inc({ version });
  }
}
