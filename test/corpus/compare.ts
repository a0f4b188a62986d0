/**
 * Reads a folder of JUnit reports and compares our parser's counts with the counts of another parser. npm run
 * test:corpus -- <folder with expected.json>
 */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { readCommandLine } from '../support/command-line';
import { decode } from '../../src/modules/test-health/reports/decode';
import { MalformedReport } from '../../src/modules/test-health/reports/malformed-report';
import { readReport } from '../../src/modules/test-health/reports/read-report';
import type { ReportCounts } from '../../src/modules/test-health/reports/reported-result';
import { isForbiddenReference, replaceForbiddenCharacters } from '../../src/modules/test-health/reports/xml-characters';

/** Counts of another parser; a count of zero is left out. */
export interface ExpectedCounts {
  readonly suites?: number;
  readonly tests?: number;
  readonly pass?: number;
  readonly failure?: number;
  readonly error?: number;
  readonly skipped?: number;
  readonly flaky?: number;
  /** Test cases with a `rerunFailure` or `rerunError`. */
  readonly rerun?: number;
  /** The other parser's error for a file that it could not read. */
  readonly unparsable?: string;
}

export interface CorpusReport {
  readonly files: number;
  /** The number of well-formed reports with the same counts. */
  readonly equal: number;
  /** Malformed reports that were refused with a line number. */
  readonly refused: readonly string[];
  /**
   * Reports that are malformed only by characters which XML forbids. Our parser replaces the characters; other parsers
   * stop at them.
   */
  readonly repaired: readonly string[];
  readonly differences: readonly string[];
  readonly results: number;
}

export async function compareFolder(folder: string): Promise<CorpusReport> {
  const expected = readExpected(folder);
  const found = globSync('**/*.xml', { cwd: folder, dot: true }).sort();
  const differences = Object.keys(expected)
    .filter((file) => !found.includes(file))
    .map((file) => `${file}: expected, but not there`);
  const refused: string[] = [];
  const repaired: string[] = [];
  let [equal, results] = [0, 0];
  for (const file of found) {
    const outcome = await countsOf(join(folder, file), file);
    const difference = differenceOf(outcome, expected[file]);
    if (difference === MALFORMED && (await hasForbiddenCharacters(join(folder, file)))) repaired.push(file);
    else if (difference !== null) differences.push(`${file}: ${difference}`);
    else if (outcome instanceof MalformedReport) refused.push(outcome.message);
    else equal++;
    if (!(outcome instanceof MalformedReport)) results += outcome.results;
  }
  return { files: found.length, equal, refused, repaired, differences, results };
}

function readExpected(folder: string): Readonly<Record<string, ExpectedCounts>> {
  return JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, ExpectedCounts>;
}

async function countsOf(path: string, fileName: string): Promise<ReportCounts | MalformedReport> {
  const reading = readReport(createReadStream(path), { fileName });
  try {
    for (;;) {
      const { done, value } = await reading.next();
      if (done) return value;
    }
  } catch (error) {
    if (error instanceof MalformedReport) return error;
    throw error;
  }
}

const MALFORMED = 'read, though malformed';

async function hasForbiddenCharacters(path: string): Promise<boolean> {
  let text = '';
  for await (const piece of decode(createReadStream(path), path)) text += piece;
  if (replaceForbiddenCharacters(text) !== text) return true;
  return (text.match(/&#\w+;/g) ?? []).some((reference) => isForbiddenReference(reference.slice(1, -1)));
}

/** Null if the outcome is as expected. */
function differenceOf(outcome: ReportCounts | MalformedReport, expected: ExpectedCounts | undefined): string | null {
  if (expected === undefined) return 'nothing is expected of it';
  const { unparsable, ...counts } = expected;
  if (outcome instanceof MalformedReport) {
    if (unparsable === undefined) return `refused: line ${outcome.line}, ${outcome.reason}`;
    return outcome.line >= 1 ? null : `refused without a line: ${outcome.reason}`;
  }
  if (unparsable !== undefined) return MALFORMED;
  const read: Required<Omit<ExpectedCounts, 'unparsable'>> = {
    suites: outcome.suites,
    tests: outcome.tests,
    pass: outcome.passed,
    failure: outcome.failures,
    error: outcome.errors,
    skipped: outcome.skipped,
    flaky: outcome.flaky,
    rerun: outcome.rerun,
  };
  const names = new Set([...Object.keys(read), ...Object.keys(counts)] as (keyof typeof read)[]);
  const different = [...names].filter((name) => (read[name] ?? 0) !== (counts[name] ?? 0));
  if (different.length === 0) return null;
  return different.map((name) => `${name} ${read[name]}, expected ${counts[name] ?? 0}`).join('; ');
}

export function printReport({ files, equal, refused, repaired, differences, results }: CorpusReport): string {
  return [
    ...refused.map((refusal) => `refused, as expected: ${refusal}`),
    ...repaired.map((file) => `read, with forbidden characters replaced: ${file}`),
    ...differences.map((difference) => `DIFFERENT ${difference}`),
    `${files} files: ${equal} read with the expected counts, ${refused.length} malformed and refused with a line, ` +
      `${repaired.length} read with forbidden characters replaced, ${differences.length} different; ${results} results.`,
    '',
  ].join('\n');
}

async function main([folder]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error('Which folder? One with reports and expected.json.');
  const report = await compareFolder(folder);
  process.stdout.write(printReport(report));
  process.exitCode = report.files > 0 && report.differences.length === 0 ? 0 : 1;
}

if (require.main === module) {
  const { positionals } = readCommandLine({
    script: 'test:corpus',
    does: 'Reads a folder of JUnit reports, and compares the counts with those in its expected.json. Ends with 1 if they differ.',
    args: '<folder>',
  });
  void main(positionals);
}
