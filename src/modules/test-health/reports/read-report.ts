import { CtrfReport } from './ctrf/ctrf-report';
import { decode } from './decode';
import { GoTestReport } from './go-test/go-test-report';
import { MalformedReport } from './malformed-report';
import { recognise, type TextFormat } from './recognise';
import type { ReportReader } from './report-reader';
import type { ReportCounts, ReportedResult } from './reported-result';
import { TapReport } from './tap/tap-report';
import { quoted, unknownReport } from './unknown-report';
import { XmlReport } from './xml-report';

const READERS: Readonly<Record<TextFormat, new (fileName: string) => ReportReader>> = {
  xml: XmlReport,
  json: CtrfReport,
  'go-test': GoTestReport,
  tap: TapReport,
};

/**
 * Reads a report of any format as it comes in and yields what each piece of it completed, in the order of the file, so
 * that who consumes it sets the pace. Throws a MalformedReport where the file stops being one: what was yielded until
 * then was in the file, but whoever wants the file whole or not at all drops it.
 */
export async function* readReport(
  chunks: AsyncIterable<Uint8Array>,
  { fileName }: { readonly fileName: string },
): AsyncGenerator<readonly ReportedResult[], ReportCounts> {
  let head = '';
  // Looks again when there is twice as much: a client may send byte by byte.
  let looksAt = 1;
  let reader: ReportReader | null = null;
  for await (const text of decode(chunks, fileName)) {
    if (reader === null) {
      head += text;
      if (head.length < looksAt) continue;
      looksAt = head.length * 2;
      reader = readerOf(head, fileName, false);
      if (reader === null) continue;
      reader.write(head);
      head = '';
    } else reader.write(text);
    const results = reader.found.takeResults();
    if (results.length > 0) yield results;
  }
  if (reader === null) {
    reader = readerOf(head, fileName, true) ?? refuse(head, fileName);
    reader.write(head);
  }
  reader.end();
  const results = reader.found.takeResults();
  if (results.length > 0) yield results;
  return { ...reader.found.counts, unmetTotals: reader.found.unmetTotals };
}

/** Null: what is there does not say it yet. */
function readerOf(head: string, fileName: string, isWhole: boolean): ReportReader | null {
  const format = recognise(head, isWhole);
  if (format === 'more') return null;
  return format === 'unknown' ? refuse(head, fileName) : new READERS[format](fileName);
}

function refuse(head: string, fileName: string): never {
  const begins = head.trim().split('\n', 1)[0]?.trim() ?? '';
  if (begins === '') throw new MalformedReport(fileName, { line: 1 }, 'the file is empty');
  throw unknownReport(fileName, 1, `a file that begins with ${quoted(begins)}`);
}
