import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { signingKeyIn } from '../../src/modules/attestations/statement/envelope';
import type { MergeMethod } from '../../src/domain/code-host.port';
import { printMachine } from './machine';
import { printNote, WRITE_OPTION, writeResults } from './results';
import { printTable } from './table';
import { makeStated } from './verify/stated-repository';

const HELP = `npm run bench:verify [-- --landings N --files N --write]

Makes a repository for each merge method, with signed statements, and measures the CPU time of sluice verify.
Ends with 1 if a method takes more than 60 seconds, or if a commit is not verified.

  --landings N  merges for each method; default: 1000
  --files N     files of the repository; default: 40000
  --write       store the figures in bench/verify.md`;

const MOST_SECONDS = 60;
const TICKS_PER_SECOND = 100;
const METHODS: readonly MergeMethod[] = ['merge_commit', 'squash', 'rebase'];
const MAIN = join(__dirname, '../../dist/cli/main.js');

interface Measured {
  readonly method: MergeMethod;
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly bundleMib: number;
  readonly verified: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...WRITE_OPTION,
      help: { type: 'boolean', default: false },
      landings: { type: 'string', default: '1000' },
      files: { type: 'string', default: '40000' },
    },
  });
  if (values.help) return console.log(HELP);
  printMachine();
  const size = { landings: Number(values.landings), files: Number(values.files) };
  const measured: Measured[] = [];
  for (const method of METHODS) {
    console.log(`${method}: ${size.landings} merges in a repository of ${size.files} files …`);
    measured.push(await measure(method, size));
  }
  report(measured, size);
  if (values.write) writeResults('verify');
  const worst = Math.max(...measured.map(({ cpuSeconds }) => cpuSeconds));
  const isWhole = measured.every(({ verified }) => verified >= size.landings);
  const isMet = worst <= MOST_SECONDS && isWhole;
  const figure = `at most ${worst.toFixed(1)} s of CPU for ${size.landings} merges, goal ${MOST_SECONDS}`;
  console.log(`${figure}: ${isMet ? 'met' : isWhole ? 'missed' : 'not all commits are verified'}`);
  if (!isMet) process.exitCode = 1;
}

async function measure(
  method: MergeMethod,
  size: { readonly landings: number; readonly files: number },
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-verify-'));
  try {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = signingKeyIn(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const keyFile = join(folder, 'key.pem');
    writeFileSync(keyFile, key.publicKey);
    const { repository, bundle } = await makeStated(join(folder, 'made'), method, size, key);
    const words = ['verify', repository, 'main', '--key', keyFile, '--bundle', bundle, '--json'];
    const [began, busyBefore] = [performance.now(), busySeconds()];
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words], { maxBuffer: 1 << 28 });
    const [cpuSeconds, seconds] = [busySeconds() - busyBefore, (performance.now() - began) / 1_000];
    const { commits } = JSON.parse(stdout) as { readonly commits: readonly { readonly verdict: string }[] };
    const verified = commits.filter(({ verdict }) => verdict === 'verified').length;
    const bundleMib = statSync(bundle).size / 1024 / 1024;
    return { method, cpuSeconds, seconds, bundleMib, verified };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Total CPU seconds of this machine, including the CPU time of other programs. git runs below a process that outlives
 * the command, so the command's own CPU time would omit it.
 */
function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq) / TICKS_PER_SECOND;
}

function report(measured: readonly Measured[], { landings, files }: { landings: number; files: number }): void {
  const rows = measured.map(({ method, cpuSeconds, seconds, bundleMib, verified }) => [
    ...[method, cpuSeconds.toFixed(1), seconds.toFixed(1), String(verified), bundleMib.toFixed(1)],
  ]);
  const head = ['merge method', 'CPU s', 'elapsed s', 'commits verified', 'bundle MiB'];
  printTable(`${landings} merges, ${files} files`, head, rows);
  printNote(`the goal is ${MOST_SECONDS} s of CPU for each method`);
}

void main();
