import { type Attributes, BoundedXml, type XmlListener } from './bounded-xml';
import { FoundResults } from './found-results';
import { ReportListener } from './junit/report-listener';
import { NunitListener } from './nunit/nunit-listener';
import type { FoundInReport, ReportReader } from './report-reader';
import { TrxListener } from './trx/trx-listener';
import { unknownReport } from './unknown-report';
import { beginningOf } from './limits';
import { XunitListener } from './xunit/xunit-listener';

/** Makes results from the elements of one format. It receives the names of elements without namespace prefixes. */
interface XmlFormat {
  readonly listener: XmlListener;
  readonly found: FoundInReport;
}

type OpenFormat = (fileName: string) => XmlFormat;

const junit: OpenFormat = () => {
  const listener = new ReportListener();
  return { listener, found: listener };
};
const of =
  (open: (found: FoundResults, fileName: string) => XmlListener): OpenFormat =>
  (fileName) => {
    const found = new FoundResults();
    return { listener: open(found, fileName), found };
  };

/** The formats by the name of their root element. */
const FORMATS: ReadonlyMap<string, OpenFormat> = new Map([
  ...['testsuites', 'testsuite', 'testcase'].map((root) => [root, junit] as const),
  ['TestRun', of((found, fileName) => new TrxListener(fileName, found))],
  ['test-run', of((found) => new NunitListener(found))],
  ...['assemblies', 'assembly'].map((root) => [root, of((found) => new XunitListener(found))] as const),
]);

const NOTHING = new FoundResults();

/** A report in XML. The root element of the document selects the format. */
export class XmlReport implements ReportReader, XmlListener {
  private readonly xml: BoundedXml;
  private format: XmlFormat | null = null;

  constructor(private readonly fileName: string) {
    this.xml = new BoundedXml(fileName, this);
  }

  write(text: string): void {
    this.xml.write(text);
  }

  end(): void {
    this.xml.end();
  }

  get found(): FoundInReport {
    return this.format?.found ?? NOTHING;
  }

  open(name: string, attributes: Attributes, line: number): void {
    const local = name.slice(name.indexOf(':') + 1);
    this.format ??= this.formatOf(local, line);
    this.format.listener.open(local, attributes, line);
  }

  text(piece: string): void {
    this.format?.listener.text(piece);
  }

  close(): void {
    this.format?.listener.close();
  }

  private formatOf(root: string, line: number): XmlFormat {
    const open = FORMATS.get(root);
    if (open === undefined) throw unknownReport(this.fileName, line, `<${beginningOf(root, 80)}>`);
    return open(this.fileName);
  }
}
