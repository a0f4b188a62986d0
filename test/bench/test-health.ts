import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine, WRITES } from '../support/command-line';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { applyMigrations } from '../../src/platform/migrations/migrations';
import { printDurability, printMachine } from './machine';
import { printNote, writeResults } from './results';
import { printTable } from './table';
import { type ListFigures, measureLists } from './test-health/listing';
import { BROKEN, DAYS, FLAKY, TESTS } from './test-health/made-results';
import { ProductionService } from './test-health/production-service';
import { makeStoredResults } from './test-health/stored-results';
import { measureUploads, type UploadFigures } from './test-health/uploading';

/** The largest growth of the P95 of a list when there are ten times as many results. */
const MOST_RATIO = 1.5;
/** Stored test cases per second, as a share of the rows per second that a COPY of the same rows stores. */
const LEAST_SHARE_OF_COPY = 1 / 3;
const UPLOAD_MIB = 500;
const MOST_MEMORY_MIB = 300;
const SIZES = [1_000_000, 10_000_000];
const GIB = 1024 ** 3;
const UPLOADS_BYTES = 4 * GIB;
/**
 * The limit of disk space for one result, with indexes, sums, write-ahead log and space for sorting: the measured
 * value, plus half of it.
 */
const BYTES_PER_RESULT = 450;

async function main(): Promise<void> {
  const { sizes, write } = readOptions();
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  chmodSync(folder, 0o755); // when run as root, the server runs as another user, who must reach the folder
  try {
    admitStream(folder, sizes);
    const uploads = await benchUploads(folder);
    const lists = await benchLists(folder, sizes);
    const ratio = Math.max(...lists.map(({ p95 }) => p95.at(-1)! / p95[0]!));
    const { ratio: shareOfCopy, memory } = uploads;
    const [ofCopy, peakMib] = [shareOfCopy.toFixed(2), memory.peakMib.toFixed(0)];
    printNote(`\nP95 ratio ${ratio.toFixed(2)}, upload ${ofCopy} of COPY, memory ${peakMib} MiB`);
    const isMet = ratio <= MOST_RATIO && shareOfCopy >= LEAST_SHARE_OF_COPY && memory.peakMib <= MOST_MEMORY_MIB;
    if (write) writeResults('test-health');
    if (!isMet) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `--results 10000,100000` is for a quick try. The benchmark never reduces its size automatically. */
function readOptions(): { readonly sizes: readonly number[]; readonly write: boolean } {
  const { values } = readCommandLine({
    script: 'bench:test-health',
    does: 'Measures uploads and evaluation of test results. Ends with 1 if a goal is missed.',
    options: { ...WRITES, results: { takes: 'N,N', says: 'sizes for a quick try' } },
  });
  return { sizes: values.results?.split(',').map(Number) ?? SIZES, write: values.write };
}

function admitStream(folder: string, sizes: readonly number[]): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = UPLOADS_BYTES + sizes.reduce((sum, size) => sum + size, 0) * BYTES_PER_RESULT;
  if (bavail * bsize >= needed) return;
  const gib = (bytes: number) => (bytes / GIB).toFixed(1);
  throw new Error(
    `${folder} has ${gib(bavail * bsize)} GiB left, and this needs ${gib(needed)} GiB: nothing was measured.`,
  );
}

/** Runs on a server that writes to disk as in production. */
async function benchUploads(folder: string): Promise<UploadFigures> {
  const data = join(folder, 'service-uploads');
  mkdirSync(data);
  const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'uploads'), database: 'sluice' });
  printDurability('full');
  try {
    await applyMigrations(server.url);
    const figures = await measureUploads(server.url, data, UPLOAD_MIB);
    const { perSecond, firstPerSecond, copyPerSecond, ratio } = figures;
    const cells = [perSecond, firstPerSecond, copyPerSecond].map((value) => value.toFixed(0));
    const head = ['an upload', 'the first, all tests new', 'COPY of the same rows', 'ratio'];
    printTable('Test cases stored per second', head, [[...cells, ratio.toFixed(2)]]);
    const shapes = [
      ['50,000 known tests that printed much', figures.memory],
      ['as many new tests as fit', figures.memoryOfNewTests],
    ] as const;
    printTable(
      'Memory of the service',
      ['an upload of', 'MiB', 'before', 'at most', 'took'],
      shapes.map(([of, { sentMib, beforeMib, peakMib, seconds }]) => [
        of,
        ...[sentMib, beforeMib, peakMib].map((mib) => mib.toFixed(0)),
        `${seconds.toFixed(0)} s`,
      ]),
    );
    return figures;
  } finally {
    await server.stop();
  }
}

async function benchLists(folder: string, sizes: readonly number[]): Promise<ListFigures[]> {
  const now = new Date();
  const server = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    database: 'sluice',
    durability: 'none',
  });
  const services: ProductionService[] = [];
  try {
    printDurability('none');
    printNote(`${TESTS} tests over ${DAYS} days, of which ${FLAKY} are flaky, ${BROKEN} broken; all others never fail`);
    const stored: string[][] = [];
    for (const size of sizes) {
      const url = await newDatabase(server.url, `results_${size}`);
      const data = join(folder, `service-${size}`);
      mkdirSync(data);
      services.push(await ProductionService.start(url, data));
      const startedAt = performance.now();
      const made = await makeStoredResults(url, size, now);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
      console.log(`made ${made.results} results in ${seconds} s`);
      const counts = [made.results, made.failures, made.groups, made.dayTotals].map((count) => `${count}`);
      stored.push([...counts, `${seconds} s`, await sizeOf(url)]);
    }
    printTable(
      'What is stored',
      ['results stored', 'failures', 'groups of failures', 'sums', 'made in', 'database'],
      stored,
    );
    const figures = await measureLists(services, now);
    printFigures(figures, sizes);
    return figures;
  } finally {
    for (const service of services) await service.stop();
    await server.stop();
  }
}

async function newDatabase(serverUrl: string, name: string): Promise<string> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  await applyMigrations(url.href);
  return url.href;
}

async function sizeOf(databaseUrl: string): Promise<string> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ gib: number }>(`SELECT pg_database_size(current_database()) / ${GIB}.0 AS gib`);
  await client.end();
  return `${Number(rows[0]?.gib).toFixed(1)} GiB`;
}

function printFigures(figures: readonly ListFigures[], sizes: readonly number[]): void {
  const ms = (values: readonly number[]) => values.map((value) => `${value.toFixed(1)} ms`);
  const head = ['list', ...['P50', 'P95'].flatMap((name) => sizes.map((size) => `${name} at ${size}`)), 'P95 ratio'];
  const rows = figures.map(({ list, p50, p95 }) => [list, ...ms(p50), ...ms(p95), (p95.at(-1)! / p95[0]!).toFixed(2)]);
  printTable('A list over HTTP, by results stored', head, rows);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
