/** Code, URLs of links, and HTML, which stay as they are. */
const KEPT = /(```[\s\S]*?```|`[^`\n]*`|\]\([^)\s]*\)|<[^>\n]*>)/;
const ADDRESS = String.raw`https?:\/\/[^\s<>]{1,300}\/(?:pull|pulls|issues|merge_requests)\/\d+[^\s<>]{0,300}`;
const IN_REPOSITORY = String.raw`(?<![\w/.&#!-])[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20}[#!]\d+\b`;
const NUMBER = String.raw`(?<![\w&#!])[#!]\d+\b|\bGH-\d+\b`;
const REFERENCE = new RegExp(`${ADDRESS}|${IN_REPOSITORY}|${NUMBER}`, 'g');

/**
 * Puts the numbers of pull requests into code spans. Otherwise a host adds a line to the timeline of every pull request
 * and issue that a comment, title or description names, and notifies its subscribers.
 */
export function withoutReferences(markdown: string): string {
  const parts = markdown.split(KEPT);
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replace(REFERENCE, (named) => `\`${named}\``))).join('');
}
