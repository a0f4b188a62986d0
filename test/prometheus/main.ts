import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printMachine } from '../bench/machine';
import { printNote, writeResults } from '../bench/results';
import { printTable } from '../bench/table';
import { metricsIn, queries, rules, titleOfAlert, titleOfPanel } from './asked';

/**
 * `npm run test:prometheus` runs the tests with a real Prometheus, and prints tables of the queries. `--write` stores
 * the tables in bench/prometheus.md; every other option is passed to jest.
 */
const ROOT = join(__dirname, '../..');
const CONFIG = join(ROOT, 'test/prometheus/jest.config.cjs');
const OUTPUT = '--outputFile=';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

const HELP = `npm run test:prometheus [-- --write] [options of Jest]

Runs the tests with a real Prometheus, and prints what it was asked. Ends with 1 if a test fails.

  --write  store the tables in bench/prometheus.md`;

function main(): number {
  if (process.argv.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const isToWrite = process.argv.includes('--write');
  const options = process.argv.slice(2).filter((option) => option !== '--write');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-prometheus-'));
  try {
    const wanted = options.find((option) => option.startsWith(OUTPUT));
    const file = wanted?.slice(OUTPUT.length) ?? join(folder, 'report.json');
    const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', CONFIG, ...options];
    if (wanted === undefined) jest.push('--json', `${OUTPUT}${file}`);
    const { status } = spawnSync(process.execPath, jest, { cwd: ROOT, stdio: ['inherit', 'ignore', 'inherit'] });
    const wasAsked = report(JSON.parse(readFileSync(file, 'utf8')) as Report);
    if (isToWrite && wasAsked) writeResults('prometheus', 'test:prometheus');
    return isToWrite && !wasAsked ? 1 : (status ?? 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the tables and a summary. Returns whether every query was sent to Prometheus. */
function report({ numPassedTests, numFailedTests, testResults }: Report): boolean {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const answerTo = (wanted: string): string => {
    const statuses = results.filter(({ title }) => title === wanted).map(({ status }) => status);
    if (statuses.includes('failed')) return 'NO';
    return statuses.length > 0 && statuses.every((status) => status === 'passed') ? 'yes' : 'not asked';
  };
  const alerts = rules.map(({ alert, expr, for: after = 'at once', labels: { severity } }) => {
    return [alert, severity, after, metricsIn(expr).join(', '), answerTo(titleOfAlert(alert))];
  });
  const panels = queries.map(([title, query]) => [title, metricsIn(query).join(', '), answerTo(titleOfPanel(title))]);
  const answers = [...alerts, ...panels].map((row) => row.at(-1));
  const count = (wanted: string): number => answers.filter((answer) => answer === wanted).length;
  const figure = `${alerts.length} alerts and ${panels.length} queries of the dashboard: ${count('yes')} answered, ${count('NO')} not; ${numPassedTests} tests passed, ${numFailedTests} failed`;
  const version = versionOfPrometheus();
  if (version === null) {
    printNote(`no Prometheus is installed here (apt-get install prometheus): ${figure}`);
    return false;
  }
  printMachine();
  printNote(`Prometheus ${version}`);
  printTable('Alerts', ['alert', 'severity', 'comes after', 'asks for', 'answered'], alerts);
  printTable('Queries of the dashboard', ['panel', 'asks for', 'answered'], panels);
  printNote(figure);
  return count('not asked') === 0;
}

function versionOfPrometheus(): string | null {
  const { stdout, stderr, error } = spawnSync('prometheus', ['--version'], { encoding: 'utf8' });
  if (error) return null;
  return /version ([^\s,]+)/.exec(stdout + stderr)?.[1] ?? 'of no known version';
}

process.exitCode = main();
