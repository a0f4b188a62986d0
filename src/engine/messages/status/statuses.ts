import type { QueueSnapshot, StatusPin, TestRun } from '../../model';
import { droppedAt } from '../../policy/dropped';
import { neverReported } from '../../policy/never-reported';
import { distrustedOn, type StatusVerdict } from '../../policy/statuses';
import { isAwaitingUploads } from '../../policy/suspect-run';
import { timesOutAt } from '../../policy/time-out';
import { type Instant, MINUTE } from '../../vocabulary';
import { ciIsDone } from '../ci-end';
import { code, type Quote } from '../../wording/markdown';
import { agreeing, capitalised, duration, forLength, short } from '../../wording/words';
import { cannotGoOn } from './queue';

export function waitsForStatuses(queue: QueueSnapshot, run: TestRun, verdict: StatusVerdict, now: Instant): string {
  const since = now - (run.pushedAt ?? run.createdAt);
  const commit = short(run.commit ?? '');
  if (verdict.failed.length > 0 && isAwaitingUploads(queue, run, now)) return waitsForUploads(verdict.failed, commit);
  const parts: string[] = [];
  if (verdict.missing.length > 0)
    parts.push(
      `${required(run, verdict.missing, 'has', 'have')} not reported on ${commit}${forLength(since) || ' yet'}`,
    );
  if (verdict.running.length > 0)
    parts.push(
      since < MINUTE
        ? `${required(run, verdict.running, 'is', 'are')} running on ${commit}`
        : `${required(run, verdict.running, 'has', 'have')} been running on ${commit}${forLength(since)}`,
    );
  if (parts.length === 0) return `Every required status has reported on ${commit}: the queue evaluates them next`;
  const waits = `${parts.map(capitalised).join('. ')}${whatEndsIt(queue, run, verdict, now)}`;
  const done = ciIsDone(run, verdict, code);
  return `${waits}${whoMovedIt(run)}${whoIsDistrusted(queue, run, verdict)}${done === '' ? whatIsOdd(queue, run, verdict, now) : done}`;
}

function waitsForUploads(failed: readonly string[], commit: string): string {
  const names = failed.map((name) => `\`${name}\``).join(', ');
  const red = `Required ${agreeing(failed, 'status', 'statuses')} ${names} failed on ${commit}`;
  return `${red}. The queue waits up to 2 minutes for the test results of this run: if only known flaky tests failed, it is tested once more`;
}

function required({ pins }: TestRun, names: readonly string[], one: string, several: string): string {
  const quoted = names.map((name) => `\`${name}\`${onlyFrom(pins, name)}`).join(', ');
  return `required ${agreeing(names, `status ${quoted} ${one}`, `statuses ${quoted} ${several}`)}`;
}

function onlyFrom(pins: readonly StatusPin[], name: string): string {
  const apps = pins.flatMap((pin) => (pin.name === name ? [pin.app] : []));
  return apps.length === 0 ? '' : ` (from the app ${apps.join(' and the app ')} only)`;
}

function whatEndsIt(queue: QueueSnapshot, run: TestRun, verdict: StatusVerdict, now: Instant): string {
  const { host, hostUnreachableSince, hostRefusal } = queue;
  if (hostUnreachableSince !== null && hostRefusal !== null)
    return `. ${capitalised(cannotGoOn(host, hostRefusal, now - hostUnreachableSince))}. Nothing times out meanwhile`;
  if (hostUnreachableSince !== null)
    return `. ${host} has not answered${forLength(now - hostUnreachableSince)}, and nothing times out until it does`;
  if (queue.statusesUnread)
    return `. The service has just started, and nothing times out until it has read the statuses at ${host}`;
  const dropped = run.dropped === undefined ? null : droppedAt(queue, run, verdict);
  if (dropped !== null)
    return `. The pull request removes this status from the required statuses, and fails in ${duration(dropped - now)}`;
  const unheard = neverReported(queue, run, verdict);
  if (unheard !== null) return `. The test fails in ${duration(unheard.at - now)}`;
  const at = timesOutAt(queue, run);
  return at === null ? '' : `. The test times out in ${duration(at - now)}`;
}

/**
 * A warning about a pull request before its test: it may fail, because its test still requires the statuses that it
 * removes.
 */
export function takesOff(names: readonly string[], quote: Quote): string {
  const takes = `It removes ${names.map(quote).join(', ')} from the required statuses`;
  const needs = `but its own test still needs ${agreeing(names, 'it', 'them')}`;
  return `${takes}, ${needs}. Keep the CI job until this pull request has merged, and remove the job in a second pull request`;
}

/** After the branch was moved, CI may have stopped testing the commit, or test another commit. */
function whoMovedIt({ moved, branch, commit }: TestRun): string {
  if (moved === undefined) return '';
  const who = moved.by ?? 'Somebody';
  const did =
    moved.commit === null ? `deleted the branch ${branch}` : `moved the branch ${branch} to ${short(moved.commit)}`;
  return `. ${who} ${did}, but only reports on ${short(commit ?? '')} count. If CI stopped, restart the tests`;
}

/** Reports of unusual reporters do not count: anybody who can change a workflow can let its token report any status. */
function whoIsDistrusted(queue: QueueSnapshot, run: TestRun, verdict: StatusVerdict): string {
  const names = distrustedOn(queue, run, verdict);
  if (names.length === 0) return '';
  const are = `${names.map(code).join(', ')} ${agreeing(names, 'was', 'were')} not reported by the usual reporter`;
  return `. ${are}, so that report does not count. If the new reporter is right, add it to \`statusReporters\` of the queue`;
}

const ODD_AFTER = 15 * MINUTE;

/** Whether a missing status is so late that it probably never comes, or the checks of this service are off. */
export function isOdd(queue: QueueSnapshot, run: TestRun, { missing }: StatusVerdict, now: Instant): boolean {
  if (missing.length === 0) return false;
  const oddAfter = Math.min(ODD_AFTER, (run.timeoutMinutes * MINUTE) / 4);
  const isLate = now - (run.pushedAt ?? run.createdAt) >= oddAfter && queue.hostUnreachableSince === null;
  return queue.checksOff !== undefined || isLate;
}

/** The unusual facts about a test, so that readers learn of them long before the time-out. */
function whatIsOdd(queue: QueueSnapshot, run: TestRun, verdict: StatusVerdict, now: Instant): string {
  if (!isOdd(queue, run, verdict, now)) return '';
  if (queue.checksOff !== undefined) return `. ${queue.checksOff}`;
  return `. Does anything report ${agreeing(verdict.missing, 'that status', 'those statuses')} for branch ${run.branch}?`;
}

/** A list of status names in code spans, for example of the statuses without a report. */
export function enumerated(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}
