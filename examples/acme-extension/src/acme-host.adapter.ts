import { Injectable } from '@nestjs/common';
import { Clock, type CodeHost, CodeHostAdapter, ConfigError, type HostConfig } from '@sluice-queue/sluice';
import { MemoryHost } from '@sluice-queue/sluice/testing';

/**
 * Kind `acme`: an entry of SLUICE_HOSTS such as { "host": "acme.example", "kind": "acme", "owner": "shop" }. A real
 * adapter would call a code host. This one keeps everything in memory, with one repository, `widgets`, of that owner.
 */
@Injectable()
@CodeHostAdapter({ kind: 'acme', letterCase: 'ignored', pollSeconds: 2 })
export class AcmeHostAdapter {
  constructor(private readonly clock: Clock) {}

  create({ host, pollSeconds, settings }: HostConfig): CodeHost {
    const { owner } = settings;
    if (typeof owner !== 'string') {
      throw new ConfigError(`SLUICE_HOSTS gives ${host} the kind "acme", whose entries need an "owner" that is text.`);
    }
    return makeAcmeHost({ host, pollSeconds, owner, clock: this.clock });
  }
}

export function makeAcmeHost(of: { host: string; pollSeconds: number; owner: string; clock: Clock }): MemoryHost {
  const host = new MemoryHost(of.host, of.pollSeconds, of.clock, 'ignored');
  host.repository(of.owner, 'widgets');
  return host;
}
