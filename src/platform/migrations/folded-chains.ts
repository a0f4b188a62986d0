import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Migrations that became a part of the baseline. Until 1.0.0-rc.1 a database that was made by them is refused. */
export interface FoldedChain {
  /** Every database of the chain has it on record. */
  readonly firstMigration: string;
  /** The last commit of Sluice that reads such a database. */
  readonly lastCommit: string;
}

export const FOLDED_CHAINS_FILE = 'folded.json';

/** Written by `npm run db:baseline`, the oldest chain first. */
export function readFoldedChains(directory: string): FoldedChain[] {
  const file = join(directory, FOLDED_CHAINS_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FoldedChain[]) : [];
}
