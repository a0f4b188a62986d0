/** The terminal of a command; tests replace it with one that records the output. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Columns of the screen; undefined when the output goes into a file or a pipe. */
  readonly columns: number | undefined;
}

/** Line breaks and tabs are the only control characters that a line of text needs. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The same terminal for text that anybody may have written, such as the title of a pull request: nothing in it moves the cursor,
 * changes the terminal or turns the order of what is read.
 */
export function withoutControls(terminal: Terminal): Terminal {
  const visible = (text: string): string => text.replace(CONTROLS, '\u{fffd}');
  return {
    out: (text) => terminal.out(visible(text)),
    err: (text) => terminal.err(visible(text)),
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
