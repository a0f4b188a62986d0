import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { percentile } from '../table';
import { ProductionService } from './production-service';
import { pieces, TESTS_PER_SUITE } from './reports';

const TESTS = 50_000;
const ROUNDS = 5;
const MIB = 1024 * 1024;
/** One test in a hundred fails, in every upload the same tests. */
const fails = (test: number): boolean => test % 100 === 0;
const LINE = 'a line that a test printed while it ran\n';
const BOUNDARY = 'bench-boundary';
const COLUMNS =
  'test_case_id, occurred_at, upload_id, summary_id, duration_ms, pr_number, outcome, branch_class, counted';

export interface MemoryFigures {
  readonly sentMib: number;
  /** Memory of the service before the upload, and its peak during the upload. */
  readonly beforeMib: number;
  readonly peakMib: number;
  readonly seconds: number;
}

export interface UploadFigures {
  /**
   * Stored test cases per second: `perSecond` is the median of the rounds, and `firstPerSecond` belongs to the first
   * upload, whose tests are all new.
   */
  readonly perSecond: number;
  readonly firstPerSecond: number;
  readonly copyPerSecond: number;
  /** The median, over all rounds, of our rate divided by the rate of COPY. */
  readonly ratio: number;
  /** Memory for an upload of 50,000 known tests with much output. */
  readonly memory: MemoryFigures;
  /** Memory for an upload with as many new tests as the size limit allows. */
  readonly memoryOfNewTests: MemoryFigures;
}

/** Uploads to the built service over HTTP, compared with a COPY of the rows that each upload stored. */
export async function measureUploads(databaseUrl: string, folder: string, memoryMib: number): Promise<UploadFigures> {
  const service = await ProductionService.start(databaseUrl, folder);
  try {
    const speed = await compareWithCopy(service, databaseUrl);
    const memory = await memoryOf(service, memoryMib, muchOutput(memoryMib));
    const memoryOfNewTests = await memoryOf(service, memoryMib, manyTests(memoryMib));
    return { ...speed, memory, memoryOfNewTests };
  } finally {
    await service.stop();
  }
}

async function compareWithCopy(
  service: ProductionService,
  databaseUrl: string,
): Promise<Omit<UploadFigures, 'memory' | 'memoryOfNewTests'>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await makeYardstick(client);
    const firstPerSecond = TESTS / (await secondsOf(() => upload(service, report())));
    await copyNewest(client);
    const rounds: { readonly ours: number; readonly copy: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const ours = await secondsOf(() => upload(service, report()));
      const copy = await copyNewest(client);
      // Round 0 does not count, because it includes work that is done once, such as compiling.
      if (round === 0) continue;
      rounds.push({ ours, copy });
      console.log(
        `upload ${round}: ${perSecond(ours)}/s, COPY ${perSecond(copy)}/s, ratio ${(copy / ours).toFixed(2)}`,
      );
    }
    const median = (values: readonly number[]) => percentile(values, 0.5);
    return {
      perSecond: TESTS / median(rounds.map(({ ours }) => ours)),
      firstPerSecond,
      copyPerSecond: TESTS / median(rounds.map(({ copy }) => copy)),
      ratio: median(rounds.map(({ ours, copy }) => copy / ours)),
    };
  } finally {
    await client.end();
  }
}

function perSecond(seconds: number): string {
  return (TESTS / seconds).toFixed(0);
}

function report(): Buffer {
  return Buffer.from([...pieces(TESTS, fails)].join(''));
}

/** Makes a table with the columns, indexes and days of the results table, to which the same rows are copied. */
async function makeYardstick(client: Client): Promise<void> {
  await client.query(
    'CREATE TABLE bench_copy (LIKE test_results.result INCLUDING ALL) PARTITION BY RANGE (occurred_at)',
  );
  await client.query(`CREATE TABLE bench_copy_day PARTITION OF bench_copy DEFAULT`);
}

/** Seconds that a COPY of the newest upload's rows takes, by a client that holds the rows in memory. */
async function copyNewest(client: Client): Promise<number> {
  const newest = `SELECT ${COLUMNS} FROM test_results.result WHERE upload_id = (SELECT max("id") FROM "TestUpload")`;
  const chunks: Buffer[] = [];
  for await (const chunk of client.query(copyTo(`COPY (${newest}) TO STDOUT`))) chunks.push(chunk as Buffer);
  const rows = Buffer.concat(chunks);
  return secondsOf(() =>
    pipeline(Readable.from([rows]), client.query(copyFrom(`COPY bench_copy (${COLUMNS}) FROM STDIN`))),
  );
}

async function memoryOf(service: ProductionService, mib: number, report: Iterable<string>): Promise<MemoryFigures> {
  service.forgetPeak();
  const beforeMib = service.peakBytes / MIB;
  const sent = { bytes: 0 };
  const seconds = await secondsOf(() => upload(service, Readable.from(limited(mib, report, sent))));
  return { sentMib: sent.bytes / MIB, beforeMib, peakMib: service.peakBytes / MIB, seconds };
}

/** The report up to its size limit, with a proper end. */
function* limited(mib: number, report: Iterable<string>, sent: { bytes: number }): Generator<Buffer> {
  for (const piece of report) {
    const bytes = Buffer.from(piece);
    sent.bytes += bytes.length;
    yield bytes;
    if (sent.bytes >= mib * MIB) break;
  }
  yield Buffer.from('</testsuites>\n');
}

/** The known tests, with output of `mib` MiB in total. */
function muchOutput(mib: number): Iterable<string> {
  const perSuite = (mib * MIB * TESTS_PER_SUITE) / TESTS;
  return pieces(TESTS, fails, LINE.repeat(Math.ceil(perSuite / LINE.length)));
}

/** A report with more tests than fit and with little output. Nearly all of its tests are new. */
function manyTests(mib: number): Iterable<string> {
  return pieces(mib * 20_000, fails, LINE.repeat(100));
}

async function upload({ url, token }: ProductionService, body: Buffer | AsyncIterable<Buffer>): Promise<void> {
  const metadata = {
    repo: { host: 'local', owner: 'acme', name: 'widgets' },
    org_url_slug: 'acme',
    commit: randomBytes(20).toString('hex'),
    branch: 'main',
  };
  const response = await fetch(`${url}/v1/flaky-tests/upload-results`, {
    method: 'POST',
    headers: { 'x-api-token': token, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Readable.from(form(JSON.stringify(metadata), body)),
    duplex: 'half',
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
}

async function* form(metadata: string, body: Buffer | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const part = (head: string) => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`;
  yield Buffer.from(`${part('name="metadata"')}${metadata}\r\n${part('name="report"; filename="report.xml"')}`);
  if (Buffer.isBuffer(body)) yield body;
  else yield* body;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
