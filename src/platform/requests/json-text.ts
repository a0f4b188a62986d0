/** Maximum nesting of objects and lists in requests. */
export const MOST_LEVELS = 64;
/** Maximum number of objects, lists and fields in a request. The parser needs 50 bytes and a microsecond for each. */
export const MOST_PARTS = 100_000;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `[` and `{`, and `]` and `}`, differ only in the bit 0x20. */
const OPEN = 0x5b;
const CLOSE = 0x5d;
const LIST_OR_OBJECT = ~0x20;

/**
 * The reason not to parse the text, as the end of a sentence with "It must not"; null: it may be parsed. Only brackets
 * and colons are counted, because the parser refuses invalid JSON.
 */
export function tooMuchIn(text: Buffer): string | null {
  let level = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]!;
    if (byte === QUOTE) at = endOfString(text, at);
    else if (byte === COLON) parts += 1;
    else if ((byte & LIST_OR_OBJECT) === CLOSE) level -= 1;
    else if ((byte & LIST_OR_OBJECT) === OPEN) {
      level += 1;
      parts += 1;
      if (level > MOST_LEVELS) return `be nested deeper than ${MOST_LEVELS} levels`;
    }
    if (parts > MOST_PARTS) return `have more than ${MOST_PARTS} objects, lists and fields`;
  }
  return null;
}

/** The position of the closing quote for the string at `start`. */
function endOfString(text: Buffer, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === QUOTE) return at;
    if (text[at] === BACKSLASH) at += 1;
  }
  return text.length;
}
