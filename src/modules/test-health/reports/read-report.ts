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
 * Reads a report of any format as it arrives, and yields the results that each piece completes, in the order of the
 * file. The consumer sets the pace. Throws a MalformedReport when it reaches invalid text. Results that were yielded
 * before that text are valid; a consumer that needs complete files drops them.
 */
export async function* readReport(
  chunks: AsyncIterable<Uint8Array>,
  { fileName }: { readonly fileName: string },
): AsyncGenerator<readonly ReportedResult[], ReportCounts> {
  let head = '';
  // The format is looked for again only at twice the size, because a client may send byte by byte.
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

/** Null: the text is too short to decide. */
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
