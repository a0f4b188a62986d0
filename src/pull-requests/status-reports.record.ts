import type { CommitState } from '../domain/code-host.port';
import type { CheckSuite, StatusCheck } from './dto/testing-details.dto';

interface ReportRow {
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly url: string | null;
}

/** The reports on a commit in the upper-case words of the host that existing clients parse. */
export function statusReports(rows: readonly ReportRow[]): { checkSuites: CheckSuite[]; statusChecks: StatusCheck[] } {
  const checkRuns = rows
    .filter((row) => row.kind === 'check_run')
    .map(({ name, state, url }) => {
      const running = (state as CommitState) === 'pending';
      return {
        name,
        url: url ?? '',
        status: running ? 'IN_PROGRESS' : 'COMPLETED',
        conclusion: running ? null : state.toUpperCase(),
      };
    });
  const statusChecks = rows
    .filter((row) => row.kind === 'status')
    .map(({ name, state, url }) => ({ context: name, url: url ?? '', state: state.toUpperCase() }));
  return { checkSuites: checkRuns.length > 0 ? [{ checkRuns }] : [], statusChecks };
}
