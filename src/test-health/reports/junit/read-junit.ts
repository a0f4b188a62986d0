import { BoundedXml } from '../bounded-xml';
import { decode } from '../decode';
import { ReportListener } from './report-listener';
import type { ReportCounts, ReportedResult } from '../reported-result';

export { MalformedReport } from '../malformed-report';

/**
 * Reads a JUnit XML report as it comes in and yields what each piece of it completed, in the order of the file, so that
 * who consumes it sets the pace. Throws a MalformedReport where the file stops being one: what was yielded until then
 * was in the file, but whoever wants the file whole or not at all drops it.
 */
export async function* readJUnit(
  chunks: AsyncIterable<Uint8Array>,
  { fileName }: { readonly fileName: string },
): AsyncGenerator<readonly ReportedResult[], ReportCounts> {
  const listener = new ReportListener();
  const xml = new BoundedXml(fileName, listener);
  for await (const text of decode(chunks, fileName)) {
    xml.write(text);
    const results = listener.takeResults();
    if (results.length > 0) yield results;
  }
  xml.end();
  const results = listener.takeResults();
  if (results.length > 0) yield results;
  return { ...listener.counts, unmetTotals: listener.unmetTotals };
}
