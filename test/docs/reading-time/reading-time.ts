import { readDocument } from '../documents';

export const WORDS_PER_MINUTE = 220;
/** The time to copy a command, run it, and look at its answer. */
export const SECONDS_PER_COMMAND = 30;
/** The time to write a file that the page shows. */
export const SECONDS_PER_FILE = 60;

/**
 * A section of a page: from its heading to the next heading of the same level. Without a heading, the section goes from
 * the title to the first heading.
 */
export interface CountedSection {
  readonly file: string;
  readonly heading?: string;
}

export interface Question {
  readonly name: string;
  readonly limitSeconds: number;
  readonly sections: readonly CountedSection[];
  /** Whether commands and files take time beyond reading. */
  readonly withDoing: boolean;
}

export const QUESTIONS: readonly Question[] = [
  { name: 'What is it', limitSeconds: 20, sections: [{ file: 'README.md' }], withDoing: false },
  {
    name: 'Why is it better',
    limitSeconds: 60,
    sections: [{ file: 'README.md', heading: '## Why' }],
    withDoing: false,
  },
  {
    name: 'Install with docker compose',
    limitSeconds: 5 * 60,
    sections: [
      { file: 'docs/install.md' },
      { file: 'docs/install.md', heading: '## docker compose' },
      { file: 'docs/install.md', heading: '## The first organization and token' },
    ],
    withDoing: false,
  },
  {
    name: 'First merge on GitHub, with a token instead of an app',
    limitSeconds: 10 * 60,
    sections: [{ file: 'docs/quickstart-github.md' }],
    withDoing: true,
  },
];

export interface ReadingTime {
  readonly words: number;
  readonly commands: number;
  readonly files: number;
  readonly seconds: number;
}

export function readingTime({ sections, withDoing }: Question): ReadingTime {
  const text = sections.map(sectionText).join('\n');
  const words = wordsIn(text);
  const commands = withDoing ? commandsIn(text) : 0;
  const files = withDoing ? (text.match(/^```(?:yaml|json)$/gm) ?? []).length : 0;
  const seconds = (60 * words) / WORDS_PER_MINUTE + SECONDS_PER_COMMAND * commands + SECONDS_PER_FILE * files;
  return { words, commands, files, seconds };
}

function sectionText({ file, heading }: CountedSection): string {
  const lines = readDocument(file).split('\n');
  const isHeading = (line: string, most: number) => (/^(#+) /.exec(line)?.[1]?.length ?? most + 1) <= most;
  const from = heading === undefined ? 0 : lines.indexOf(heading);
  if (from < 0) throw new Error(`${file} has no heading "${heading}".`);
  const level = heading === undefined ? 2 : heading.indexOf(' ');
  const length = lines.slice(from + 1).findIndex((line) => isHeading(line, level));
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n');
}

/**
 * The words that a reader sees: without comments, pictures, targets of links and lines of tables. A command is read,
 * too.
 */
function wordsIn(text: string): number {
  const seen = text
    .replace(/<!--[^]*?-->/g, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^```.*$/gm, '');
  return seen.split(/[\s|]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function commandsIn(text: string): number {
  const blocks = [...text.matchAll(/^```(?:sh|bash)\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks
    .join('')
    .split('\n')
    .filter((line) => /^\w/.test(line)).length;
}
