import { withoutSecrets } from '../../modules/test-health/reports/without-secrets';

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** They turn the order of what is read. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A half of a character is none: it becomes U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Text that anybody may have written, as one line: without controls, halves of characters and what looks like a secret. */
export function othersLine(text: string, most = Infinity): string {
  const whole = withoutSecrets(wellFormed(text)).replace(CONTROLS, ' ').replace(DIRECTIONS, '\u{fffd}');
  return whole.length <= most ? whole : `${wellFormed(whole.slice(0, most - 1))}…`;
}

/**
 * A line for the log of a CI job, in which no system finds a command: GitHub, Gitea and Forgejo obey lines that begin with `::`, and
 * `##[` anywhere, as Azure Pipelines obeys `##vso[` and TeamCity `##teamcity[`.
 */
export function logLine(line: string): string {
  return othersLine(line)
    .replace(/##(?=(?:vso|teamcity)?\[)/gi, '# #')
    .replace(/^([^\p{L}\p{N}]*?)::/u, '$1: :');
}

/** A code span of Markdown: nothing in it is a link, a mention, an image or HTML. Empty for an empty text. */
export function codeSpan(text: string, most: number): string {
  const words = othersLine(text, most).trim();
  if (words === '') return '';
  const fence = '`'.repeat(longestRun(words) + 1);
  const edge = words.startsWith('`') || words.endsWith('`') ? ' ' : '';
  return `${fence}${edge}${words}${edge}${fence}`;
}

/** A code block of Markdown, line by line, indented by two blanks to stand below an item of a list. */
export function codeBlock(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const fence = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`  ${fence}text`, ...lines.map((line) => `  ${line}`), `  ${fence}`];
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

/** The first lines of a text, each one line. */
export function firstLines(text: string, lines: number, most: number): readonly string[] {
  const all = withoutSecrets(text).split(/\r\n|[\n\r\u2028\u2029]/);
  return all
    .map((line) => othersLine(line, most).trimEnd())
    .filter((line) => line.trim() !== '')
    .slice(0, lines);
}

/** An address for a link; undefined where it is none of the web. */
export function linkAddress(url: string): string | undefined {
  return /^https?:\/\/[^\s<>()[\]"'`\\|]{1,2000}$/i.test(url) ? url : undefined;
}
