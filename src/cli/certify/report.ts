import type { CertifyResult } from './certify';
import { type RowOutcome, type RowResult, titleOf } from './rows/row';

type OutcomeType = RowOutcome['type'];

/** 0: every intended row ran and passed, and nothing was left on the server. */
export const CERTIFY_EXITS = { passed: 0, differs: 3, cut_short: 4 } as const;

const WORDS: Readonly<Record<OutcomeType, string>> = {
  passed: 'passed',
  differs: 'DIFFERS',
  not_offered: 'not offered',
  cut_short: 'CUT SHORT',
};
const WIDTH = 12;

export function countsOf(rows: readonly RowResult[]): Readonly<Record<OutcomeType, number>> {
  const count = (type: OutcomeType): number => rows.filter(({ outcome }) => outcome.type === type).length;
  return {
    passed: count('passed'),
    differs: count('differs'),
    not_offered: count('not_offered'),
    cut_short: count('cut_short'),
  };
}

/** A run without a passed row says nothing about the server. */
export function exitOf({ rows, kept }: Pick<CertifyResult, 'rows' | 'kept'>): number {
  const { passed, differs, cut_short: cutShort } = countsOf(rows);
  if (differs > 0) return CERTIFY_EXITS.differs;
  return cutShort > 0 || kept.length > 0 || passed === 0 ? CERTIFY_EXITS.cut_short : CERTIFY_EXITS.passed;
}

/** One line for each row. */
export function rowLine(result: RowResult): string {
  return `${WORDS[result.outcome.type].padEnd(WIDTH)}${titleOf(result)}`;
}

/** The end of the output for people: everything that did not pass, and the totals. */
export function summaryOf({ rows, kept, kind, url, version }: CertifyResult): readonly string[] {
  const { passed, differs, not_offered: notOffered, cut_short: cutShort } = countsOf(rows);
  return [
    ...rows.filter(({ outcome }) => outcome.type !== 'passed').flatMap(linesOf),
    ...kept.map(({ name, why }) => `${'LEFT'.padEnd(WIDTH)}${name}: ${why}`),
    '',
    `${kind} ${version} at ${url}: ${passed} passed, ${differs} differ, ${cutShort} cut short, ${notOffered} not offered.`,
  ];
}

function linesOf(result: RowResult): readonly string[] {
  const { outcome } = result;
  if (outcome.type === 'passed') return [];
  const why = outcome.why.split('\n').map((line) => `${' '.repeat(WIDTH)}${line}`);
  const last = outcome.type === 'differs' ? outcome.exchange.at(-1) : undefined;
  const said =
    last && `${' '.repeat(WIDTH)}last request: ${last.method} ${last.path}, answered ${last.status ?? 'nothing'}`;
  return [rowLine(result), ...why, ...(said === undefined ? [] : [said])];
}
