import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { MemoryHostAdapter } from '../code-hosts/memory/memory-host.adapter';
import type { Clock } from '../platform/clock/clock';
import type { HostConfig } from '../platform/config/config';
import { GitWorld } from './git-world';

/** The memory host is no part of the product: worlds bring it along like any other team's extension. */
@Module({ providers: [MemoryHostAdapter], exports: [MemoryHostAdapter] })
export class MemoryHostsModule {}

/** The code hosts of a world, shared by all instances of the service in it. */
export interface Hosts {
  readonly config: HostConfig;
  readonly memory: SharedMemoryHosts;
  readonly git: GitWorld | null;
  /** For clones and the like; gone once the last instance has released it. */
  readonly folder: string;
  retain(): void;
  release(): 'still held' | 'closed';
}

/** Every instance of the service sees the same hosts, as if they stood elsewhere. */
export class SharedMemoryHosts extends MemoryHostAdapter {
  private readonly created = new Map<string, ReturnType<MemoryHostAdapter['create']>>();

  override create(config: HostConfig): ReturnType<MemoryHostAdapter['create']> {
    const host = this.created.get(config.host) ?? super.create(config);
    this.created.set(config.host, host);
    return host;
  }
}

export function openHosts(kind: 'memory' | 'git', clock: Clock): Hosts {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-world-'));
  const git = kind === 'git' ? GitWorld.create() : null;
  const common = { kind, pollSeconds: 5, settings: {} };
  const config: HostConfig = git
    ? { ...common, host: 'git.example', url: git.urlTemplate }
    : { ...common, host: 'memory.example' };
  let holders = 0;
  return {
    config,
    memory: new SharedMemoryHosts(clock),
    git,
    folder,
    retain: () => void (holders += 1),
    release: () => {
      if (--holders > 0) return 'still held';
      git?.close();
      rmSync(folder, { recursive: true, force: true });
      return 'closed';
    },
  };
}
