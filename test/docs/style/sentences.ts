/** Stands for code, a URL or an inserted part. This text counts as one word, and no rule matches it. */
export const CODE = '\u25a1';

/** A piece of text that people read: a paragraph, a list item, a cell, a heading, a comment, a message or a title. */
export interface Unit {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isHeading?: boolean;
}

const ABBREVIATIONS = new Set(['e.g.', 'i.e.', 'etc.', 'vs.', 'cf.', 'no.', 'approx.', 'mr.', 'dr.']);

/** The text without marks of Markdown and HTML. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/(`+)[^`]*\1/g, CODE)
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>/g, ' ')
    .replace(/https?:\/\/\S+/g, CODE)
    .replace(/(?<![\p{L}\p{N}_])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}_])/gu, '');
}

/** The sentences of a unit. Names, codes and pieces with fewer than two words are not sentences. */
export function sentencesIn({ text, ...place }: Unit): readonly Unit[] {
  const parts: string[] = [];
  let begun = '';
  for (const piece of text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?]["'”’)\]*]*) +(?=["'“‘([*]*[\p{L}\p{N}\u25a1])/u)) {
    begun = begun === '' ? piece : `${begun} ${piece}`;
    if (isOpenAt(begun)) continue;
    parts.push(begun);
    begun = '';
  }
  return [...parts, begun].filter(isSentence).map((part) => ({ ...place, text: part }));
}

/** Whether the stop at the end belongs to an abbreviation or an initial, so that the sentence continues. */
function isOpenAt(text: string): boolean {
  const last = text.slice(text.lastIndexOf(' ') + 1).replace(/^["'“‘([*]+/u, '');
  return ABBREVIATIONS.has(last.toLowerCase()) || /^[A-Z]\.$/.test(last);
}

function isSentence(text: string): boolean {
  return (text.match(/\p{L}{2,}/gu) ?? []).length >= 2 && /\p{L}['’”")]*[,:;]? +\S/u.test(text);
}

/** The number of words. Names in a row, such as three settings, count as one word. */
export function wordsIn(text: string): number {
  const shortened = text.replace(/\u25a1(?:,? (?:and |or )?\u25a1)+/g, CODE);
  return shortened.split(/\s+/).filter((word) => /[\p{L}\u25a1]/u.test(word)).length;
}
