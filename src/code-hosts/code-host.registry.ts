import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Config, ConfigError, type HostConfig } from '../platform/config/config';
import type { CodeHost } from '../domain/code-host.port';

/** A provider decorated with `@CodeHostAdapter`; called once at the start for each configured host of its kind. */
export interface CodeHostFactory {
  /** Throws ConfigError, with a sentence, for settings that it cannot work with. */
  create(host: HostConfig): CodeHost;
}

/** Marks a provider as the adapter of `kind`; the provider may come from any module. */
export const CodeHostAdapter = DiscoveryService.createDecorator<{ readonly kind: string }>();

@Injectable()
export class CodeHostRegistry implements OnModuleInit {
  private readonly hosts = new Map<string, CodeHost>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: Config,
  ) {}

  /** Throws ConfigError when a kind has two adapters, or a configured host none. */
  onModuleInit(): void {
    const adapters = this.findAdapters();
    for (const host of this.config.hosts) {
      const adapter = adapters.get(host.kind);
      if (adapter === undefined) throw unknownKind(host, [...adapters.keys()]);
      this.hosts.set(host.host, adapter.create(host));
    }
  }

  /** In any letter case; undefined: not configured. */
  hostFor(host: string): CodeHost | undefined {
    return this.hosts.get(host.toLowerCase());
  }

  configuredHosts(): string[] {
    return this.config.hosts.map(({ host }) => host);
  }

  private findAdapters(): Map<string, CodeHostFactory> {
    const adapters = new Map<string, CodeHostFactory>();
    for (const wrapper of this.discovery.getProviders({ metadataKey: CodeHostAdapter.KEY })) {
      const kind = this.discovery.getMetadataByDecorator(CodeHostAdapter, wrapper)?.kind;
      const adapter: unknown = wrapper.instance;
      if (kind === undefined || !isFactory(adapter)) continue;
      const other = adapters.get(kind);
      if (other === adapter) continue;
      if (other !== undefined) {
        const names = [other, adapter].map(({ constructor }) => constructor.name);
        throw new ConfigError(`Hosts of kind ${kind} have two adapters, ${names.join(' and ')}; there must be one.`);
      }
      adapters.set(kind, adapter);
    }
    return adapters;
  }
}

function isFactory(value: unknown): value is CodeHostFactory {
  return typeof (value as Partial<CodeHostFactory> | null)?.create === 'function';
}

function unknownKind(host: HostConfig, kinds: readonly string[]): ConfigError {
  return new ConfigError(
    `SLUICE_HOSTS gives ${host.host} the kind ${JSON.stringify(host.kind)}, but there are adapters only for ${kinds.toSorted().join(', ')}.`,
  );
}
