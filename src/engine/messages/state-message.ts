import type { Entry } from '../model';
import type { ConcludedFacts, FailedRun, NamedStatus } from '../pull-request-view-facts';
import { wayOut } from './comment/failed-statuses';
import { whatItReported } from './ci-end';
import { whyCancelled } from './comment/reasons';
import { failedTestsInWords } from './failed-tests';
import { plain, shortened } from '../wording/markdown';
import { assertNever } from '../vocabulary';
import { agreeing, company, counted, short, testsIn } from '../wording/words';

const LONGEST_TEXT = 500;
const MOST_STATUSES = 20;

/**
 * Says in plain text what concluded a pull request: the cause, then the way out. Null while it has not concluded, and when
 * the queue merged it.
 */
export function stateMessage(facts: ConcludedFacts): string | null {
  const { queue, entry, details } = facts;
  switch (entry.state) {
    case 'failed':
      return `Failed: ${whyFailed(facts)}`;
    case 'cancelled': {
      if (entry.stateReason === 'dry_run_passed') return 'Dry run passed: it was not merged. Submit it to merge it.';
      const settings = { branch: queue.branch, timeoutHours: queue.settings.notReadyTimeoutHours };
      return `Cancelled: ${whyCancelled(entry.stateReason, entry.stateActor, settings).line}.`;
    }
    case 'merged':
      if (details !== null) return `Merged: ${oneLine(details)}.`;
      return entry.stateReason === 'manual_merge' ? `Merged into ${queue.branch} by hand, past the queue.` : null;
    default:
      return null;
  }
}

function whyFailed({ brand, queue, entry, failedRun, failedTests: tests, details }: ConcludedFacts): string {
  const file = `.${brand}/${brand}.yaml`;
  const said = details === null ? '' : `: ${oneLine(details)}`;
  switch (entry.stateReason) {
    case 'start_test_run_merge_conflict':
      return `it cannot be tested${said}. Rebase it onto ${queue.branch}, then submit it again.`;
    case 'start_test_run_no_required_statuses':
      return `no required status is named. Name one in the settings of the queue, in ${file} on ${queue.branch}, or in the branch protection, then submit it again.`;
    case 'start_test_run_config_parsing_failure':
    case 'start_test_run_config_bad_required_statuses':
      return `it breaks the configuration file${said}. Fix ${file} in it, then submit it again.`;
    case 'pr_updated_at_merge_time':
      return 'it was pushed to while it was being merged. Submit it again to test the new commits.';
    case 'host_merge_failed':
    case 'host_branch_protection_unmet':
      return `its tests passed, but ${queue.host} refused to merge it${said}. Fix the cause, then submit it again.`;
    case 'test_run_required_status_failed':
    case 'test_run_timeout':
    case 'test_run_failed_by_optimization':
      return [
        `${failedRun === null ? `its tests failed${said}` : failedStatusesOf(failedRun, entry)}.`,
        ...(tests === null || tests.total === 0 ? [] : [failedTestsInWords(tests)]),
        `${wayOut(failedRun)}, then submit it again.`,
      ].join(' ');
    default:
      return `its test could not be started${said}. Fix the cause, then submit it again.`;
  }
}

/** `required status "lint" was red on 3f2a1c0d (failure, https://ci.example/1)`. */
function failedStatusesOf(run: FailedRun, { number, suspectRun }: Entry): string {
  const { failure } = run;
  const names = failure.type === 'timeout' ? failure.missing : failure.names;
  const shown = names.slice(0, MOST_STATUSES).map((name) => `"${oneLine(name)}"${reportsOf(name, run)}`);
  if (names.length > shown.length) shown.push(`and ${names.length - shown.length} more`);
  const statuses = `required ${agreeing(names, 'status', 'statuses')} ${shown.join(', ')}`;
  const on = run.commit === null ? '' : ` on ${short(run.commit)}`;
  const red = verdictOn(on, names, run);
  const reused = failure.reused ? '; the same tree failed before, so it was not tested again' : '';
  const tested = company(run, number);
  const before =
    suspectRun === null ? '' : `; in an earlier test of it only known flaky tests failed${testsIn(suspectRun, plain)}`;
  return `${statuses} ${red}${reused}${tested === '' ? '' : `; it was tested${tested}`}${before}`;
}

function verdictOn(on: string, names: readonly string[], { failure, timeoutMinutes }: FailedRun): string {
  switch (failure.type) {
    case 'timeout':
      return `${agreeing(names, 'has', 'have')} not passed${on} within ${counted(timeoutMinutes, 'minute')}`;
    case 'lost':
      return `got no result from CI${on}, although its test was started again before`;
    case 'status':
      if (failure.isDropped)
        return `${agreeing(names, 'has', 'have')} not reported${on}, and this pull request takes ${agreeing(names, 'it', 'them')} off the list`;
      if (failure.insteadReported)
        return `${agreeing(names, 'has', 'have')} never been reported${on}, although CI is done. ${whatItReported(failure.insteadReported, plain)}`;
      return `${agreeing(names, 'was', 'were')} red${on}`;
    default:
      return assertNever(failure);
  }
}

/** In brackets: what is not green among the reports of one name, with their links. */
function reportsOf(name: string, { statuses }: FailedRun): string {
  const reports = statuses.filter((status) => status.name === name && !GREEN.includes(status.state));
  if (reports.length === 0) return '';
  return ` (${reports.map(reportInWords).join('; ')})`;
}

const GREEN = ['success', 'neutral', 'skipped'];

function reportInWords({ state, description, url }: NamedStatus): string {
  const says = description ? `: ${oneLine(description)}` : '';
  return `${state.replaceAll('_', ' ')}${says}${url ? `, ${url}` : ''}`;
}

/** Anybody may have written it: it stays on one line, and a full stop at its end is the sentence's own. */
function oneLine(text: string): string {
  const words = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return shortened(words, LONGEST_TEXT).replace(/[.:]+$/, '');
}
