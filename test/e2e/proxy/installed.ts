import { spawnSync } from 'node:child_process';
import type { Need } from '../../support/only-where';

/** A reverse proxy is tested if it is installed, with `openssl` for its certificate. */
export function installed(program: string, versionOption: string): Need {
  const isMet = [
    [program, versionOption],
    ['openssl', 'version'],
  ].every(([name, option]) => spawnSync(name!, [option!]).status === 0);
  return { isMet, otherwise: `it needs ${program} and openssl` };
}
