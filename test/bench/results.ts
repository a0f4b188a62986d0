import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The option `--write` of every benchmark replaces the stored results in bench with the results of this run. */
export const WRITE_OPTION = { write: { type: 'boolean', default: false } } as const;

type Result =
  { readonly type: 'note'; readonly text: string } | { readonly type: 'table'; readonly lines: readonly string[] };

/** The results of this process, which runs one benchmark. */
const results: Result[] = [];

/** Prints a line that belongs to the results, such as a condition or a conclusion. */
export function printNote(text: string): void {
  console.log(text);
  results.push({ type: 'note', text: text.trim() });
}

/** `lines`: Markdown. */
export function printLines(lines: readonly string[]): void {
  console.log(`\n${lines.join('\n')}`);
  results.push({ type: 'table', lines });
}

/**
 * Writes the results of `npm run <script>` to bench/<name>.md. Only the text below the line of `markerOf` is replaced.
 */
export function writeResults(name: string, script = `bench:${name}`): void {
  const file = join(__dirname, '../../bench', `${name}.md`);
  const options = process.argv.slice(2).filter((option) => option !== '--write');
  const command = `npm run ${script}${options.length === 0 ? '' : ` -- ${options.join(' ')}`}`;
  const printed = markdownOf([{ type: 'note', text: `\`${command}\`` }, ...results]);
  writeFileSync(file, replaceResults(readFileSync(file, 'utf8'), script, printed));
  console.error(`written to ${file}`);
}

export function markerOf(script: string): string {
  return `<!-- Below is what \`npm run ${script} -- --write\` wrote. -->`;
}

export function replaceResults(document: string, script: string, printed: string): string {
  const marker = markerOf(script);
  const at = document.indexOf(marker);
  if (at < 0) throw new Error(`Its page below bench must hold the line ${marker}`);
  return `${document.slice(0, at)}${marker}\n\n${printed}\n`;
}

/** Consecutive notes form one list. */
export function markdownOf(all: readonly Result[]): string {
  const blocks = all.map((result, i) => {
    if (result.type === 'table') return `\n\n${result.lines.join('\n')}`;
    return `${all[i - 1]?.type === 'note' ? '\n' : '\n\n'}- ${result.text}`;
  });
  return blocks.join('').trim();
}
