import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SqlTransaction } from '../../../../platform/database/sql';
import type { SpoolFile } from './spool-file';

/** Copies a file of lines into a table. `change` gets the text in pieces that never split a character. */
export async function copyLines(
  tx: SqlTransaction,
  target: string,
  file: SpoolFile,
  change: (lines: string) => string = (lines) => lines,
): Promise<void> {
  const changed = new Transform({
    decodeStrings: false,
    transform: (chunk: string, _encoding, done) => done(null, change(chunk)),
  });
  await pipeline(file.read(), changed, tx.copyInto(target));
}

/** Null in the text format of COPY. */
export const COPY_NULL = '\\N';

const SPECIAL = /[\\\t\n\r\0]/;

/** A value in the text format of COPY. PostgreSQL cannot hold U+0000. */
export function copyText(value: string): string {
  if (!SPECIAL.test(value)) return value;
  return value
    .replaceAll('\0', '\uFFFD')
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** A text array in PostgreSQL's own notation. For COPY, the result must also pass through `copyText`. */
export function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
