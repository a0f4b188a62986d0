import { appendFileSync } from 'node:fs';

/** One row of the table that `npm run test:attacks` prints. */
export interface AttackRecord {
  /** The attack in a few words. */
  readonly attack: string;
  /** The answer of the service, such as `400 VALIDATION_FAILED`. */
  readonly answer: string;
  /** Time until the answer. */
  readonly milliseconds?: number;
  /** How far the peak memory of the service exceeded its memory before the attack. */
  readonly mebibytes?: number;
}

/** Adds a row to the table. A test without a record also gets a row, with its title and its duration. */
export function recordAttack(record: AttackRecord): void {
  const file = process.env.SLUICE_ATTACKS_FILE;
  if (file === undefined) return;
  const test = expect.getState().currentTestName ?? '';
  appendFileSync(file, `${JSON.stringify({ test, ...record })}\n`);
}
