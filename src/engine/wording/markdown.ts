/** One message in three lengths: a title, sentences under it, and one line for a list of checks. */
export interface Story {
  readonly title: string;
  /** The sentences under the title, in Markdown. */
  readonly sentences: readonly string[];
  /** The line for a list of checks, in plain text. */
  readonly line: string;
}

/** How a sentence shows a name: `plain` in text, `code` in Markdown. */
export type Quote = (name: string) => string;

export const plain: Quote = (name) => name;

/** The longest text in a code span, because a comment has at most 65,536 characters at GitHub. */
const LONGEST_CODE = 2_000;

/**
 * Puts untrusted text into a code span, so that it is never shown as Markdown, a mention or a link. It is cut to a
 * maximum length.
 */
export function code(text: string): string {
  const words = shortened(text.replace(/[`\s]+/g, ' ').trim(), LONGEST_CODE).replaceAll('|', '\\|');
  return words === '' ? '' : `\`${words}\``;
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}

/** A code span, with a link if the URL is an HTTP address. */
export function linked(text: string, url: string | null): string {
  if (url === null || !/^https?:\/\/[^\s<>]+$/i.test(url)) return code(text);
  const address = url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('|', '%7C');
  return `[${code(text)}](${address})`;
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
