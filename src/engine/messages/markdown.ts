/** Says one thing in three lengths: a title, sentences under it, and one line for a list of checks. */
export interface Story {
  readonly title: string;
  /** Markdown. */
  readonly sentences: readonly string[];
  /** Plain text. */
  readonly line: string;
}

/** Anybody may have chosen these words: shown as they are, never as markdown, a mention or a link. */
export function code(text: string): string {
  const words = text
    .replace(/[`\s]+/g, ' ')
    .trim()
    .replaceAll('|', '\\|');
  return words === '' ? '' : `\`${words}\``;
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}

/** Text that may hold anything, as a link where the address is one of the web. */
export function linked(text: string, url: string | null): string {
  if (url === null || !/^https?:\/\/[^\s<>]+$/i.test(url)) return code(text);
  const address = url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('|', '%7C');
  return `[${code(text)}](${address})`;
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** `acme-queue` as a name: Acme-queue. */
export function nameOf(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}
