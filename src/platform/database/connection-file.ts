import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The launcher of the embedded database writes its address and password here, for commands on this machine. */
export function connectionFileOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.json');
}

export function writeConnectionFile(dataDirectory: string, url: string): void {
  const file = connectionFileOf(dataDirectory);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ url })}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Undefined when there is no file. The file may be stale, because a killed launcher does not remove it. */
export function readConnectionFile(dataDirectory: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(connectionFileOf(dataDirectory), 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

export function removeConnectionFile(dataDirectory: string): void {
  rmSync(connectionFileOf(dataDirectory), { force: true });
}
