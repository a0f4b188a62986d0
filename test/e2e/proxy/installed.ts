import { spawnSync } from 'node:child_process';
import type { Need } from '../../support/only-where';

/** A test of a reverse proxy runs only if the proxy and, for its certificate, `openssl` are installed. */
export function installed(program: string, versionOption: string): Need {
  const isMet = [
    [program, versionOption],
    ['openssl', 'version'],
  ].every(([name, option]) => spawnSync(name!, [option!]).status === 0);
  return { isMet, otherwise: `it needs ${program} and openssl` };
}
