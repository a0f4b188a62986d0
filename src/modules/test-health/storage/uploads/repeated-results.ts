import { type OutcomeCode, RepeatedNames } from '../../rules/repeated-names';
import type { SpoolFile } from './spool-file';

const ID = 36;
/**
 * The position of the outcome in a line, after the id and the time, each followed by a tab: `2026-11-22T12:00:00.000Z`.
 */
const OUTCOME = ID + 1 + 24 + 1;
const ZERO = 0x30;

/** Reads the lines of results, which begin with id, time and outcome. */
export async function repeatedNamesIn(results: SpoolFile): Promise<RepeatedNames> {
  const names = new RepeatedNames();
  if (results.isEmpty) return names;
  const toLines = new WholeLines();
  for await (const chunk of results.read()) {
    for (const line of toLines.of(chunk as string)) names.add(line.slice(0, ID), outcomeOf(line));
  }
  return names;
}

/** The end of a failure line that belongs to an attempt. */
export const ATTEMPT = 't';
export const OWN_RESULT = 'f';

/** A `change` for `copyLines`: leaves out repeated results of the same name, except the result that counts. */
export function withoutRepeats(names: RepeatedNames, retries: ReadonlySet<string>): (lines: string) => string {
  const keeps = names.keeper(retries);
  const toLines = new WholeLines();
  return (lines) =>
    toLines
      .of(lines)
      .filter((line) => keeps(line.slice(0, ID), outcomeOf(line)))
      .map((line) => `${line}\n`)
      .join('');
}

/** A `change` for `copyLines`: leaves out the failures of left-out results. All lines of attempts stay. */
export function failuresWithoutRepeats(names: RepeatedNames, retries: ReadonlySet<string>): (lines: string) => string {
  const keeps = names.keeper(retries);
  const toLines = new WholeLines();
  return (lines) =>
    toLines
      .of(lines)
      .filter((line) => line.endsWith(`\t${ATTEMPT}`) || keeps(line.slice(0, ID), 1))
      .map((line) => `${line}\n`)
      .join('');
}

/** Joins pieces into whole lines; every line ends with a line end. */
class WholeLines {
  private begun = '';

  of(piece: string): string[] {
    const lines = (this.begun + piece).split('\n');
    this.begun = lines.pop()!;
    return lines;
  }
}

function outcomeOf(line: string): OutcomeCode {
  return (line.charCodeAt(OUTCOME) - ZERO) as OutcomeCode;
}
