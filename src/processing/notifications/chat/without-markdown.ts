/** Stands behind a sign that would begin a mention, a channel or an address; nobody sees it. */
const BREAK = '\u200b';

/** Text that shows as it is where markdown is read: nothing in it is formatted, links somewhere or calls anybody. */
export function withoutMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+\-.!|~<>:]/g, '\\$&')
    .replace(/[@]/g, `@${BREAK}`)
    .replace(/(https?|ftp|mailto|www)(?=\\[:.])/gi, `$1${BREAK}`);
}
