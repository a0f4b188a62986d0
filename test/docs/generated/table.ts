export type Row = readonly string[];

/** Makes a block from the code. `present` is the block on the page, for the columns that people write. */
export type MakeBlock = (present: string) => string;

/** A table of Markdown as prettier leaves it. `|` in a cell is escaped. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: Row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}

/** The rows of all tables in a text, without heads: by the first code span of a row, its cells. */
export function rowsByCode(text: string): ReadonlyMap<string, Row> {
  const rows = [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) =>
    row.split(/ *(?<!\\)\| */).map((cell) => cell.replaceAll('\\|', '|').trim()),
  );
  return new Map(rows.flatMap((row) => [...(row[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => [code!, row])));
}
