import { BoundedLines } from '../bounded-lines';
import { FoundResults } from '../found-results';
import { MAX_LINE_CHARACTERS, MAX_WAITING_CHARACTERS } from '../limits';
import { MalformedReport } from '../malformed-report';
import type { ReportReader } from '../report-reader';
import { unknownReport } from '../unknown-report';
import { type GoEvent, goEvent } from './go-event';
import { failureOfPackage, GoPackage, type HeldText } from './go-package';
import { append } from './go-output';

/** The line about a package that could not be built or set up. Before Go 1.20 this line is not JSON. */
const FAILED_TO_BUILD = /^FAIL\t(\S+) \[((?:build|setup) failed)\]$/;

/**
 * Reads the events of `go test -json`: one JSON object per line. Lines that are not JSON are build messages, if
 * standard error was written to the same file.
 */
export class GoTestReport implements ReportReader {
  private readonly lines: BoundedLines;
  readonly found = new FoundResults();
  private readonly packages = new Map<string, GoPackage>();
  /** Build output, by import path. */
  private readonly builds = new Map<string, string>();
  /** The total size of the kept texts of all open tests. */
  private readonly held: HeldText = { characters: 0 };
  private hasEvents = false;

  constructor(private readonly fileName: string) {
    this.lines = new BoundedLines(MAX_LINE_CHARACTERS, (line, number) => this.read(line, number));
  }

  write(text: string): void {
    this.lines.write(text);
  }

  end(): void {
    const line = this.lines.end();
    for (const [name, { isBegun }] of this.packages) {
      if (isBegun)
        throw new MalformedReport(this.fileName, { line }, `the report ends before the package ${name} does`);
    }
    if (!this.hasEvents) throw unknownReport(this.fileName, 1, 'JSON without an Action of go test');
  }

  private read(line: string, number: number): void {
    if (line.startsWith('{')) return this.readEvent(line, number);
    const [, name, why] = FAILED_TO_BUILD.exec(line) ?? [];
    if (name === undefined || why === undefined) return;
    this.hasEvents = true;
    this.found.addOutsideTests(failureOfPackage(name, { message: why, text: '' }, null, number));
  }

  private readEvent(line: string, number: number): void {
    if (line.length > MAX_LINE_CHARACTERS)
      this.refuse(number, `a line has more than ${MAX_LINE_CHARACTERS} characters`);
    const event = goEvent(line);
    if (event === 'malformed') this.refuse(number, 'a line is not a complete JSON object');
    if (event === 'unknown') return;
    this.hasEvents = true;
    if (event.action === 'build-output') return this.addBuildOutput(event);
    if (event.action === 'build-fail') return;
    this.apply(event, number);
    if (this.held.characters > MAX_WAITING_CHARACTERS) {
      this.refuse(number, `the output of unfinished tests has more than ${MAX_WAITING_CHARACTERS} characters`);
    }
  }

  private apply(event: GoEvent, line: number): void {
    const name = event.package;
    const known = this.packages.get(name);
    const of = known ?? new GoPackage(name, line, this.held);
    if (known === undefined) this.packages.set(name, of);
    const hasEnded = of.apply(event, line, this.found, () => this.builds.get(event.failedBuild) ?? '');
    if (!hasEnded) return;
    of.giveBack();
    this.packages.delete(name);
  }

  private addBuildOutput({ importPath, output }: GoEvent): void {
    const before = this.builds.get(importPath) ?? '';
    const text = append(before, output);
    this.held.characters += text.length - before.length + (this.builds.has(importPath) ? 0 : importPath.length);
    this.builds.set(importPath, text);
    if (this.held.characters > MAX_WAITING_CHARACTERS / 2) this.builds.clear();
  }

  private refuse(line: number, reason: string): never {
    throw new MalformedReport(this.fileName, { line }, reason);
  }
}
