import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { applyMigrations } from '../../src/platform/database/migrations';

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
    server = fork(join(__dirname, 'api-server.ts'), { env: { ...process.env, DATABASE_URL: database.url } });
    const address = await addressOf(server);
    const worst: number[] = [];
    for (const [operation, bodies] of Object.entries(ASKED)) worst.push(await compare(address, operation, bodies));
    const ratio = Math.min(...worst);
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

async function compare(address: Address, operation: string, bodies: readonly object[]): Promise<number> {
  await requireSameBytes(address, operation, bodies);
  await rateOf(address, operation, bodies);
  await rateOf(address, `bare/${operation}`, bodies);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const ours = await rateOf(address, operation, bodies);
    const bare = await rateOf(address, `bare/${operation}`, bodies);
    ratios.push(ours / bare);
    console.log(
      `${operation} ${round}: ours ${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s, ratio ${(ours / bare).toFixed(2)}`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
  console.log(`${operation}: median ratio ${median.toFixed(2)}`);
  return median;
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
