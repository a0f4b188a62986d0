import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { MalformedReport } from '../../src/modules/test-health/reports/malformed-report';
import { readReport } from '../../src/modules/test-health/reports/read-report';
import type { ReportCounts, ReportedResult } from '../../src/modules/test-health/reports/reported-result';

export interface ReadReport {
  readonly results: readonly ReportedResult[];
  readonly counts: ReportCounts;
}

export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<ReadReport> {
  const results: ReportedResult[] = [];
  const reading = readReport(chunks, { fileName: 'report' });
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { results, counts: value };
    results.push(...value);
  }
}

export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** Reads the report as a whole and in small pieces, and expects equal results. */
export async function readText(text: string | Uint8Array): Promise<ReadReport> {
  const bytes = Buffer.from(text);
  const whole = await readAll(inPieces(bytes, Math.max(1, bytes.length)));
  expect(await readAll(inPieces(bytes, 7))).toEqual(whole);
  return whole;
}

/** Reads a report in `test/fixtures/reports`. */
export function readFixture(path: string): Promise<ReadReport> {
  return readAll(createReadStream(join(__dirname, '../fixtures/reports', path)));
}

export async function refusalOf(text: string | Uint8Array): Promise<MalformedReport> {
  const bytes = Buffer.from(text);
  const refusals = [];
  for (const size of [Math.max(1, bytes.length), 7]) {
    refusals.push(await readAll(inPieces(bytes, size)).catch((error: unknown) => error));
  }
  const [whole, inParts] = refusals;
  if (!(whole instanceof MalformedReport)) throw new Error(`It was read: ${JSON.stringify(whole)}`);
  expect(inParts).toMatchObject({ line: whole.line, reason: whole.reason });
  return whole;
}

/** A line for each result, such as `failed Shop.CartTests > adds: message`. */
export function toldBy({ results }: ReadReport): string[] {
  return results.map(({ outcome, parent, classname, name, failure, isOutsideTests }) => {
    const place = [parent, classname, name].filter((text) => text !== '').join(' > ');
    const said = failure === null ? '' : `: ${failure.message.split('\n', 1)[0]?.trim()}`;
    return `${outcome}${isOutsideTests ? ' outside tests' : ''} ${place}${said}`;
  });
}
