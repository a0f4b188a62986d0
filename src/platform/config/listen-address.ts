import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config';

const LOOPBACK = '127.0.0.1';
const MARK = 'listens-on-loopback';

export type ListenAddress =
  | { readonly type: 'address'; readonly address: string }
  /** `because`: nobody chose that. */
  | { readonly type: 'every address'; readonly because: 'database given' | 'older data directory' };

/**
 * Where the service listens: SLUICE_LISTEN, or else the loopback interface. With DATABASE_URL it is every address, because such
 * services run in containers; so it is on the data directory of an earlier version, whose clients would lose the service.
 */
export function listenAddressOf({ listen, databaseUrl, dataDirectory }: Config): ListenAddress {
  if (listen !== undefined) return { type: 'address', address: listen };
  if (databaseUrl !== undefined) return { type: 'every address', because: 'database given' };
  const isNew = !existsSync(join(dataDirectory, 'postgres'));
  if (isNew || existsSync(join(dataDirectory, MARK))) return { type: 'address', address: LOOPBACK };
  return { type: 'every address', because: 'older data directory' };
}

/** For who makes a data directory, before there is anything in it that tells it from an older one. */
export function markNewDataDirectory(dataDirectory: string): void {
  writeFileSync(
    join(dataDirectory, MARK),
    'Without SLUICE_LISTEN the service listens on this machine only: see docs/operating.md.\n',
  );
}
