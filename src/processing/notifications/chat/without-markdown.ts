/** An invisible character, to insert after a character that would begin a mention, a channel or a URL. */
const BREAK = '\u200b';

/** Escapes a text for markdown: no formatting, no links, no mentions. */
export function withoutMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+\-.!|~<>:]/g, '\\$&')
    .replace(/[@]/g, `@${BREAK}`)
    .replace(/(https?|ftp|mailto|www)(?=\\[:.])/gi, `$1${BREAK}`);
}
