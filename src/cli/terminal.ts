import { visibleText } from '../platform/visible-text';

/** The terminal of a command; tests replace it with one that records the output. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Columns of the screen; undefined when the output goes into a file or a pipe. */
  readonly columns: number | undefined;
}

/**
 * The terminal for text of other people, such as the title of a pull request. The text cannot move the cursor, change
 * the terminal, or reverse the text direction.
 */
export function withoutControls(terminal: Terminal): Terminal {
  return {
    out: (text) => terminal.out(visibleText(text)),
    err: (text) => terminal.err(visibleText(text)),
    get columns() {
      return terminal.columns;
    },
  };
}

/** When the reader of a pipe goes away, as in `sluice demo | head`, the command stops as on a signal. */
export function processTerminal(): Terminal {
  process.stdout.once('error', () => {
    process.stdout.on('error', () => undefined);
    process.kill(process.pid, 'SIGTERM');
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    get columns() {
      return process.stdout.isTTY ? process.stdout.columns : undefined;
    },
  };
}
