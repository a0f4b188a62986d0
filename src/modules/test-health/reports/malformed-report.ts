interface ReportPlace {
  readonly line: number;
  readonly column?: number;
}

/** A file that is not a readable report. */
export class MalformedReport extends Error {
  override readonly name = 'MalformedReport';
  readonly fileName: string;
  readonly line: number;
  readonly column: number | undefined;
  readonly reason: string;

  constructor(fileName: string, { line, column }: ReportPlace, reason: string) {
    super(`${fileName}, line ${line}${column === undefined ? '' : `, column ${column}`}: ${reason}`);
    this.fileName = fileName;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}
