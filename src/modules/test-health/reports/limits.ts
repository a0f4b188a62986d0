/** Limits for kept text, so that the memory for a report is bounded. A longer text is cut, with a mark. */
export const MAX_ATTRIBUTE_CHARACTERS = 32_768;
export const MAX_FAILURE_TEXT_CHARACTERS = 65_536;
/** One character more than will be kept of any text, so that the later cut leaves a mark. */
export const MAX_TEXT_CHARACTERS = MAX_FAILURE_TEXT_CHARACTERS + 1;

/** Above these limits a report is refused: real reports are far below them. */
export const MAX_DEPTH = 200;
export const MAX_ATTRIBUTES = 200;
/** The limit for all attributes of an element and of the elements around it. */
export const MAX_OPEN_TAG_CHARACTERS = 1_048_576;
/** The name of an element, an attribute or a processing instruction. */
export const MAX_NAME_CHARACTERS = 65_536;
/** A document type declaration. */
export const MAX_DECLARATION_CHARACTERS = 65_536;
/** A reference such as `&amp;`, without its delimiters. */
export const MAX_REFERENCE_CHARACTERS = 64;
/** A line of JSON. */
export const MAX_LINE_CHARACTERS = 1_048_576;
/**
 * Data that waits for later parts of the report: the class of a test in TRX, the end of a test in go test. About 70,000
 * TRX tests reach the limit.
 */
export const MAX_WAITING_CHARACTERS = 16_777_216;

const CUT_MARK = '… (cut)';

export function cutTo(characters: number, text: string): string {
  return text.length <= characters ? text : beginningOf(text, characters) + CUT_MARK;
}

export function beginningOf(text: string, characters: number): string {
  return text.slice(0, isFirstHalf(text.charCodeAt(characters - 1)) ? characters - 1 : characters);
}

export function tailOf(text: string, characters: number): string {
  const end = text.slice(-characters);
  return isFirstHalf(text.charCodeAt(text.length - characters - 1)) ? end.slice(1) : end;
}

/** The first half of a character that takes two places in a string. */
function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
