import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export interface Options {
  /** If given, the parts of paths. Only files with one of these parts in their path are mutated. */
  readonly files: readonly string[];
  /**
   * The most mutants of each area, spread over the area's files. `Infinity` means all mutants, and null the usual
   * number for the area.
   */
  readonly limit: number | null;
  /** Determines the random days, and which mutants are chosen if there is a limit. */
  readonly seed: number;
  readonly jobs: number;
}

const HELP = `Makes one wrong program after another from the sources, and looks whether a test notices.

  npm run test:mutants -- [options]

  --file TEXT   only mutants of files with this text in their path; can be repeated
  --limit N     so many mutants of each area at most; all: every one
  --seed N      which days are played, and which mutants a limit picks (1)
  --jobs N      so many at a time (${availableParallelism()})
  --help

Ends with 0 when every mutant is noticed, apart from those that do the same as the right program.`;

/** The options of the command. With `--help`, prints the help and returns null. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      file: { type: 'string', multiple: true, default: [] },
      limit: { type: 'string' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return null;
  }
  return {
    files: values.file,
    limit: values.limit === undefined ? null : limitIn(values.limit),
    seed: wholeNumber('seed', values.seed, 0),
    jobs: wholeNumber('jobs', values.jobs, 1),
  };
}

function limitIn(text: string): number {
  return text === 'all' ? Infinity : wholeNumber('limit', text, 1);
}

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least) throw new Error(`--${name} is a whole number from ${least} on`);
  return number;
}

/** Every n-th of the items, so that at most `limit` items are left. The seed determines the first item. */
export function sampleOf<T>(all: readonly T[], limit: number, seed: number): readonly T[] {
  if (all.length <= limit) return all;
  return Array.from({ length: limit }, (_, i) => all[(Math.floor((i * all.length) / limit) + seed) % all.length]!);
}
