import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { ConfigError } from '../config/config';

/** Each package or file of SLUICE_EXTENSIONS exports one Nest module under the name `extension`. */
export function loadExtensions(names: readonly string[]): Type[] {
  // Resolved from the working directory, because extensions are installed next to the service, not inside it.
  const load = createRequire(join(process.cwd(), 'package.json'));
  return names.map((name) => moduleOf(name, load));
}

function moduleOf(name: string, load: NodeJS.Require): Type {
  const exported = exportsOf(name, load).extension;
  if (typeof exported === 'function') return exported as Type;
  throw new ConfigError(`SLUICE_EXTENSIONS names ${name}, which does not export a Nest module as "extension".`);
}

function exportsOf(name: string, load: NodeJS.Require): { extension?: unknown } {
  try {
    return load(name) as { extension?: unknown };
  } catch (error) {
    throw new ConfigError(`SLUICE_EXTENSIONS names ${name}, which cannot be loaded: ${String(error)}.`);
  }
}
