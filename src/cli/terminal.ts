/** What a command sees of the terminal it runs in; tests give one that remembers. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Columns of the screen; undefined when the output goes into a file or a pipe. */
  readonly columns: number | undefined;
}

/** A reader that goes away, as in `sluice demo | head`, ends the command as a signal does: what it started is stopped. */
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
