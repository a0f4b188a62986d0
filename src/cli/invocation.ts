import type { Terminal } from './terminal';

/** How the program was called. */
export interface Invocation {
  /** The terminal itself, on which the demo draws. */
  readonly screen: Terminal;
  /** The words after `--`. */
  readonly wordsAfterDashes: readonly string[];
}
