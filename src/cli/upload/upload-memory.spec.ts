import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itWhere, LINUX } from '../../../test/support/only-where';

const ROOT = join(__dirname, '../../..');
const LOAD = join(ROOT, 'prisma/engine/load-typescript.cjs');
const MAIN = join(ROOT, 'src/cli/main.ts');
const OPTIONS = ['--repo', 'git.example/acme/widgets', '--org', 'acme', '--commit', 'c'.repeat(40)];
const MIB = 1024 * 1024;
const REPORT_MIB = 120;
/** The limit is smaller than each report. Uncollected garbage counts too: on a busy machine, the growth was 64 MiB. */
const GROWTH_LIMIT_MIB = 100;

/** The peak memory of the process in MiB, since it began. */
function peakMemory({ pid }: ChildProcess): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/**
 * Uploads a report that is compressed on the way, and an already compressed one. Returns the command's peak memory in
 * MiB.
 */
async function peakOfUpload(folder: string, mib: number): Promise<number> {
  for (const name of ['packed-on-the-way.xml', 'packed.xml.gz']) write(join(folder, name), mib);
  let peak = NaN;
  let sent = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (sent += chunk.length));
    request.on('end', () => {
      // The command waits for the answer now, so the whole body has passed through its memory.
      peak = peakMemory(command);
      const results = { total: 1, passed: 1, failed: 0, skipped: 0 };
      response.end(
        JSON.stringify({ upload_id: 'u', status: 'stored', results, failures: [], failures_truncated: false }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = ['-r', LOAD, '-e', `require(${JSON.stringify(MAIN)})`, 'sluice', 'upload', '.', ...OPTIONS];
  const env = { PATH: process.env.PATH, SLUICE_URL: url, SLUICE_TOKEN: 'slc_secret' };
  const command = spawn(process.execPath, program, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  command.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const exit = await new Promise((resolve) => command.once('close', resolve));
  await new Promise((resolve) => server.close(resolve));
  expect({ exit, said }).toEqual({ exit: 0, said });
  expect(sent).toBeGreaterThan(mib * MIB);
  return peak;
}

function write(path: string, mib: number): void {
  const chunk = Buffer.alloc(MIB, '<testcase classname="C" name="a"/>\n');
  const file = openSync(path, 'w');
  for (let written = 0; written < mib; written++) writeSync(file, chunk);
  closeSync(file);
}

describe('the memory of sluice upload', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-upload-memory-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  // Peak memory of another process is read from /proc, which only Linux has.
  itWhere(LINUX)(
    'does not grow with the size of the reports',
    async () => {
      const small = await peakOfUpload(folder, 1);
      const large = await peakOfUpload(folder, REPORT_MIB);
      expect({ small, large, growth: large - small < GROWTH_LIMIT_MIB }).toEqual({ small, large, growth: true });
    },
    120_000,
  );
});
