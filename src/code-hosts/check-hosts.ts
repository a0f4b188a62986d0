import { type Config, ConfigError, type HostEntry } from '../platform/config/config';
import { hostConfigOf, hostEntriesOf, type HostKind } from './host-kinds';

/** Checks the settings of all hosts and reads their key files. Throws ConfigError. Returns the kinds of the hosts. */
export function checkHosts(
  config: Config,
  kinds: readonly HostKind[],
  { mayHaveOthers }: { readonly mayHaveOthers: boolean },
): readonly HostKind[] {
  return hostEntriesOf(config).flatMap((entry) => {
    const kind = kinds.find((one) => one.kind === entry.kind);
    if (kind === undefined && !mayHaveOthers) throw unknownKind(entry, kinds);
    if (kind === undefined) return [];
    kind.checkSettings?.(hostConfigOf(entry, kind));
    return [kind];
  });
}

export function unknownKind(host: HostEntry, kinds: readonly HostKind[]): ConfigError {
  const names = kinds.map(({ kind }) => kind).toSorted();
  return new ConfigError(
    `SLUICE_HOSTS gives ${host.host} the kind ${JSON.stringify(host.kind)}, but there are adapters only for ${names.join(', ')}.`,
  );
}
