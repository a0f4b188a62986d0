/** What is kept of a report, so that no report can make us hold more: the rest of a text is cut, with a mark. */
export const MAX_ATTRIBUTE_CHARACTERS = 32_768;
export const MAX_FAILURE_TEXT_CHARACTERS = 65_536;
/** One more than is kept of any, so that what is cut later gets its mark. */
export const MAX_TEXT_CHARACTERS = MAX_FAILURE_TEXT_CHARACTERS + 1;

/** Above these a report is refused: nothing that writes reports comes near them. */
export const MAX_DEPTH = 200;
export const MAX_ATTRIBUTES = 200;
/** Of the attributes of an element and of those around it. */
export const MAX_OPEN_TAG_CHARACTERS = 1_048_576;
/** Of an element, an attribute or a processing instruction. */
export const MAX_NAME_CHARACTERS = 65_536;
/** Of a document type declaration. */
export const MAX_DECLARATION_CHARACTERS = 65_536;
/** Of a reference such as `&amp;`, between its ends. */
export const MAX_REFERENCE_CHARACTERS = 64;
/** Of a line of JSON. */
export const MAX_LINE_CHARACTERS = 1_048_576;
/**
 * Of what has to wait for something that stands further on: the class of a test in TRX, the end of a test in go test.
 * Some 70,000 tests of TRX come to it.
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

/** Of a character that takes two places in a string. */
function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
