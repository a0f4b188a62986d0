import type { ReportCounts, ReportedResult, UnmetTotal } from './reported-result';

/** The findings in a report so far. */
export interface FoundInReport {
  /** Results completed since the last call, in the order of the file. */
  takeResults(): readonly ReportedResult[];
  readonly counts: Omit<ReportCounts, 'unmetTotals'>;
  readonly unmetTotals: readonly UnmetTotal[];
}

/** Reads one report of one format in pieces. The memory of a reader is bounded, however large the report is. */
export interface ReportReader {
  /** Throws a MalformedReport where the text is no longer a report. */
  write(text: string): void;
  /** Ends the text. Throws a MalformedReport when the report is incomplete. */
  end(): void;
  readonly found: FoundInReport;
}
