import { Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { SystemClock } from '../platform/clock/clock';
import { Config, type HostConfig, type HostEntry } from '../platform/config/config';
import { readConfig } from '../platform/config/read-config';
import { CodeHostRegistry } from './code-host.registry';
import { CodeHostAdapter } from './host-kinds';
import { MemoryHost } from './memory/memory-host';

@CodeHostAdapter({ kind: 'acme', letterCase: 'ignored', pollSeconds: 30 })
class AcmeAdapter {
  create({ host, pollSeconds }: HostConfig): MemoryHost {
    return new MemoryHost(host, pollSeconds, new SystemClock());
  }
}

@CodeHostAdapter({ kind: 'acme' })
class OtherAcmeAdapter extends AcmeAdapter {}

@CodeHostAdapter({ kind: 'plain' })
class PlainAdapter extends AcmeAdapter {}

function hostOf(host: string, kind: string, pollSeconds?: number): HostEntry {
  return { host, kind, pollSeconds, settings: {} };
}

async function registryOf(adapters: readonly Type[], hosts: readonly HostEntry[]): Promise<CodeHostRegistry> {
  @Module({
    imports: [DiscoveryModule],
    providers: [CodeHostRegistry, { provide: Config, useValue: new Config({ ...readConfig({}), hosts }) }, ...adapters],
  })
  class Hosts {}
  const module = await Test.createTestingModule({ imports: [Hosts] }).compile();
  await module.init();
  return module.get(CodeHostRegistry, { strict: false });
}

describe('The registry of code hosts', () => {
  it('creates every configured host with the adapter of its kind, and finds the host in any letter case', async () => {
    const registry = await registryOf([AcmeAdapter], [hostOf('one.example', 'acme'), hostOf('two.example', 'acme')]);
    expect(registry.configuredHosts()).toEqual(['one.example', 'two.example']);
    expect(registry.hostFor('One.Example')).toMatchObject({ host: 'one.example' });
    expect(registry.hostFor('two.example')).not.toBe(registry.hostFor('one.example'));
    expect(registry.hostFor('three.example')).toBeUndefined();
  });

  it('knows the properties of hosts by kind, and takes the polling interval from the entry of the host', async () => {
    const hosts = [hostOf('one.example', 'acme'), hostOf('two.example', 'acme', 7), hostOf('three.example', 'plain')];
    const registry = await registryOf([AcmeAdapter, PlainAdapter], hosts);
    expect(hosts.map(({ host }) => registry.hostFor(host)?.pollSeconds)).toEqual([30, 7, 5]);
    expect(registry.hostsIgnoringCase()).toEqual(['one.example', 'two.example']);
    expect(registry.lookupNameOf({ host: 'Two.Example', owner: 'Acme', name: 'Widgets' })).toBe('acme/widgets');
    expect(registry.lookupNameOf({ host: 'three.example', owner: 'Acme', name: 'Widgets' })).toBe('Acme/Widgets');
  });

  it('stops the start when a configured host has no adapter', async () => {
    await expect(registryOf([AcmeAdapter], [hostOf('one.example', 'forge')])).rejects.toThrow(
      'SLUICE_HOSTS gives one.example the kind "forge", but there are adapters only for acme.',
    );
  });

  it('stops the start when a kind has two adapters', async () => {
    await expect(registryOf([AcmeAdapter, OtherAcmeAdapter], [])).rejects.toThrow(
      'Hosts of kind acme have two adapters, AcmeAdapter and OtherAcmeAdapter; there must be one.',
    );
  });
});
