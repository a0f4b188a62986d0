import type { Entry } from '../model';
import type { ConcludedFacts, FailedRun, NamedStatus } from '../pull-request-view-facts';
import { wayOut } from './comment/failed-statuses';
import { whatItReported } from './ci-end';
import { whyCancelled } from './comment/reasons';
import { failedTestsInWords } from './failed-tests';
import { plain, shortened } from '../wording/markdown';
import { assertNever } from '../vocabulary';
import { reasonSentence } from './reason-sentence';
import { agreeing, capitalised, company, counted, short, testsIn } from '../wording/words';

const LONGEST_TEXT = 500;
const MOST_STATUSES = 20;

/**
 * Explains in plain text how a pull request concluded: the cause, then a fix. Null for a pull request that has not
 * concluded, or that the queue merged.
 */
export function stateMessage(facts: ConcludedFacts): string | null {
  const { queue, entry, details } = facts;
  const { branch, host } = queue;
  switch (entry.state) {
    case 'failed':
      return capitalised(whyFailed(facts));
    case 'cancelled':
      return whyRemoved(facts);
    case 'merged':
      if (details !== null) return `Merged: ${oneLine(details)}.`;
      return entry.stateReason === 'manual_merge'
        ? `${capitalised(reasonSentence('manual_merge', { branch, host }))}.`
        : null;
    default:
      return null;
  }
}

function whyRemoved({ queue, entry }: ConcludedFacts): string {
  const reason = entry.stateReason;
  if (reason === 'dry_run_passed')
    return `${capitalised(reasonSentence(reason))}. Submit it without dryRun to merge it.`;
  return `Removed from the queue: ${whyCancelled(queue, entry, plain)}.`;
}

function whyFailed({ brand, queue, entry, failedRun, failedTests: tests, details }: ConcludedFacts): string {
  const { branch, host } = queue;
  const file = `.${brand}/${brand}.yaml`;
  const reason = entry.stateReason ?? 'start_test_run_retry_exhausted';
  const sentence = reasonSentence(reason, { branch, host });
  const said = details === null ? sentence : `${sentence}: ${oneLine(details)}`;
  switch (reason) {
    case 'start_test_run_merge_conflict':
      return `${said}. Rebase it onto ${branch}, then submit it again.`;
    case 'start_test_run_no_required_statuses':
      return `${sentence}. Set one in the settings of the queue, in ${file} on ${branch}, or in the branch protection. Then submit it again.`;
    case 'start_test_run_config_parsing_failure':
    case 'start_test_run_config_bad_required_statuses':
      return `${said}. Fix ${file} in the pull request, then submit it again.`;
    case 'pr_updated_at_merge_time':
      return `${sentence}. Submit it again to test the new commits.`;
    case 'test_run_required_status_failed':
    case 'test_run_timeout':
    case 'test_run_failed_by_optimization':
      return [
        `${failedRun === null ? said : `${sentence}: ${failedStatusesOf(failedRun, entry)}`}.`,
        ...(tests === null || tests.total === 0 ? [] : [failedTestsInWords(tests)]),
        `${wayOut(failedRun)}, then submit it again.`,
      ].join(' ');
    default:
      return `${said}. Fix the cause, then submit it again.`;
  }
}

/**
 * The failed statuses and their commit, to follow the sentence of the reason: `"lint" (failure, https://ci.example/1)
 * on 3f2a1c0d`.
 */
function failedStatusesOf(run: FailedRun, { number, suspectRun }: Entry): string {
  const { failure } = run;
  const names = failure.type === 'timeout' ? failure.missing : failure.names;
  const shown = names.slice(0, MOST_STATUSES).map((name) => `"${oneLine(name)}"${reportsOf(name, run)}`);
  if (names.length > shown.length) shown.push(`and ${names.length - shown.length} more`);
  const on = run.commit === null ? '' : ` on ${short(run.commit)}`;
  const tested = company(run, number);
  const before =
    suspectRun === null ? '' : `. In an earlier test run only known flaky tests failed${testsIn(suspectRun, plain)}`;
  return `${shown.join(', ')}${verdictOn(on, names, run)}${tested === '' ? '' : `. It was tested${tested}`}${before}`;
}

function verdictOn(on: string, names: readonly string[], { failure, timeoutMinutes }: FailedRun): string {
  switch (failure.type) {
    case 'timeout':
      return `${on} within ${counted(timeoutMinutes, 'minute')}`;
    case 'lost':
      return ` got no result from CI${on}, although the test had been started again before`;
    case 'status':
      if (failure.isDropped)
        return ` ${agreeing(names, 'has', 'have')} not reported${on}, and this pull request removes ${agreeing(names, 'it', 'them')} from the required statuses`;
      if (failure.insteadReported)
        return ` ${agreeing(names, 'has', 'have')} never been reported${on}, although CI has finished. ${whatItReported(failure.insteadReported, plain)}`;
      return on;
    default:
      return assertNever(failure);
  }
}

/** The reports of one required status that did not pass, in brackets, with their links. */
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

/** Puts untrusted text on one line, and drops a full stop at its end, because the sentence around it has its own. */
function oneLine(text: string): string {
  const words = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return shortened(words, LONGEST_TEXT).replace(/[.:]+$/, '');
}
