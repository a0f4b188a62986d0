import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../support/command-line';
import { printTable } from '../bench/table';
import { NAMED, PROJECT, specsWithAttacks } from './specs';
import { SUBJECTS } from './subjects';
import {
  type AttackRow,
  brokenFiles,
  type RecordedAttack,
  rowsOf,
  summaryOf,
  tablesOf,
  type TestResults,
} from './table';

const JEST = join(PROJECT, 'node_modules/jest/bin/jest.js');
const LONGEST_CELL = 100;

/** Runs the hostile tests alone, one after another, and prints the service's answer to each attack. */
async function main(): Promise<void> {
  const { positionals: wanted } = readCommandLine({
    script: 'test:attacks',
    does: 'Runs the hostile tests alone, and prints the answer to each attack. Ends with 1 if one gets another answer than it must.',
    args: '[number ...]',
  });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-attacks-'));
  const [results, records] = [join(folder, 'results.json'), join(folder, 'records.jsonl')];
  const pattern = wanted.length === 0 ? NAMED : `attack (${wanted.join('|')})\\b`;
  try {
    await runJest(['--testNamePattern', pattern, '--json', '--outputFile', results], records);
    if (!existsSync(results)) throw new Error('jest wrote no results');
    const found = JSON.parse(readFileSync(results, 'utf8')) as TestResults;
    const isWanted = ({ number }: AttackRow) => wanted.length === 0 || wanted.includes(String(number));
    const rows = rowsOf(found, existsSync(records) ? readRecords(records) : []).filter(isWanted);
    for (const [number, table] of tablesOf(rows)) {
      printTable(
        `${number}. ${SUBJECTS[number] ?? ''}`,
        ['attack', 'answer', 'time', 'memory', ''],
        table.map(cellsOf),
      );
    }
    const broken = brokenFiles(found);
    for (const file of broken) console.log(`\n${file}`);
    console.log(`\n${summaryOf(rows)}`);
    const areHeld = rows.some(({ status }) => status === 'held') && rows.every(({ status }) => status !== 'FAILED');
    process.exitCode = areHeld && broken.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs one spec at a time, so that the measured times and memory belong to its attacks alone. */
function runJest(options: readonly string[], records: string): Promise<void> {
  const args = [JEST, '--maxWorkers=1', ...options, '--runTestsByPath', ...specsWithAttacks()];
  const env = { ...process.env, SLUICE_ATTACKS_FILE: records };
  const child = spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

function readRecords(file: string): readonly RecordedAttack[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedAttack);
}

function cellsOf({ attack, answer, time, memory, status }: AttackRow): readonly string[] {
  return [shortened(attack), shortened(answer), time, memory, status];
}

function shortened(text: string): string {
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
}

void main();
