/** Marks the settings that a configuration file adds to an environment. */
export const FILE = Symbol('configuration file');

export interface FileSettings {
  /** Absolute. */
  readonly path: string;
  /** The path for messages: relative when the file is in the working directory. */
  readonly shown: string;
  /** Whether SLUICE_CONFIG names the file. */
  readonly isNamed: boolean;
  /** Values by the names of their variables. */
  readonly values: Readonly<Record<string, string>>;
  /** The place of each variable in the file. */
  readonly places: Readonly<Record<string, { readonly key: string; readonly line: number }>>;
  /** The keys that hold a secret themselves, instead of the path of a file with the secret. */
  readonly secrets: readonly string[];
}

/** A setting in the file. */
export interface FileEntry {
  readonly variable: string;
  readonly key: string;
  readonly line: number;
  /** The value in the form of a variable; null: the setting counts as absent. */
  readonly value: string | null;
}

/** `sluice.config.yaml:3: port` if the file gives the setting. */
export function placeIn({ shown, places }: FileSettings, variable: string): string | undefined {
  const place = places[variable];
  return place && `${shown}:${place.line}: ${place.key}`;
}
