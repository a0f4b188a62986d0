import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import type { LetterCase } from '../domain/host-repository';
import type { Config, HostConfig, HostEntry } from '../platform/config/config';

/** Properties that all hosts of a kind share, known before any host is created. */
export interface HostKind {
  /** The `kind` in the entries of `SLUICE_HOSTS`. Matches `[a-z][a-z0-9-]*`. */
  readonly kind: string;
  /** If absent, `significant`. */
  readonly letterCase?: LetterCase;
  /** The seconds between polls of a host whose entry does not set them. If absent, 5. */
  readonly pollSeconds?: number;
  /**
   * Throws ConfigError for settings that a host of the kind cannot work with. If absent, only `create` checks settings.
   */
  readonly checkSettings?: (host: HostConfig) => void;
  /** Whether the service refuses to start without git if a host of the kind is configured. If absent, false. */
  readonly usesGit?: boolean;
}

const DEFAULT_POLL_SECONDS = 5;

/** Marks a provider, in any module, as the adapter of a kind of host. */
export const CodeHostAdapter = DiscoveryService.createDecorator<HostKind>();

/** The entries of `SLUICE_HOSTS`. If there are none, one entry for plain git repositories under the data directory. */
export function hostEntriesOf({ hosts, dataDirectory }: Config): readonly HostEntry[] {
  if (hosts.length > 0) return hosts;
  return [
    { host: 'local', kind: 'git', url: join(dataDirectory, 'repositories', '{owner}', '{name}.git'), settings: {} },
  ];
}

/** The configuration that the adapter gets, with the seconds between polls. */
export function hostConfigOf(entry: HostEntry, kind: HostKind): HostConfig {
  return { ...entry, pollSeconds: entry.pollSeconds ?? kind.pollSeconds ?? DEFAULT_POLL_SECONDS };
}

/** The hosts where letter case does not distinguish repositories. */
export function hostsIgnoringCase(hosts: readonly HostEntry[], kinds: readonly HostKind[]): readonly string[] {
  const ignoring = kinds.filter(({ letterCase }) => letterCase === 'ignored').map(({ kind }) => kind);
  return hosts.filter(({ kind }) => ignoring.includes(kind)).map(({ host }) => host);
}

/**
 * The kinds of host that have an adapter in the modules or in their imports. For commands that do not start these
 * modules.
 */
export function kindsIn(modules: readonly Type[]): readonly HostKind[] {
  const kinds = modules.flatMap((module) => {
    const own = partsOf(module, MODULE_METADATA.PROVIDERS).map(
      (provider) => Reflect.getMetadata(CodeHostAdapter.KEY, provider) as HostKind | undefined,
    );
    return [...own.filter((kind) => kind !== undefined), ...kindsIn(partsOf(module, MODULE_METADATA.IMPORTS))];
  });
  return [...new Set(kinds)];
}

/**
 * The providers or imports of a module that are classes. Others, such as dynamic modules, never are or contain adapters
 * of ours.
 */
function partsOf(module: Type, key: string): readonly Type[] {
  const parts = (Reflect.getMetadata(key, module) ?? []) as readonly unknown[];
  return parts.filter((part): part is Type => typeof part === 'function');
}
