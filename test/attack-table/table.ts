import type { AttackRecord } from '../support/attacks';

/** The output of `jest --json`. */
export interface TestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      /** Titles of `describe`, the outermost first. */
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly duration?: number | null;
    }[];
  }[];
}

export interface RecordedAttack extends AttackRecord {
  /** The title of the test. */
  readonly test: string;
}

type Titles = Pick<TestResults['testResults'][number]['assertionResults'][number], 'ancestorTitles' | 'title'>;

export interface AttackRow {
  readonly number: number;
  readonly attack: string;
  readonly answer: string;
  readonly time: string;
  readonly memory: string;
  readonly status: 'held' | 'FAILED' | 'skipped';
}

const TITLE = /\battack (\d+)(?:[:,]\s*)?/;
/** The text that `itWhere` in test/support appends to the titles of skipped tests. */
const SKIPPED = /\((skipped: [^)]*)\)/;
const SLOW_MS = 1_000;

/** One row for each record, and one for each test without a record. */
export function rowsOf(results: TestResults, records: readonly RecordedAttack[]): readonly AttackRow[] {
  const tests = results.testResults.flatMap(({ assertionResults }) => assertionResults);
  const rows = tests
    .filter(({ fullName, status }) => TITLE.test(fullName) && (status !== 'pending' || SKIPPED.test(fullName)))
    .flatMap((test) => {
      const own = records.filter((record) => record.test === test.fullName);
      const said = { ...inTitles(test), milliseconds: test.duration ?? undefined };
      return (own.length > 0 ? own : [said]).map((record) => rowOf(test, record));
    });
  return rows.sort((a, b) => a.number - b.number);
}

/** One table for each attack number. */
export function tablesOf(rows: readonly AttackRow[]): ReadonlyMap<number, readonly AttackRow[]> {
  const tables = new Map<number, AttackRow[]>();
  for (const row of rows) tables.set(row.number, [...(tables.get(row.number) ?? []), row]);
  return tables;
}

/**
 * The `describe` title names the attack after its number. The result of the attack is in the titles below the
 * `describe` title, or in the title of a numbered test.
 */
function inTitles({ ancestorTitles, title }: Titles): Pick<AttackRecord, 'attack' | 'answer'> {
  const at = ancestorTitles.findIndex((one) => TITLE.test(one));
  const attack = ancestorTitles.at(at)?.replace(TITLE, '') ?? '';
  const below = at === -1 ? [] : ancestorTitles.slice(at + 1);
  return { attack, answer: [...below, title.replace(TITLE, '')].join(': ') };
}

/** Specs in which no test ran, each with its reason. */
export function brokenFiles({ testResults }: TestResults): readonly string[] {
  return testResults
    .filter(({ assertionResults, message }) => assertionResults.length === 0 && message !== '')
    .map(({ name, message }) => `${name}: ${message}`);
}

export function summaryOf(rows: readonly AttackRow[]): string {
  const count = (wanted: AttackRow['status']) => rows.filter(({ status }) => status === wanted).length;
  return `attacks: ${count('held')} passed, ${count('FAILED')} failed, ${count('skipped')} skipped`;
}

function rowOf(
  { fullName, status }: { readonly fullName: string; readonly status: string },
  { attack, answer, milliseconds, mebibytes }: AttackRecord,
): AttackRow {
  const row = { number: Number(TITLE.exec(fullName)?.[1]), attack };
  if (status === 'pending') {
    return { ...row, answer: SKIPPED.exec(fullName)?.[1] ?? '', time: '', memory: '', status: 'skipped' };
  }
  return {
    ...row,
    answer,
    time: milliseconds === undefined ? '' : timeText(milliseconds),
    memory: mebibytes === undefined ? '' : `${Math.round(mebibytes)} MiB`,
    status: status === 'passed' ? 'held' : 'FAILED',
  };
}

function timeText(milliseconds: number): string {
  return milliseconds < SLOW_MS ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
