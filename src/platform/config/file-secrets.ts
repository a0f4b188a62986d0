import type { FileEntry } from './file-settings';

/** Names of settings that hold a secret themselves; the same name with File at its end holds a path. */
const SECRET = /(token|secret|password|key)$/i;

/** The keys whose values other users of the machine must not read. */
export function secretsIn(entries: readonly FileEntry[]): readonly string[] {
  return entries.filter(({ variable, key, value }) => isSecret(variable, key, value ?? '')).map(({ key }) => key);
}

function isSecret(variable: string, key: string, value: string): boolean {
  if (variable === 'SLUICE_HOSTS') return hasSecretHost(value);
  return SECRET.test(key) || (URL.canParse(value) && new URL(value).password !== '');
}

/** `hosts`: JSON, or the path of a file. */
function hasSecretHost(hosts: string): boolean {
  return hosts.startsWith('[') && /"[^"]*(?:token|secret|password|key)"\s*:/i.test(hosts);
}
