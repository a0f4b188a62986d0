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

/** An array of text as PostgreSQL writes it, before `copyText`. */
export function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
