import type { HostConfig } from './config';

/** On hosts of these kinds `Acme/Widgets` and `acme/widgets` are one repository; on all others letter case counts. */
const KINDS_IGNORING_CASE: readonly string[] = ['github'];

export interface NameOnHost {
  /** Lower case. */
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/** What tells a repository from all others of its host; how people wrote it is kept beside. */
export function lookupNameOf({ host, owner, name }: NameOnHost, hosts: readonly HostConfig[]): string {
  const asGiven = `${owner}/${name}`;
  return hostsIgnoringCase(hosts).includes(host) ? asGiven.toLowerCase() : asGiven;
}

export function hostsIgnoringCase(hosts: readonly HostConfig[]): readonly string[] {
  return hosts.filter(({ kind }) => KINDS_IGNORING_CASE.includes(kind)).map(({ host }) => host);
}
