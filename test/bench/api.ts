import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { applyMigrations } from '../../src/platform/database/migrations';
import { printMachine } from './machine';
import { printNote, WRITE_OPTION, writeResults } from './results';
import { percentile, printTable } from './table';

/**
 * Requests per second of getQueue and getSubmittedPullRequest with 1,000 pull requests in the queue, beside bare Nest
 * routes that answer the same bytes from plain findMany calls. The two are asked alternately in one run, so that the
 * machine's other work falls on both; the median of the ratios counts.
 */
const LEAST_RATIO = 0.7;
const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 10;
const QUEUE = { repo: { host: 'memory.example', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };
const ASKED: Readonly<Record<string, readonly object[]>> = {
  getQueue: [QUEUE],
  getSubmittedPullRequest: [1, 2, 500, 1_000].map((number) => ({ ...QUEUE, pr: { number } })),
};

interface Address {
  readonly url: string;
  readonly token: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: WRITE_OPTION });
  printMachine();
  printNote(`${CONNECTIONS} connections, ${SECONDS} s a measurement, median of ${ROUNDS} alternated rounds`);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  chmodSync(folder, 0o755); // as root the server runs as another user, who must reach the folder
  const database = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    database: 'sluice',
    durability: 'none',
  });
  let server: ChildProcess | undefined;
  try {
    await applyMigrations(database.url);
    server = fork(join(__dirname, 'api-server.ts'), {
      env: { ...process.env, DATABASE_URL: database.url, SLUICE_RATE_LIMIT_PER_MINUTE: '0' },
    });
    const address = await addressOf(server);
    const compared: Comparison[] = [];
    for (const [operation, bodies] of Object.entries(ASKED)) compared.push(await compare(address, operation, bodies));
    const ratio = Math.min(...compared.map((one) => one.ratio));
    report(compared);
    printNote(`\nworst ratio ${ratio.toFixed(2)} (at least ${LEAST_RATIO})`);
    if (values.write) writeResults('api');
    console.log(ratio.toFixed(2));
    if (ratio < LEAST_RATIO) process.exitCode = 1;
  } finally {
    if (server?.connected) {
      server.send('stop');
      await once(server, 'exit');
    }
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addressOf(server: ChildProcess): Promise<Address> {
  const died = once(server, 'exit').then(() => Promise.reject(new Error('The service did not start.')));
  const [address] = (await Promise.race([once(server, 'message'), died])) as [Address];
  died.catch(() => undefined);
  return address;
}

interface Comparison {
  readonly operation: string;
  /** Requests per second, and the median of ours ÷ bare round by round. */
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
}

function report(compared: readonly Comparison[]): void {
  const rows = compared.map(({ operation, ours, bare, ratio }) => [
    operation,
    `${ours.toFixed(0)}/s`,
    `${bare.toFixed(0)}/s`,
    ratio.toFixed(2),
  ]);
  printTable('Requests per second, medians', ['operation', 'ours', 'bare', 'ratio'], rows);
}

async function compare(address: Address, operation: string, bodies: readonly object[]): Promise<Comparison> {
  await requireSameBytes(address, operation, bodies);
  await rateOf(address, operation, bodies);
  await rateOf(address, `bare/${operation}`, bodies);
  const rounds: { readonly ours: number; readonly bare: number }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const ours = await rateOf(address, operation, bodies);
    const bare = await rateOf(address, `bare/${operation}`, bodies);
    rounds.push({ ours, bare });
    console.log(
      `${operation} ${round}: ours ${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s, ratio ${(ours / bare).toFixed(2)}`,
    );
  }
  const median = (values: readonly number[]): number => percentile(values, 0.5);
  return {
    operation,
    ours: median(rounds.map(({ ours }) => ours)),
    bare: median(rounds.map(({ bare }) => bare)),
    ratio: median(rounds.map(({ ours, bare }) => ours / bare)),
  };
}

async function requireSameBytes({ url, token }: Address, operation: string, bodies: readonly object[]): Promise<void> {
  const ask = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-token': token };
    const answer = await fetch(`${url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  for (const body of bodies) {
    const [ours, bare] = [await ask(operation, body), await ask(`bare/${operation}`, body)];
    if (ours.status === 200 && ours.status === bare.status && ours.text === bare.text) continue;
    throw new Error(`The answers to ${operation} differ:\n${ours.text.slice(0, 900)}\n${bare.text.slice(0, 900)}`);
  }
}

async function rateOf({ url, token }: Address, path: string, bodies: readonly object[]): Promise<number> {
  const result = await autocannon({
    url: `${url}/v1/${path}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-token': token },
    requests: bodies.map((body) => ({ method: 'POST' as const, body: JSON.stringify(body) })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
