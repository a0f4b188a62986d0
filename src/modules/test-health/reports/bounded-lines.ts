/** Called with each line without its end, and its number, counted from 1. */
export type OnLine = (line: string, number: number) => void;

/**
 * Splits a text that arrives in pieces into lines. A line of more than `maxCharacters` is cut to one character more.
 */
export class BoundedLines {
  private rest = '';
  private number = 1;

  constructor(
    private readonly maxCharacters: number,
    private readonly onLine: OnLine,
  ) {}

  write(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.hold(text.slice(from, end));
      this.complete();
      from = end + 1;
    }
    this.hold(text.slice(from));
  }

  /** Passes the last line, even if it has no line break. Returns the number of the last line. */
  end(): number {
    if (this.rest === '') return Math.max(1, this.number - 1);
    this.complete();
    return this.number - 1;
  }

  private hold(part: string): void {
    const remaining = this.maxCharacters + 1 - this.rest.length;
    if (remaining > 0) this.rest += part.length <= remaining ? part : part.slice(0, remaining);
  }

  private complete(): void {
    const line = this.rest.endsWith('\r') ? this.rest.slice(0, -1) : this.rest;
    this.rest = '';
    this.onLine(line, this.number++);
  }
}
