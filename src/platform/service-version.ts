import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All fields except the version are null when the service runs from TypeScript, without a build. */
export interface ServiceBuild {
  /** The version of package.json, such as `1.0.0`. */
  readonly version: string;
  /** Abbreviated, with `+changed` when the working tree had changes. Null: built without git. */
  readonly commit: string | null;
  /** A digest of the compiled files, so that builds of different sources have different values even without git. */
  readonly sources: string | null;
  readonly builtAt: string | null;
}

const NOT_BUILT = { commit: null, sources: null, builtAt: null };
let build: ServiceBuild | undefined;

/** Reads the file that scripts/build.mjs writes; later calls return the result of the first call. */
export function serviceBuild(): ServiceBuild {
  build ??= {
    version: (readJson(join(__dirname, '..', '..', 'package.json')) as { version: string }).version,
    ...NOT_BUILT,
    ...(readJson(join(__dirname, '..', 'build-info.json')) as Partial<ServiceBuild> | undefined),
  };
  return build;
}

export function serviceVersion(): string {
  return serviceBuild().version;
}

/** For people: `1.0.0 (commit 1a2b3c4d5e6f, sources 9f8e7d6c5b4a, built 2026-11-28T04:20:00.000Z)`. */
export function describeBuild({ version, commit, sources, builtAt }: ServiceBuild): string {
  const parts = Object.entries({ commit, sources, built: builtAt }).filter(([, value]) => value !== null);
  return parts.length === 0 ? version : `${version} (${parts.map((part) => part.join(' ')).join(', ')})`;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
