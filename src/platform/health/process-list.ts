import { Injectable } from '@nestjs/common';
import { disagreements } from '../config/settings-shown';
import { PrismaService } from '../database/prisma.service';
import type { ListedProcesses, ServiceProcessItem } from './processes.dto';
import { buildOf, type ServiceProcess, ServiceProcesses } from './service-processes';

/**
 * The processes as administrators may see them. If several organizations share the service, no organization sees
 * machines and settings.
 */
@Injectable()
export class ProcessListReader {
  constructor(
    private readonly processes: ServiceProcesses,
    private readonly prisma: PrismaService,
  ) {}

  async list(): Promise<ListedProcesses> {
    const all = await this.processes.list();
    const organizations = await this.prisma.organization.count();
    const running = all.filter(({ isAlive }) => isAlive);
    return {
      processes: all.map((process) => itemOf(process, organizations > 1)),
      differingSettings: [...disagreements(running.map(({ settings }) => settings))],
    };
  }
}

function itemOf(process: ServiceProcess, isShared: boolean): ServiceProcessItem {
  const { id, startedAt, seenAt, isAlive, machine, pid, settings } = process;
  return {
    ...{
      id,
      ...buildOf(process),
      startedAt: startedAt.toISOString(),
      lastSeenAt: seenAt.toISOString(),
      alive: isAlive,
    },
    ...(isShared ? { machine: null, pid: null, settings: null } : { machine, pid, settings }),
  };
}
