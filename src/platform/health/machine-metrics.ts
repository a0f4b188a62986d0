import { statfs } from 'node:fs/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { Config } from '../config/config';
import { PrismaService } from '../database/prisma.service';
import { serviceBuild } from '../service-version';
import { MetricSources } from '../metrics/metric-sources';

/** Metrics about version, disk of the data directory, and database. */
@Injectable()
export class MachineMetrics implements OnModuleInit {
  constructor(
    private readonly sources: MetricSources,
    private readonly config: Config,
    private readonly prisma: PrismaService,
  ) {}

  onModuleInit(): void {
    this.sources.register('build', (registry) => this.readBuild(registry));
    this.sources.register('disk', (registry) => this.readDisk(registry));
    this.sources.register('database', (registry) => this.readDatabase(registry));
  }

  private readBuild(registry: Registry): void {
    const help = 'Always 1; the labels name the version that runs.';
    const labelNames = ['version', 'commit', 'sources', 'node'];
    const build = new Gauge({ name: 'sluice_build_info', help, labelNames, registers: [registry] });
    const { version, commit, sources } = serviceBuild();
    build.set({ version, commit: commit ?? '', sources: sources ?? '', node: process.versions.node }, 1);
  }

  private async readDisk(registry: Registry): Promise<void> {
    const { bavail, blocks, bsize } = await statfs(this.config.dataDirectory);
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
    gauge('sluice_disk_free_bytes', 'Free space on the disk of the data directory.').set(bavail * bsize);
    gauge('sluice_disk_size_bytes', 'Size of the disk of the data directory.').set(blocks * bsize);
  }

  private async readDatabase(registry: Registry): Promise<void> {
    const [row] = await this.prisma.$queryRaw<
      { bytes: number; connections: number; most: number }[]
    >`/* machine-metrics readDatabase */
      SELECT pg_database_size(current_database())::float8 AS "bytes", current_setting('max_connections')::int AS "most",
        (SELECT count(*)::int FROM pg_stat_activity WHERE "datname" = current_database()) AS "connections"`;
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
    gauge('sluice_database_size_bytes', 'Size of the database, with its indexes.').set(row!.bytes);
    gauge('sluice_database_connections', 'Connections to the database, of every process.').set(row!.connections);
    gauge('sluice_database_connections_limit', 'Connections that the database server allows.').set(row!.most);
  }
}
