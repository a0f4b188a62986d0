import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config';
import { HealthProbes, type ProbeResult } from './health-probes';

const MIB = 1024 * 1024;
/** With less free space than this, commits and uploads soon cannot be written. */
const LEAST_FREE_MIB = 100;
/** Working clones and uploads may be on their own disks. */
const FOLDERS = ['.', 'clones', 'uploads'];

@Injectable()
export class DiskProbe implements OnModuleInit {
  constructor(
    private readonly probes: HealthProbes,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.probes.register('disk', () => this.look());
  }

  private async look(): Promise<ProbeResult> {
    const free = await Promise.all(FOLDERS.map((folder) => freeMib(join(this.config.dataDirectory, folder))));
    const isFull = free.some((mib) => mib !== null && mib < LEAST_FREE_MIB);
    return isFull ? { problem: `the data directory has less than ${LEAST_FREE_MIB} MiB free` } : 'ok';
  }
}

/** Null: the folder does not exist yet. */
async function freeMib(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return (bavail * bsize) / MIB;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
