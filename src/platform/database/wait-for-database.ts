import { setTimeout as after } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { StartRefused } from '../errors/start-refused';
import { isDatabaseAway, wordsOfOutage } from '../errors/database-away';
import { withClient } from '../migrations/migration-transaction';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** Codes of PostgreSQL: wrong user or password, not allowed, no such database. */
const REFUSAL = /^(28\w{3}|3D000|42501)$/;

/**
 * Resolves when the database answers. Waits while the database is not reachable yet; throws at once for a wrong
 * password or a wrong name of the database.
 */
export async function waitForDatabase(url: string, logger: Pick<Logger, 'log' | 'warn'>): Promise<void> {
  for (let wait = FIRST_WAIT_MS, isSaid = false; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      if (isSaid) logger.log('The database answers.');
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw explainRefusal(error);
      if (!isSaid)
        logger.warn(
          `The database does not answer (${wordsOfOutage(error)}). The start continues when the database answers.`,
        );
      isSaid = true;
    }
    await after(wait);
  }
}

function explainRefusal(error: unknown): unknown {
  const { code = '', message } = error as { readonly code?: string; readonly message?: string };
  if (!REFUSAL.test(code)) return error;
  return new StartRefused(
    `PostgreSQL refuses the connection: ${message}.\nCheck the user, the password and the name of the database in DATABASE_URL.`,
  );
}
