import type { Type } from '@nestjs/common';

const EXTENSION = Symbol('Extension');

export interface ExtensionOptions {
  /**
   * `[a-z][a-z0-9_]{0,39}`: the tables of the extension are in the PostgreSQL schema `ext_<name>`. Never change the
   * name, because existing tables stay in the old schema.
   */
  readonly name: string;
  /**
   * The absolute path of a folder of `.sql` files. The start of the service applies the files in the order of their
   * names. Absent: no tables.
   */
  readonly migrations?: string;
}

/**
 * Marks the Nest module that a package exports as `extension`. Only a module with its own tables needs this decorator.
 */
export function Extension(options: ExtensionOptions): ClassDecorator {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(options.name)) {
    throw new TypeError(
      `The extension ${JSON.stringify(options.name)} must be named by 1 to 40 lower-case letters, digits and _, a letter first.`,
    );
  }
  return (module) => Reflect.defineMetadata(EXTENSION, options, module);
}

/** The options of the marked modules. Throws when two extensions have the same name. */
export function readExtensions(modules: readonly Type[]): ExtensionOptions[] {
  const found = new Map<string, { readonly module: Type; readonly options: ExtensionOptions }>();
  for (const module of modules) {
    const options = Reflect.getMetadata(EXTENSION, module) as ExtensionOptions | undefined;
    if (options === undefined) continue;
    const other = found.get(options.name);
    if (other && other.module !== module) {
      throw new Error(
        `${other.module.name} and ${module.name} are both the extension ${options.name}; each needs a name of its own.`,
      );
    }
    found.set(options.name, { module, options });
  }
  return [...found.values()].map(({ options }) => options);
}
