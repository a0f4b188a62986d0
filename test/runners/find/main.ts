import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../../bench/table';
import { readCommandLine } from '../../support/command-line';
import { type Kind, KINDS } from './kinds';

const PROJECT = join(__dirname, '../../..');
/** Files and folders of the project that the suites need. */
const COPIED = ['src', 'test', 'prisma', 'package.json'];
const SHORT = /^\S+, seed (\d+): (?:wrong|held)\b.*$/m;
const LAST_LINE = /^\d+ suites of 1 runners: /m;

interface Found {
  readonly seed: number;
  /** The line that the runs print. */
  readonly line: string;
}

interface Seeds {
  readonly first: number;
  readonly count: number;
}

function main(): void {
  const { values } = readCommandLine({
    script: 'test:runners-find',
    does: 'Takes out what is against each of the five kinds of failures that were ignored, one at a time in a copy of the project, and plays random suites of real runners until one ends as it must not, and as it does not in the project as it is. Ends with 1 if a kind is not found.',
    options: {
      kind: { takes: 'TEXT', default: '', says: 'kinds with this text in their name' },
      suites: { takes: 'N', default: '100', says: 'suites for each runner, at most' },
      seed: { takes: 'N', default: '1', says: 'of the first suite; the next ones follow' },
    },
  });
  const seeds = { first: Number(values.seed), count: Number(values.suites) };
  const kinds = KINDS.filter(({ name }) => name.includes(values.kind));
  if (kinds.length === 0) throw new Error(`There is no kind with ${values.kind} in its name.`);
  const rows = kinds.flatMap((kind) => kind.runners.map((runner) => searched(kind, runner, seeds)));
  printTable('Kinds that are put back', ['kind', 'runner', 'suites until it is found', 'by'], rows);
  const missed = rows.filter(([, , count]) => count === 'not found').length;
  console.log(`\n${rows.length - missed} of ${rows.length} searches found their kind`);
  if (missed > 0) process.exitCode = 1;
}

function searched(kind: Kind, runner: string, seeds: Seeds): string[] {
  const found = ofKindAlone(kind, runner, seeds);
  console.log(`${kind.name}: ${found?.line ?? `${runner} does not find it`}`);
  if (found === null) return [kind.name, runner, 'not found', ''];
  const verdict = found.line.replace(/^.*?: (\w+), .*$/, '$1');
  return [kind.name, runner, String(found.seed - seeds.first + 1), verdict];
}

function ofKindAlone(kind: Kind, runner: string, { first, count }: Seeds): Found | null {
  const found = firstIn(kind.edits, runner, { first, count });
  const isOfKind = found === null || firstIn([], runner, { first: found.seed, count: 1 }) === null;
  if (isOfKind) return found;
  const next = found.seed + 1;
  return next < first + count ? ofKindAlone(kind, runner, { first: next, count: first + count - next }) : null;
}

/** Plays suites in a copy of the project with the edits, until a suite ends wrongly. Returns this suite, or null. */
function firstIn(edits: Kind['edits'], runner: string, { first, count }: Seeds): Found | null {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-kinds-')));
  try {
    for (const name of COPIED) cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    for (const [file, piece, instead] of edits) edit(join(folder, file), piece, instead);
    const suites = ['--seed', String(first), '--suites', String(count), '--first'];
    const command = ['-r', './test/bench/typescript.cjs', 'test/runners/main.ts', '--runner', runner, ...suites];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
    if (!LAST_LINE.test(stdout)) throw new Error(`The suites of ${runner} were not played: ${stdout}${stderr}`);
    const [line, seed] = SHORT.exec(stdout) ?? [];
    return line === undefined ? null : { line, seed: Number(seed) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function edit(file: string, piece: string, instead: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.split(piece).length !== 2) throw new Error(`${file} does not have once: ${piece}`);
  writeFileSync(
    file,
    text.replace(piece, () => instead),
  );
}

main();
