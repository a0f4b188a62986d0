export const REPLACEMENT = '\ufffd';

/** Control characters that XML forbids: runners write the output of tests, including terminal escapes. */
const FORBIDDEN = /[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]/u;
const ALL_FORBIDDEN = new RegExp(FORBIDDEN, 'gu');

export function replaceForbiddenCharacters(text: string): string {
  return FORBIDDEN.test(text) ? text.replace(ALL_FORBIDDEN, REPLACEMENT) : text;
}

/**
 * Whether XML forbids the character of a reference: `&#27;` is as forbidden as the character itself. @param reference
 * without its delimiters: `#27`
 */
export function isForbiddenReference(reference: string): boolean {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(reference) ?? [];
  const code = hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16);
  return !Number.isNaN(code) && !isAllowed(code);
}

function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

const UNSTORABLE = new RegExp(`${FORBIDDEN.source}|\\p{Cs}`, 'u');
const ALL_UNSTORABLE = new RegExp(UNSTORABLE, 'gu');

/** Replaces control characters and lone surrogates, for formats such as JSON that can spell any character. */
export function replaceUnstorableCharacters(text: string): string {
  return UNSTORABLE.test(text) ? text.replace(ALL_UNSTORABLE, REPLACEMENT) : text;
}
