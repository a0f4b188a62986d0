import type { FailedRun, NamedStatus } from '../../pull-request-view-facts';
import { whatItReported } from '../ci-end';
import { agreeing, counted } from '../../wording/words';
import { code, codes, linked, shortened } from '../../wording/markdown';

const LONGEST_DESCRIPTION = 120;
const MOST_ROWS = 20;

/** The failed statuses, with links to their logs. */
export function failedStatuses(run: FailedRun): readonly string[] {
  const { failure, statuses } = run;
  const commit = run.commit === null ? '' : ` on ${run.commit}`;
  if (failure.type === 'timeout') {
    const have = agreeing(failure.missing, 'has', 'have');
    const limit = counted(run.timeoutMinutes, 'minute');
    return [`${codes(failure.missing)} ${have} not passed within ${limit}${commit}.`];
  }
  if (failure.type === 'status' && failure.isDropped) {
    const have = agreeing(failure.names, 'has', 'have');
    const list = agreeing(failure.names, 'it', 'them');
    return [
      `${codes(failure.names)} ${have} not reported${commit}: this pull request removes ${list} from the required statuses.`,
    ];
  }
  if (failure.type === 'status' && failure.insteadReported) {
    const done = `CI has finished ${run.commit ?? 'the commit'} and never reported ${codes(failure.names)}.`;
    return [`${done} ${whatItReported(failure.insteadReported, code)}.`];
  }
  const rows = failure.names.flatMap((name) => rowsOf(name, statuses));
  const more = rows.length > MOST_ROWS ? [`| … | and ${rows.length - MOST_ROWS} more | |`] : [];
  const table = ['| Required status | Result | |', '| --- | --- | --- |', ...rows.slice(0, MOST_ROWS), ...more];
  const what = failure.type === 'lost' ? 'CI gave no result for these statuses' : 'These statuses failed';
  return [`${what}${commit}:`, table.join('\n')];
}

/** The next step for people. If CI gave up the statuses without a verdict, the pull request may need no fix. */
export function wayOut(run: FailedRun | null): string {
  if (run?.failure.type === 'status' && run.failure.isDropped)
    return 'Keep the CI job in this pull request, and remove it in a second one after this one has merged. Push the change';
  if (run?.failure.type === 'status' && run.failure.insteadReported)
    return 'Give the CI job its required name, or change the required statuses to the names that it reports. Push a fix';
  return run?.failure.type === 'lost' ? 'Find out why CI gave no result' : 'Push a fix';
}

/** The rows of one name, which may be reported both as a commit status and as a check run. */
function rowsOf(name: string, statuses: readonly NamedStatus[]): readonly string[] {
  const reports = statuses.filter((status) => status.name === name && !isGreen(status));
  if (reports.length === 0) return [`| ${code(name)} | failed | |`];
  return reports.map(({ state, url, description }) => {
    const why = description ? code(shortened(description, LONGEST_DESCRIPTION)) : '';
    return `| ${linked(name, url)} | ${state.replaceAll('_', ' ')} | ${why} |`;
  });
}

function isGreen({ state }: NamedStatus): boolean {
  return state === 'success' || state === 'neutral' || state === 'skipped';
}
