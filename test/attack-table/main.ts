import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../bench/table';
import { type AttackRow, brokenFiles, type RecordedAttack, rowsOf, summaryOf, type TestResults } from './table';

const PROJECT = join(__dirname, '../..');
const JEST = join(PROJECT, 'node_modules/jest/bin/jest.js');
const NAMED = 'attack \\d';
const LONGEST_CELL = 100;

/** Runs the hostile tests alone, one after another, and prints what each attack got for an answer. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-attacks-'));
  const [results, records] = [join(folder, 'results.json'), join(folder, 'records.jsonl')];
  const wanted = process.argv.slice(2);
  const pattern = wanted.length === 0 ? NAMED : `attack (${wanted.join('|')})\\b`;
  try {
    await runJest(['--testNamePattern', pattern, '--json', '--outputFile', results], records);
    if (!existsSync(results)) throw new Error('jest wrote no results');
    const found = JSON.parse(readFileSync(results, 'utf8')) as TestResults;
    const rows = rowsOf(found, existsSync(records) ? readRecords(records) : []);
    printTable('Attacks', ['attack', 'what', 'answer', 'time', 'memory', ''], rows.map(cellsOf));
    const broken = brokenFiles(found);
    for (const file of broken) console.log(`\n${file}`);
    console.log(`\n${summaryOf(rows)}`);
    const isHeld = rows.length > 0 && broken.length === 0 && rows.every(({ status }) => status === 'held');
    process.exitCode = isHeld ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Only the files that have such a test: jest would load every other one to find none in it. */
function filesWithAttacks(): readonly string[] {
  return ['src', 'test']
    .flatMap((root) => readdirSync(join(PROJECT, root), { recursive: true }).map((name) => join(root, String(name))))
    .filter((path) => path.endsWith('.spec.ts') && new RegExp(NAMED).test(readFileSync(join(PROJECT, path), 'utf8')));
}

/** One at a time, so that the times and the memory are those of the attack alone. */
function runJest(options: readonly string[], records: string): Promise<void> {
  const args = [JEST, '--maxWorkers=1', ...options, '--runTestsByPath', ...filesWithAttacks()];
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

function cellsOf({ number, attack, answer, time, memory, status }: AttackRow): readonly string[] {
  return [String(number), shortened(attack), shortened(answer), time, memory, status];
}

function shortened(text: string): string {
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
}

void main();
