import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A chain of migrations that was folded into the baseline. Until 1.0.0-rc.1, databases of such a chain are refused. */
export interface FoldedChain {
  /** Every database of the chain has a record of this migration. */
  readonly firstMigration: string;
  /** The last commit of Sluice that can read a database of the chain. */
  readonly lastCommit: string;
}

export const FOLDED_CHAINS_FILE = 'folded.json';

/** Reads the file that `npm run db:baseline` writes; the oldest chain is first. */
export function readFoldedChains(directory: string): FoldedChain[] {
  const file = join(directory, FOLDED_CHAINS_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FoldedChain[]) : [];
}
