import type { Terminal } from './terminal';

/** The arguments and terminals of the program. */
export interface Invocation {
  /** The terminal without the filter for control characters, on which the demo draws. */
  readonly screen: Terminal;
  /** The words after `--`. */
  readonly wordsAfterDashes: readonly string[];
}
