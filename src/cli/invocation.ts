import type { Terminal } from './terminal';

/** The arguments and terminals of the program. */
export interface Invocation {
  /** The terminal itself, on which the demo draws. */
  readonly screen: Terminal;
  /** The words after `--`. */
  readonly wordsAfterDashes: readonly string[];
}
