import { BoundedJson, type JsonListener, type JsonScalar } from '../bounded-json';
import { FoundResults } from '../found-results';
import { MalformedReport } from '../malformed-report';
import type { ReportReader } from '../report-reader';
import { quoted, unknownReport } from '../unknown-report';
import { CtrfTest, isStatus } from './ctrf-test';

/** The role of an object or an array, by its position. */
type Role = 'root' | 'results' | 'summary' | 'tests' | 'test' | 'suite' | 'attempts' | 'attempt' | 'other';

/** The roles by the outer role and the key; in an array the key is empty. */
const ROLES: Readonly<Record<string, readonly [role: Role, kind: 'object' | 'array']>> = {
  'root/results': ['results', 'object'],
  'results/summary': ['summary', 'object'],
  'results/tests': ['tests', 'array'],
  'tests/': ['test', 'object'],
  'test/suite': ['suite', 'array'],
  'test/retryAttempts': ['attempts', 'array'],
  'attempts/': ['attempt', 'object'],
};

/** The error about an unknown JSON document names its first keys. */
const MAX_KEYS_NAMED = 4;

/** Reads CTRF, the Common Test Report Format. */
export class CtrfReport implements ReportReader, JsonListener {
  private readonly json: BoundedJson;
  readonly found = new FoundResults();
  private readonly roles: Role[] = [];
  private readonly keys: string[] = [];
  private test: CtrfTest | null = null;
  private hasTests = false;
  private stated: number | null = null;
  private statedAt = 1;

  constructor(private readonly fileName: string) {
    this.json = new BoundedJson(fileName, this);
  }

  write(text: string): void {
    this.json.write(text);
  }

  end(): void {
    this.json.end();
    if (!this.hasTests) throw this.unknown();
    this.found.compareFailures('the summary', this.stated, this.found.failed, this.statedAt);
  }

  open(kind: 'object' | 'array', key: string | null, line: number): void {
    const role = this.roleOf(kind, key);
    if (role === 'tests') this.hasTests = true;
    if (role === 'test') this.test = new CtrfTest(line);
    if (role === 'attempt') this.test?.openAttempt();
    this.noteKey(key);
    this.roles.push(role);
  }

  value(value: JsonScalar, key: string | null, line: number): void {
    this.noteKey(key);
    const role = this.roles.at(-1);
    if (role === undefined || (role === 'tests' && value !== null)) throw this.unknown(line);
    if (role === 'suite') this.test?.addSuite(value);
    if (role === 'summary' && key === 'failed' && typeof value === 'number') {
      this.stated = value;
      this.statedAt = line;
    }
    if (role !== 'test' && role !== 'attempt') return;
    if (key === 'status') this.requireStatus(value, line);
    if (key !== null) this.test?.set(role, key, value);
  }

  close(): void {
    const role = this.roles.pop();
    if (role === 'attempt') this.test?.closeAttempt();
    if (role !== 'test' || this.test === null) return;
    const { test } = this;
    this.test = null;
    for (const [field, value] of [
      ['name', test.name],
      ['status', test.status],
    ] as const) {
      if (value === null) throw new MalformedReport(this.fileName, { line: test.line }, `a test has no ${field}`);
    }
    this.found.addTest(test.result(), test.earlierAttempts());
  }

  private roleOf(kind: 'object' | 'array', key: string | null): Role {
    const outer = this.roles.at(-1);
    if (outer === undefined) return kind === 'object' ? 'root' : 'other';
    const known = ROLES[`${outer}/${key ?? ''}`];
    return known !== undefined && known[1] === kind ? known[0] : 'other';
  }

  private noteKey(key: string | null): void {
    if (this.roles.length === 1 && key !== null && this.keys.length <= MAX_KEYS_NAMED) this.keys.push(quoted(key));
  }

  private requireStatus(value: JsonScalar, line: number): void {
    if (isStatus(value)) return;
    const said = typeof value === 'string' ? quoted(value) : String(value);
    const reason = `the status ${said} of a test is not one of passed, failed, skipped, pending and other`;
    throw new MalformedReport(this.fileName, { line }, reason);
  }

  private unknown(line = 1): MalformedReport {
    const named = this.keys.slice(0, MAX_KEYS_NAMED).join(', ');
    const more = this.keys.length > MAX_KEYS_NAMED ? ', …' : '';
    return unknownReport(this.fileName, line, named === '' ? 'this JSON' : `JSON with ${named}${more}`);
  }
}
