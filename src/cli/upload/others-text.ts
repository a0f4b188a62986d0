import { withoutSecrets } from '../../modules/test-health/reports/without-secrets';

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Characters that reverse the text direction. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with each lone surrogate replaced by U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Foreign text as one line: without control characters, lone surrogates and anything that looks like a secret. */
export function othersLine(text: string, most = Infinity): string {
  const whole = withoutSecrets(wellFormed(text)).replace(CONTROLS, ' ').replace(DIRECTIONS, '\u{fffd}');
  return whole.length <= most ? whole : `${wellFormed(whole.slice(0, most - 1))}…`;
}

/**
 * A line for the log of a CI job that no CI system takes for a command. GitHub, Gitea and Forgejo carry out lines that
 * begin with `::` or contain `##[`. Azure Pipelines carries out `##vso[`, and TeamCity `##teamcity[`.
 */
export function logLine(line: string): string {
  return othersLine(line)
    .replace(/##(?=(?:vso|teamcity)?\[)/gi, '# #')
    .replace(/^([^\p{L}\p{N}]*?)::/u, '$1: :');
}

/** A Markdown code span, in which links, mentions, images and HTML have no effect. Empty for an empty text. */
export function codeSpan(text: string, most: number): string {
  const words = othersLine(text, most).trim();
  if (words === '') return '';
  const fence = '`'.repeat(longestRun(words) + 1);
  const edge = words.startsWith('`') || words.endsWith('`') ? ' ' : '';
  return `${fence}${edge}${words}${edge}${fence}`;
}

/** A Markdown code block, line by line, indented by two blanks to belong to a list item. */
export function codeBlock(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const fence = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`  ${fence}text`, ...lines.map((line) => `  ${line}`), `  ${fence}`];
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

/** The first lines of a text, each without control characters. */
export function firstLines(text: string, lines: number, most: number): readonly string[] {
  const all = withoutSecrets(text).split(/\r\n|[\n\r\u2028\u2029]/);
  return all
    .map((line) => othersLine(line, most).trimEnd())
    .filter((line) => line.trim() !== '')
    .slice(0, lines);
}

/** A URL for a link; undefined if it is not a web address. */
export function linkAddress(url: string): string | undefined {
  return /^https?:\/\/[^\s<>()[\]"'`\\|]{1,2000}$/i.test(url) ? url : undefined;
}
