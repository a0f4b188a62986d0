import { appendFileSync } from 'node:fs';

/** One row of the table that `npm run test:attacks` prints. */
export interface AttackRecord {
  /** What was done to the service, in a few words. */
  readonly attack: string;
  /** What it answered: `400 VALIDATION_FAILED`. */
  readonly answer: string;
  /** Until the answer was there. */
  readonly milliseconds?: number;
  /** The most memory that the service had beyond what it had before. */
  readonly mebibytes?: number;
}

/** A test without a record has a row of its own there, too: with its title, and the time that it took. */
export function recordAttack(record: AttackRecord): void {
  const file = process.env.SLUICE_ATTACKS_FILE;
  if (file === undefined) return;
  const test = expect.getState().currentTestName ?? '';
  appendFileSync(file, `${JSON.stringify({ test, ...record })}\n`);
}
