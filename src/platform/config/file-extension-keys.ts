import { ConfigError } from './config';
import { type Environment, givenBy } from './environment';
import { extensionVariable } from './extension-variable';
import { FILE } from './file-settings';

/** Throws a ConfigError for a key of the configuration file that the extension does not have. */
export function refuseUnknownExtensionKeys(extension: string, names: readonly string[], env: Environment): void {
  const known = names.map((name) => extensionVariable(extension, name));
  const unknown = Object.entries(env[FILE]?.places ?? {}).find(
    ([variable, { key }]) => key.startsWith(`ext.${extension}.`) && !known.includes(variable),
  );
  if (unknown === undefined) return;
  throw new ConfigError(
    `${givenBy(env, unknown[0])} is not a setting of the extension ${extension}, which has ${names.join(', ')}.`,
  );
}
