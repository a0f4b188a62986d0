import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Config, ConfigError, type HostConfig, type HostEntry } from '../platform/config/config';
import { lookupNameOf, type RepositoryName } from '../platform/repository-name';
import type { CodeHost } from '../domain/code-host.port';
import { storable } from '../platform/database/storable';
import { unknownKind } from './check-hosts';
import { CodeHostAdapter, hostConfigOf, hostEntriesOf, type HostKind, hostsIgnoringCase } from './host-kinds';

/**
 * The interface of a provider with `@CodeHostAdapter`. `create` is called at the start, once for each configured host
 * of the kind.
 */
export interface CodeHostFactory {
  /**
   * Throws ConfigError for settings with which the host cannot work. The message is one sentence and contains no
   * secret.
   */
  create(host: HostConfig): CodeHost;
}

interface Adapter {
  readonly kind: HostKind;
  readonly factory: CodeHostFactory;
}

@Injectable()
export class CodeHostRegistry implements OnModuleInit {
  private readonly entries: readonly HostEntry[];
  private readonly hosts = new Map<string, CodeHost>();
  private kinds: readonly HostKind[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    config: Config,
  ) {
    this.entries = hostEntriesOf(config);
  }

  /** Throws ConfigError when a kind has two adapters, or a configured host has none. */
  onModuleInit(): void {
    const adapters = this.findAdapters();
    this.kinds = [...adapters.values()].map(({ kind }) => kind);
    for (const entry of this.entries) {
      const adapter = adapters.get(entry.kind);
      if (adapter === undefined) throw unknownKind(entry, this.kinds);
      this.hosts.set(entry.host, withStorableAnswers(adapter.factory.create(hostConfigOf(entry, adapter.kind))));
    }
  }

  /** The configured host with this name, in any letter case; undefined if there is none. */
  hostFor(host: string): CodeHost | undefined {
    return this.hosts.get(host.toLowerCase());
  }

  /**
   * The kind of the configured host with this name, in any letter case, such as `gitlab`; undefined if there is none.
   */
  kindOf(host: string): string | undefined {
    return this.entries.find((entry) => entry.host === host.toLowerCase())?.kind;
  }

  configuredHosts(): string[] {
    return this.entries.map(({ host }) => host);
  }

  /**
   * `<owner>/<name>`, in lower case if the host ignores letter case. The text identifies the repository on its host.
   */
  lookupNameOf(repository: RepositoryName): string {
    return lookupNameOf(repository, this.hostsIgnoringCase());
  }

  /** The configured hosts that ignore letter case in names of repositories. */
  hostsIgnoringCase(): readonly string[] {
    return hostsIgnoringCase(this.entries, this.kinds);
  }

  private findAdapters(): Map<string, Adapter> {
    const adapters = new Map<string, Adapter>();
    for (const wrapper of this.discovery.getProviders({ metadataKey: CodeHostAdapter.KEY })) {
      const kind = this.discovery.getMetadataByDecorator(CodeHostAdapter, wrapper);
      const factory: unknown = wrapper.instance;
      if (kind === undefined || !isFactory(factory)) continue;
      const other = adapters.get(kind.kind)?.factory;
      if (other === factory) continue;
      if (other !== undefined) {
        const names = [other, factory].map(({ constructor }) => constructor.name).join(' and ');
        throw new ConfigError(`Hosts of kind ${kind.kind} have two adapters, ${names}; there must be one.`);
      }
      adapters.set(kind.kind, { kind, factory });
    }
    return adapters;
  }
}

function isFactory(value: unknown): value is CodeHostFactory {
  return typeof (value as Partial<CodeHostFactory> | null)?.create === 'function';
}

/** The properties of the port that are objects with methods of their own. */
const PARTS: readonly (string | symbol)[] = ['conversation', 'people'];

/**
 * Wraps the host so that the database can store its answers. Anybody can write titles, names and messages, so the
 * answers of hosts from extensions are cleaned, too.
 */
function withStorableAnswers<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found === 'function') return (...asked: unknown[]) => cleanAnswer(Reflect.apply(found, target, asked));
      const isPart = PARTS.includes(name) && typeof found === 'object' && found !== null;
      return isPart ? withStorableAnswers(found) : found;
    },
  });
}

function cleanAnswer(answer: unknown): unknown {
  return answer instanceof Promise ? answer.then(storable) : storable(answer);
}
