import { Injectable } from '@nestjs/common';
import type { HostConfig } from '../../platform/config/config';
import { Clock } from '../../platform/clock/clock';
import { CodeHostAdapter } from '../host-kinds';
import type { CodeHost } from '../../domain/code-host.port';
import { MemoryHost } from './memory-host';

/** Kind `memory`: a host for tests in one process. */
@Injectable()
@CodeHostAdapter({ kind: 'memory' })
export class MemoryHostAdapter {
  private readonly hosts = new Map<string, MemoryHost>();

  constructor(private readonly clock: Clock) {}

  create(config: HostConfig): CodeHost {
    const host = new MemoryHost(config.host, config.pollSeconds, this.clock);
    this.hosts.set(config.host, host);
    return host;
  }

  /** The host with that name, so that tests can act on it. */
  world(host: string): MemoryHost {
    const found = this.hosts.get(host);
    if (found === undefined) throw new Error(`There is no memory host ${host}`);
    return found;
  }
}
