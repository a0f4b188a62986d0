import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readCommandLine, WRITES } from '../support/command-line';
import { answersPerSecond } from './api/load-client';
import { printDurability, printMachine } from './machine';
import { printNote, writeResults } from './results';
import { startOptions } from './start-options';
import { percentile, printTable } from './table';
import { withThrowAwayDatabase } from './throw-away-database';

const ROOT = join(__dirname, '../..');

/**
 * Requests per second of getQueue and getSubmittedPullRequest with 1,000 pull requests in the queue. The service is
 * compared with two programs that answer the same bytes from the same reads: bare Nest routes with Prisma, and `pg` on
 * `node:http`. All three programs take turns in one run, so that other work of the machine affects all of them. The
 * goals are about the medians of the ratios.
 */
const LEAST_OF_PG = 0.5;
const LEAST_OF_NEST = 0.9;
const ROUNDS = 6;
const SECONDS = 4;
const CONNECTIONS = 10;
const QUEUE = { repo: { host: 'memory.example', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };
const ASKED: Readonly<Record<string, readonly object[]>> = {
  getQueue: [QUEUE],
  getSubmittedPullRequest: [1, 2, 500, 1_000].map((number) => ({ ...QUEUE, pr: { number } })),
};

/** A measured service: ours, or one of the two programs. */
interface Side {
  /** The base URL of the service, to which the path of an operation is appended. */
  readonly url: string;
  readonly token: string;
}

type Name = 'ours' | 'nest' | 'pg';
type Sides = Readonly<Record<Name, Side>>;
const NAMES: readonly Name[] = ['ours', 'nest', 'pg'];

async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:api',
    does: 'Compares reads per second with Nest and Prisma, and with pg on node:http. Ends with 1 if a goal is missed.',
    options: WRITES,
  });
  printMachine();
  printNote(`${CONNECTIONS} connections, ${SECONDS} s a measurement, median of ${ROUNDS} rounds in turns`);
  printDurability('none');
  await withThrowAwayDatabase(async ({ url }) => {
    const compared = await compareAll(url);
    report(compared);
    const ofPg = Math.min(...compared.map(({ ratios }) => ratios.pg));
    const ofNest = Math.min(...compared.map(({ ratios }) => ratios.nest));
    const result = `at worst ${ofPg.toFixed(2)} of pg on node:http (at least ${LEAST_OF_PG}), ${ofNest.toFixed(2)} of Nest with Prisma (at least ${LEAST_OF_NEST})`;
    printNote(`\n${result}`);
    if (values.write) writeResults('api');
    if (!(ofPg >= LEAST_OF_PG && ofNest >= LEAST_OF_NEST)) process.exitCode = 1;
  });
}

async function compareAll(databaseUrl: string): Promise<readonly Comparison[]> {
  const processes: ChildProcess[] = [];
  const start = async <Address>(program: string): Promise<Address> => {
    const child = fork(join(__dirname, 'api', program), {
      execArgv: [...process.execArgv, ...startOptions(ROOT)],
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
    processes.push(child);
    return addressOf(child);
  };
  try {
    const { url, token } = await start<Side>('service.ts');
    const plain = await start<Pick<Side, 'url'>>('pg-on-http.ts');
    const sides = {
      ours: { url: `${url}/v1`, token },
      nest: { url: `${url}/v1/bare`, token },
      pg: { url: `${plain.url}/v1`, token },
    };
    const compared: Comparison[] = [];
    for (const [operation, bodies] of Object.entries(ASKED)) compared.push(await compare(sides, operation, bodies));
    return compared;
  } finally {
    for (const child of processes.filter(({ connected }) => connected)) {
      child.send('stop');
      await once(child, 'exit');
    }
  }
}

async function addressOf<Address>(child: ChildProcess): Promise<Address> {
  const died = once(child, 'exit').then(() => Promise.reject(new Error('A server did not start.')));
  const [address] = (await Promise.race([once(child, 'message'), died])) as [Address];
  died.catch(() => undefined);
  return address;
}

interface Comparison {
  readonly operation: string;
  /** The median of the requests per second, by service. */
  readonly rates: Readonly<Record<Name, number>>;
  /** Medians of our rate divided by the other service's rate in the same round. */
  readonly ratios: Readonly<Record<'nest' | 'pg', number>>;
}

function report(compared: readonly Comparison[]): void {
  const rows = compared.map(({ operation, rates, ratios }) => [
    operation,
    ...NAMES.map((name) => `${rates[name].toFixed(0)}/s`),
    ratios.nest.toFixed(2),
    ratios.pg.toFixed(2),
  ]);
  const head = ['operation', 'ours', 'Nest with Prisma', 'pg on node:http', 'ours to Nest', 'ours to pg'];
  printTable('Requests per second, medians', head, rows);
}

async function compare(sides: Sides, operation: string, bodies: readonly object[]): Promise<Comparison> {
  await requireSameBytes(sides, operation, bodies);
  for (const name of NAMES) await rateOf(sides[name], operation, bodies);
  const rounds: Readonly<Record<Name, number>>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The service that is measured first alternates between rounds.
    const first = round % NAMES.length;
    const rates = { ours: NaN, nest: NaN, pg: NaN };
    for (const name of [...NAMES.slice(first), ...NAMES.slice(0, first)])
      rates[name] = await rateOf(sides[name], operation, bodies);
    rounds.push(rates);
    console.log(
      `${operation} ${round + 1}: ${NAMES.map((name) => `${name} ${rates[name].toFixed(0)}/s`).join(', ')}, ` +
        `of Nest ${(rates.ours / rates.nest).toFixed(2)}, of pg ${(rates.ours / rates.pg).toFixed(2)}`,
    );
  }
  const median = (figure: (rates: Readonly<Record<Name, number>>) => number): number =>
    percentile(rounds.map(figure), 0.5);
  return {
    operation,
    rates: { ours: median(({ ours }) => ours), nest: median(({ nest }) => nest), pg: median(({ pg }) => pg) },
    ratios: { nest: median(({ ours, nest }) => ours / nest), pg: median(({ ours, pg }) => ours / pg) },
  };
}

async function requireSameBytes(sides: Sides, operation: string, bodies: readonly object[]): Promise<void> {
  const ask = async ({ url, token }: Side, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-token': token };
    const answer = await fetch(`${url}/${operation}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  for (const body of bodies) {
    const ours = await ask(sides.ours, body);
    for (const name of ['nest', 'pg'] as const) {
      const other = await ask(sides[name], body);
      if (ours.status === 200 && ours.status === other.status && ours.text === other.text) continue;
      throw new Error(
        `${name} answers ${operation} otherwise:\n${ours.text.slice(0, 900)}\n${other.text.slice(0, 900)}`,
      );
    }
  }
}

function rateOf({ url, token }: Side, operation: string, bodies: readonly object[]): Promise<number> {
  return answersPerSecond({
    url: `${url}/${operation}`,
    headers: { 'content-type': 'application/json', 'x-api-token': token },
    bodies: bodies.map((body) => JSON.stringify(body)),
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
