import { BoundedLines } from '../bounded-lines';
import { FoundResults } from '../found-results';
import { cutTo, MAX_ATTRIBUTE_CHARACTERS, MAX_DEPTH, MAX_FAILURE_TEXT_CHARACTERS } from '../limits';
import { MalformedReport } from '../malformed-report';
import type { ReportReader } from '../report-reader';
import { replaceUnstorableCharacters } from '../xml-characters';
import { Diagnostic } from './diagnostic';
import { type Assertions, joinedPath, newAssertions, newLevel, type TapLevel } from './tap-level';
import { type TapLine, tapLine, type TapPoint } from './tap-line';
import { addAssertion, addTest, isAssertion, type OpenPoint, resultOfAssertions } from './tap-results';

const INDENT = 4;

/** Reads TAP 12 to 14, with subtests in the styles of node, node-tap and vitest, and comments of tape. */
export class TapReport implements ReportReader {
  readonly found = new FoundResults();
  private readonly lines: BoundedLines;
  private levels: TapLevel[] = [newLevel('', false)];
  /** The last point, whose diagnostic may follow. */
  private point: OpenPoint | null = null;
  /** Points with a subtest in braces, by depth. */
  private readonly blocks: { readonly depth: number; readonly point: OpenPoint }[] = [];
  private yamlIndent: number | null = null;
  /** The test that a comment of tape has named, with its assertions. */
  private group: Assertions | null = null;
  private hasVersion = false;
  private hasSubtests = false;
  private hasBailedOut = false;

  constructor(private readonly fileName: string) {
    this.lines = new BoundedLines(MAX_FAILURE_TEXT_CHARACTERS, (line, number) => this.read(line, number));
  }

  write(text: string): void {
    this.lines.write(text);
  }

  end(): void {
    const line = this.lines.end();
    if (this.yamlIndent !== null) this.refuse(line, 'the report ends within a diagnostic');
    this.completePoint();
    this.completeStream(line);
  }

  private read(raw: string, number: number): void {
    const text = raw.trim();
    const indent = raw.length - raw.trimStart().length;
    if (this.yamlIndent !== null) {
      if (text === '...' && indent === this.yamlIndent) this.yamlIndent = null;
      else this.point?.diagnostic.add(replaceUnstorableCharacters(raw));
      return;
    }
    if (text === '') return;
    if (text === '---' && this.point !== null && indent > this.point.indent) {
      this.yamlIndent = indent;
      return;
    }
    const line = tapLine(text);
    const depth = indent / INDENT;
    // The tested program may print lines between the TAP lines, with any indentation.
    const isOther =
      line.is === 'other' || line.is === 'pragma' || !Number.isInteger(depth) || depth > this.levels.length;
    if (isOther) this.addToDiagnostic(raw);
    else if (line.is === 'comment') this.readComment(line.text, depth, number, raw);
    else this.readTap(line, depth, number);
  }

  private addToDiagnostic(raw: string): void {
    if (this.point !== null && !this.point.point.isOk) this.point.diagnostic.add(replaceUnstorableCharacters(raw));
  }

