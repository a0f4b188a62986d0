import type { Environment } from './environment';

/** What CI tells its jobs of themselves, for the command line. */
export function ciVariables(): Environment {
  return process.env;
}
