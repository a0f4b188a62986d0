import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { printMachine } from './machine';
import { printNote, WRITE_OPTION, writeResults } from './results';
import { percentile, printTable } from './table';

const HELP = `npm run bench:cli [-- --rounds N --write]

Starts sluice --help, sluice --version and sluice pr status in turn with node -e 0, and compares
the medians of CPU time and elapsed time. Ends with 1 if a command takes more than 4 times as long.

  --rounds N  how often each command starts; default: 25
  --write     store the figures in bench/cli.md`;

const MOST_TIMES = 4;
const MAIN = join(__dirname, '../../dist/cli/main.js');
const NOTHING = { name: 'node -e 0', args: ['-e', '0'], serviceBy: 'SLUICE_URL' } as const;
const STATUS = ['pr', 'status', 'local/acme/shop', '7'];
/** The answer that the command gets from the service, about a merged pull request. */
const MERGED = { prNumber: 7, prTitle: 'Raise the price', state: 'merged', prSha: 'a'.repeat(40) };

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  /**
   * The file or variable from which the command reads the service's URL. With `sluice.config.yaml` the command also
   * loads the YAML package, so the goal does not apply to this source.
   */
  readonly serviceBy: 'SLUICE_URL' | 'sluice.config.yaml';
}

interface Sample {
  readonly cpuMs: number;
  readonly elapsedMs: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { ...WRITE_OPTION, help: { type: 'boolean', default: false }, rounds: { type: 'string', default: '25' } },
  });
  if (values.help) return console.log(HELP);
  printMachine();
  const byFile = { ...sluice(STATUS), name: 'with sluice.config.yaml', serviceBy: 'sluice.config.yaml' } as const;
  const commands = [NOTHING, sluice(['--help']), sluice(['--version']), sluice(STATUS), byFile];
  const samples = await withService((url) => measure(commands, Number(values.rounds), url));
  const worst = report(commands, samples);
  if (values.write) writeResults('cli');
  const isMet = worst <= MOST_TIMES;
  console.log(`at most ${worst.toFixed(2)} times node -e 0, goal ${MOST_TIMES}: ${isMet ? 'met' : 'missed'}`);
  if (!isMet) process.exitCode = 1;
}

function sluice(args: readonly string[]): Command {
  return { name: `sluice ${args.slice(0, 2).join(' ')}`, args: [MAIN, ...args], serviceBy: 'SLUICE_URL' };
}

async function withService<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((_request, response) => response.end(JSON.stringify(MERGED)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

/**
 * The commands are interleaved, so that a busy moment of the machine affects all of them alike. The first round warms
 * the disk cache and does not count.
 */
async function measure(commands: readonly Command[], rounds: number, url: string): Promise<readonly Sample[][]> {
  const cwd = mkdtempSync(join(tmpdir(), 'sluice-bench-cli-'));
  const env = { PATH: process.env.PATH, SLUICE_TOKEN: 'slc_secret' };
  const places = {
    SLUICE_URL: { cwd, env: { ...env, SLUICE_URL: url } },
    'sluice.config.yaml': { cwd: join(cwd, 'configured'), env },
  };
  mkdirSync(places['sluice.config.yaml'].cwd);
  writeFileSync(join(places['sluice.config.yaml'].cwd, 'sluice.config.yaml'), `port: ${new URL(url).port}\n`);
  const samples = commands.map((): Sample[] => []);
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const [i, { args, serviceBy }] of commands.entries()) {
        const sample = await timed([process.execPath, ...args], places[serviceBy]);
        if (round > 0) samples[i]!.push(sample);
      }
    }
  } finally {
    rmSync(cwd, { recursive: true });
  }
  return samples;
}

/** Bash's `time` counts the CPU of the whole process, with the start and the end of Node. */
async function timed(
  words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Sample> {
  const script = `TIMEFORMAT='%R %U %S'; time "$@" > output 2>&1`;
  const { stderr } = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', ...words], options);
  const [elapsed = NaN, user = NaN, system = NaN] = stderr.trim().split(' ').map(Number);
  return { cpuMs: 1_000 * (user + system), elapsedMs: 1_000 * elapsed };
}

/** Returns the highest ratio of the commands with a goal. */
function report(commands: readonly Command[], samples: readonly Sample[][]): number {
  const medians = samples.map((all) => ({
    cpuMs: percentile(
      all.map(({ cpuMs }) => cpuMs),
      0.5,
    ),
    elapsedMs: percentile(
      all.map(({ elapsedMs }) => elapsedMs),
      0.5,
    ),
  }));
  const [nothing] = medians as [Sample];
  const ratios = medians.map(({ cpuMs, elapsedMs }) => [cpuMs / nothing.cpuMs, elapsedMs / nothing.elapsedMs] as const);
  const rows = medians.map(({ cpuMs, elapsedMs }, i) => [
    commands[i]!.name,
    cpuMs.toFixed(0),
    ratios[i]![0].toFixed(2),
    elapsedMs.toFixed(0),
    ratios[i]![1].toFixed(2),
  ]);
  const head = ['command', 'CPU ms', 'times node -e 0', 'elapsed ms', 'times node -e 0'];
  printTable(`Medians of ${samples[0]!.length} starts`, head, rows);
  const worst = Math.max(...ratios.filter((_, i) => commands[i]!.serviceBy === 'SLUICE_URL').flat());
  printNote(`the highest ratio is ${worst.toFixed(2)}; the goal is ${MOST_TIMES}`);
  return worst;
}

void main();
