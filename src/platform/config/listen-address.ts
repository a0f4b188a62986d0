import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config';

const LOOPBACK = '127.0.0.1';
const MARK = 'listens-on-loopback';

export type ListenAddress =
  | { readonly type: 'address'; readonly address: string }
  /** `because`: the reason, since nobody chose an address. */
  | { readonly type: 'every address'; readonly because: 'database given' | 'older data directory' };

/**
 * The address to listen on: SLUICE_LISTEN, or else the loopback interface. With DATABASE_URL it is every address,
 * because such services run in containers. With a data directory of an earlier version it is every address too, because
 * clients on other machines would lose the service otherwise.
 */
export function listenAddressOf({ listen, databaseUrl, dataDirectory }: Config): ListenAddress {
  if (listen !== undefined) return { type: 'address', address: listen };
  if (databaseUrl !== undefined) return { type: 'every address', because: 'database given' };
  const isNew = !existsSync(join(dataDirectory, 'postgres'));
  if (isNew || existsSync(join(dataDirectory, MARK))) return { type: 'address', address: LOOPBACK };
  return { type: 'every address', because: 'older data directory' };
}

/** Marks a new, still empty data directory, so that it is not taken for a data directory of an earlier version. */
export function markNewDataDirectory(dataDirectory: string): void {
  writeFileSync(
    join(dataDirectory, MARK),
    'Without SLUICE_LISTEN the service listens on this machine only: see docs/configuration.md.\n',
  );
}
