import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import type { LetterCase } from '../domain/host-repository';
import type { Config, HostConfig, HostEntry } from '../platform/config/config';

/** Properties that all hosts of a kind share. They are known before any host is created. */
export interface HostKind {
  /** The `kind` of their entries in `SLUICE_HOSTS`: `[a-z][a-z0-9-]*`. */
  readonly kind: string;
  /** Absent: `significant`. */
  readonly letterCase?: LetterCase;
  /** Seconds between polls, unless the entry of the host sets them. Absent: 5. */
  readonly pollSeconds?: number;
  /** Throws ConfigError for settings that a host of the kind cannot work with. Absent: only `create` checks them. */
  readonly checkSettings?: (host: HostConfig) => void;
  /** The start requires git for hosts of the kind. Absent: false. */
  readonly usesGit?: boolean;
}

const DEFAULT_POLL_SECONDS = 5;

/** Marks a provider as the adapter of a kind. The provider may be in any module. */
export const CodeHostAdapter = DiscoveryService.createDecorator<HostKind>();

/** The entries of `SLUICE_HOSTS`; without any, plain git repositories under the data directory. */
export function hostEntriesOf({ hosts, dataDirectory }: Config): readonly HostEntry[] {
  if (hosts.length > 0) return hosts;
  return [
    { host: 'local', kind: 'git', url: join(dataDirectory, 'repositories', '{owner}', '{name}.git'), settings: {} },
  ];
}

/** The entry in the form that the adapter gets. */
export function hostConfigOf(entry: HostEntry, kind: HostKind): HostConfig {
  return { ...entry, pollSeconds: entry.pollSeconds ?? kind.pollSeconds ?? DEFAULT_POLL_SECONDS };
}

/** The hosts where letter case does not distinguish repositories. */
export function hostsIgnoringCase(hosts: readonly HostEntry[], kinds: readonly HostKind[]): readonly string[] {
  const ignoring = kinds.filter(({ letterCase }) => letterCase === 'ignored').map(({ kind }) => kind);
  return hosts.filter(({ kind }) => ignoring.includes(kind)).map(({ host }) => host);
}

/**
 * The kinds that have an adapter in these modules or in the modules that they import. For commands that start none of
 * them.
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

/** Class providers and imports only: dynamic modules and providers with a token are not adapters of ours. */
function partsOf(module: Type, key: string): readonly Type[] {
  const parts = (Reflect.getMetadata(key, module) ?? []) as readonly unknown[];
  return parts.filter((part): part is Type => typeof part === 'function');
}
