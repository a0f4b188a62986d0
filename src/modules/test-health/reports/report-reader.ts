import type { ReportCounts, ReportedResult, UnmetTotal } from './reported-result';

/** What was found of a report so far. */
export interface FoundInReport {
  /** What was completed since the last call, in the order of the file. */
  takeResults(): readonly ReportedResult[];
  readonly counts: Omit<ReportCounts, 'unmetTotals'>;
  readonly unmetTotals: readonly UnmetTotal[];
}

/** Reads one report of one format, piece by piece. What it holds has a bound, however large the report is. */
export interface ReportReader {
  /** Throws a MalformedReport where the text stops being a report. */
  write(text: string): void;
  /** The text is over. Throws a MalformedReport when the report is not. */
  end(): void;
  readonly found: FoundInReport;
}