  private readComment(text: string, depth: number, number: number, raw: string): void {
    const names = depth === 0 && this.hasVersion && !this.hasSubtests && this.levels[0]?.planned === null;
    if (!names) return this.addToDiagnostic(raw.replace(/^\s*#\s?/, ''));
    this.completePoint();
    this.completeGroup();
    const name = kept(text.replace(/^TODO\s+/, ''));
    this.group = name === '' || /^SKIP\b/.test(name) ? null : newAssertions(name, number);
  }

  private readTap(line: TapLine, depth: number, number: number): void {
    this.completePoint();
    const isNew = depth === this.levels.length;
    if (isNew && this.openLevel(line, number)) return;
    if (!isNew) this.closeLevelsBelow(depth);
    const level = this.levels[depth];
    if (level === undefined) return;
    switch (line.is) {
      case 'version':
        if (depth === 0) this.beginStream(number);
        break;
      case 'plan':
        this.plan(level, depth, line.tests);
        break;
      case 'subtest':
        this.announce(level, line.text);
        break;
      case 'point':
        this.openPoint(line, level, depth, number);
        break;
      case 'end of block':
        this.closeBlock(level, depth);
        break;
      case 'bail out':
        this.bailOut(line.text, number);
        break;
      case 'comment':
      case 'pragma':
      case 'other':
        break;
    }
  }

  /** Returns whether the line only named the new level. */
  private openLevel(line: TapLine, number: number): boolean {
    const around = this.levels.at(-1)!;
    if (this.levels.length > MAX_DEPTH) this.refuse(number, `subtests are nested more than ${MAX_DEPTH} deep`);
    const isNamedInside = line.is === 'subtest' && around.announced === null;
    if (isNamedInside) this.announce(around, line.text);
    this.levels.push(newLevel(kept(joinedPath(around.path, around.announced ?? '')), true));
    return isNamedInside;
  }

  private announce(level: TapLevel, name: string): void {
    this.hasSubtests = true;
    this.group = null;
    level.announced = kept(name);
  }

  private closeLevelsBelow(depth: number): void {
    while (this.levels.length > depth + 1) {
      const ended = this.levels.pop()!;
      const around = this.levels.at(-1)!;
      if (around.ended?.hasFailedTests) ended.hasFailedTests = true;
      around.ended = ended;
    }
  }

  private openPoint(point: TapPoint, level: TapLevel, depth: number, line: number): void {
    level.points++;
    const name = kept(point.description || (level.announced ?? `#${point.number ?? level.points}`));
    const isAnnounced = level.announced !== null;
    const indent = depth * INDENT;
    const opened = {
      point,
      name,
      level,
      isAnnounced,
      line,
      indent,
      diagnostic: new Diagnostic(),
      subtest: level.ended,
    };
    level.announced = null;
    level.ended = null;
    if (!point.opensBlock) {
      this.point = opened;
      return;
    }
    this.hasSubtests = true;
    this.blocks.push({ depth, point: opened });
    this.levels.push(newLevel(kept(joinedPath(level.path, name)), true));
  }

  private closeBlock(level: TapLevel, depth: number): void {
    if (this.blocks.at(-1)?.depth !== depth) return;
    const { point } = this.blocks.pop()!;
    this.point = { ...point, subtest: level.ended };
    level.ended = null;
  }

  private completePoint(): void {
    const opened = this.point;
    this.point = null;
    if (opened === null) return;
    const assertions = opened.level.isSubtest ? opened.level.assertions : this.group;
    if (assertions !== null && isAssertion(opened, this.group !== null)) addAssertion(opened, assertions);
    else addTest(opened, this.found);
  }

  private plan(level: TapLevel, depth: number, tests: number): void {
    level.planned = (level.planned ?? 0) + tests;
    // Comments after the final plan are totals, not names of tests.
    if (depth === 0) this.completeGroup();
  }

  private completeGroup(): void {
    const result = this.group === null ? null : resultOfAssertions(this.group);
    this.group = null;
    if (result !== null) this.found.addTest(result);
  }

  private bailOut(reason: string, line: number): void {
    this.hasBailedOut = true;
    this.addError('Bail out!', reason, line);
  }

  /** A file may contain several reports in sequence. */
  private beginStream(line: number): void {
    const { points = 0, planned = null } = this.levels[0] ?? {};
    if (points > 0 || planned !== null) this.completeStream(line);
    this.levels = [newLevel('', false)];
    this.hasVersion = true;
    this.hasSubtests = false;
    this.group = null;
  }

  private completeStream(line: number): void {
    this.completeGroup();
    if (this.hasBailedOut) return;
    const { points, planned, ended } = this.levels[0]!;
    if (this.levels.length > 1 || this.blocks.length > 0 || ended !== null) {
      this.refuse(line, 'the report ends within a subtest');
    }
    if (planned === null)
      this.refuse(line, `the report ends without a plan such as 1..${Math.max(1, points)}: it was cut off`);
    if (points < planned) this.refuse(line, `the report plans ${planned} tests and ends after ${points}`);
    if (points > planned) this.addError('test plan', `the report plans ${planned} tests, and ${points} ran`, line);
  }

  private addError(name: string, message: string, line: number): void {
    const place = { name, classname: '', parent: this.levels.at(-1)?.path ?? '', file: '' };
    const failure = { message: kept(message), text: '' };
    this.found.addOutsideTests({ ...place, outcome: 'failed', durationMs: null, reportedAt: null, failure, line });
  }

  private refuse(line: number, reason: string): never {
    throw new MalformedReport(this.fileName, { line }, reason);
  }
}

function kept(text: string): string {
  return cutTo(MAX_ATTRIBUTE_CHARACTERS, replaceUnstorableCharacters(text));
}
