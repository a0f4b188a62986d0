import { logLine, othersLine } from './others-text';
import type { FailedTest, UploadAnswer } from './send-upload';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MOST_OWNERS = 5;
const MOST_NAME = 300;

/** A test's title for people: `Cart › adds (cart.spec.ts)`. */
export function testTitle({ name, classname, parent, file }: Omit<FailedTest, 'status' | 'quarantined'>): string {
  const named = [classname || parent, name].filter(Boolean).join(' › ');
  return shortened(named) + (file === '' ? '' : ` (${shortened(file)})`);
}

/** The known history of a failed test, in one line; undefined: the service does not send the history. */
export function knownInWords(test: FailedTest, now: Date): string | undefined {
  const { known } = test;
  if (known === undefined || known === null) return undefined;
  const owners = known.codeowners.slice(0, MOST_OWNERS).join(' ');
  const behind = [owners === '' ? '' : `owners ${owners}`, addressOf(test)].filter(Boolean);
  return logLine([standing(test, now), ...behind].join(', '));
}

/** The URL for a failed test: for a known flaky test, the form that quarantines it; for any other test, its page. */
function addressOf({ status, quarantined, known }: FailedTest): string {
  const { html_url: page, quarantine_url: form = page } = known!;
  return status === 'healthy' || quarantined || page === '' ? page : form;
}

function standing({ status, quarantined, known }: FailedTest, now: Date): string {
  const { since, reason, earlier_runs: runs } = known!;
  const isKnown = status !== 'healthy' || quarantined;
  if (!isKnown) return healthInWords(runs);
  const what = status === 'healthy' ? 'quarantined' : `known ${status}`;
  const details = [`${runs.failed} of ${runs.ran} runs`, lastInWords(known!.last_failure, now)].filter(Boolean);
  return `${what} since ${dayInWords(since, now)} (${details.join(', ')}): ${shortened(reason)}`;
}

/** A test that never passed is not called healthy. */
function healthInWords({ ran, failed, days }: Known['earlier_runs']): string {
  if (ran === 0) return `new: it did not run in the ${days} days before`;
  if (failed === ran) return `new: failed in ${ran === 1 ? 'the only run' : `all ${ran} runs`} before`;
  return `healthy: passed in ${ran - failed} of ${ran} runs ${days === 7 ? 'this week' : `in ${days} days`}`;
}

type Known = NonNullable<FailedTest['known']>;

function lastInWords(last: Known['last_failure'], now: Date): string {
  if (last === null) return '';
  const where = last.branch === '' ? 'in the queue' : `on ${shortened(last.branch)}`;
  return `last ${where} ${agoInWords(now.getTime() - Date.parse(last.at))}`;
}

function agoInWords(ms: number): string {
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h ago` : `${Math.floor(ms / DAY_MS)} days ago`;
}

/** `3 Nov`, in UTC; with the year if it is not this year. */
function dayInWords(iso: string, now: Date): string {
  const day = new Date(iso);
  const year = day.getUTCFullYear() === now.getUTCFullYear() ? '' : ` ${day.getUTCFullYear()}`;
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}${year}`;
}

/** Removes secrets before it cuts the text, because half a secret would not be recognized. */
function shortened(text: string): string {
  return othersLine(text, MOST_NAME);
}

/**
 * The single next command after a failure: quarantine a test that is known to be flaky, or else show the details of a
 * failed test.
 */
export function nextCommand(
  { failures }: UploadAnswer,
  { repository, organization }: { readonly repository: string; readonly organization: string },
): string | undefined {
  const counting = failures.filter(({ quarantined }) => !quarantined);
  const flaky = counting.find(({ status }) => status === 'flaky');
  const test = (flaky ?? counting[0])?.test_case_id;
  if (test === undefined || !/^[0-9a-f-]{36}$/.test(test)) return undefined;
  const of = `${repository} ${test}`;
  if (flaky === undefined) return `sluice tests show ${of} --org ${organization}`;
  return `sluice tests quarantine ${of} always --org ${organization} --reason "known to be flaky"`;
}
