/** What a command sees of the terminal it runs in; tests give one that remembers. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Columns of the screen; undefined when the output goes into a file or a pipe. */
  readonly columns: number | undefined;
}

export function processTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    get columns() {
      return process.stdout.isTTY ? process.stdout.columns : undefined;
    },
  };
}
