import { isFlow } from '../../flow-facts/scheduling';
import type { Entry, QueueSnapshot, TestRun } from '../../model';
import type { PullRequestViewFacts } from '../../pull-request-view-facts';
import { assumedAhead } from '../../policy/base';
import { areFrozenForGood, frozenUntil } from '../../policy/freeze';
import { lineOf } from '../../policy/line';
import { landingDue } from '../../wake-time';
import type { Instant } from '../../vocabulary';
import { clockTime } from '../clock-time';
import { because, mergesAreFrozenForGood } from '../status/queue';
import { hostWaits } from '../status/readiness';
import { agreeing, company, counted, numbersIn, pullRequests } from '../../wording/words';
import { failedStatuses } from './failed-statuses';
import { afterSuspectRun, besideLine } from './reasons';
import { code, codes, type Story } from '../../wording/markdown';
import { asNumbers } from './waiting';

export function testing(facts: PullRequestViewFacts): Story {
  const { queue, entry } = facts;
  const run = runOf(queue, entry.stateRun);
  const beside = besideLine(queue, entry);
  const title = beside?.title ?? 'Testing';
  if (run === null) return { title, sentences: [], line: title };
  // In a flow queue the entry is shown under test until its landing is ordered.
  if (run.phase === 'passed' && isFlow(queue)) return passedIn(run, facts);
  const among = company(asNumbers(run), entry.number);
  const what = run.commit === null ? 'a commit' : run.commit;
  const on = among === '' ? ` on top of ${code(queue.branch)}` : among;
  const waits = `It is tested${on}: ${codes(run.requiredStatuses)} ${agreeing(run.requiredStatuses, 'has', 'have')} to pass on ${what}.`;
  return {
    title,
    sentences: [...(beside === null ? [] : [beside.why]), waits, ...afterSuspectRun(entry)],
    line: `${title}${among}`,
  };
}

export function passed(facts: PullRequestViewFacts): Story {
  return passedIn(runOf(facts.queue, facts.entry.verifiedByRun), facts);
}

function passedIn(run: TestRun | null, facts: PullRequestViewFacts): Story {
  const { entry } = facts;
  const isProven = run !== null && !run.own.some(({ number }) => number === entry.number);
  const tests = isProven
    ? `The tests of ${pullRequests(numbersIn(run))} include it and passed.`
    : `Its tests passed${run === null ? '' : company(asNumbers(run), entry.number)}.`;
  const { sentence, line } = whatKeepsIt(facts);
  return { title: 'Tests passed', sentences: [tests, sentence], line };
}

function whatKeepsIt({ queue, entry, now }: PullRequestViewFacts): {
  readonly sentence: string;
  readonly line: string;
} {
  const ahead = aheadOf(queue, entry);
  if (entry.dryRun)
    return {
      sentence: `This result counts when the pull requests ahead of it have merged${ahead.length === 0 ? '' : `: ${pullRequests(ahead)}`}.`,
      line: 'Tests passed',
    };
  if (queue.state === 'paused')
    return {
      sentence: `When this was written, the queue was paused${because(queue, code)}: nothing merges until it is running.`,
      line: 'Tests passed, not merged yet',
    };
  const { unmet = [] } = entry.pullRequest;
  if (ahead.length === 0 && unmet.length > 0)
    return { sentence: `${hostWaits(queue, unmet, code)}.`, line: `Tests passed, waiting for ${queue.host}` };
  const held = ahead.length === 0 ? whatHoldsMerges(queue, entry, now) : null;
  if (held !== null) return { sentence: held, line: 'Tests passed, not merged yet' };
  if (ahead.length === 0)
    return { sentence: `It merges into ${code(queue.branch)} next.`, line: 'Tests passed, merging' };
  const have = agreeing(ahead, 'has', 'have');
  const fails = agreeing(ahead, `${pullRequests(ahead)} fails`, 'one of these fails');
  const sentence = `It merges into ${code(queue.branch)} when ${pullRequests(ahead)} ${have} merged, and is tested again if ${fails}.`;
  return { sentence, line: `Tests passed, waiting for ${pullRequests(ahead)}` };
}

/** A sentence about the freeze or the merge limit that keeps the pull request from merging; null if neither does. */
function whatHoldsMerges(queue: QueueSnapshot, entry: Entry, now: Instant): string | null {
  if (areFrozenForGood(queue, [entry], now)) return `When this was written, ${mergesAreFrozenForGood()}.`;
  const until = frozenUntil(queue, [entry], now);
  if (until !== null) return `When this was written, merges were frozen until ${clockTime(until, now)}.`;
  if (landingDue(queue, now) === null) return null;
  const { maxMergesPerHour } = queue.settings;
  return `When this was written, the limit of ${counted(maxMergesPerHour ?? 0, 'merge')} per hour was reached. It merges as soon as the limit allows.`;
}

export function pendingFailure({ queue, entry, failedRun }: PullRequestViewFacts): Story {
  const title = 'Tests failed';
  if (failedRun === null)
    return { title, sentences: ['The queue decides next whether it is tested again.'], line: title };
  const among = company(failedRun, entry.number);
  const ahead = aheadOf(queue, entry).filter((number) => failedRun.builtOn.includes(number));
  const left = `${agreeing(ahead, `${pullRequests(ahead)} has`, 'they have')} merged or left the queue`;
  const then = isFlow(queue)
    ? 'It fails when another test run passes, because that shows that the tests work.'
    : besideLine(queue, entry) !== null
      ? 'Another test run failed just before it, and none has passed since. It is tested once more when another test run passes, because that shows that the tests work.'
      : ahead.length === 0
        ? 'It stays in the queue for now: a newer result, or the tests of a pull request behind it, can still let it pass.'
        : `${pullRequests(ahead)} may be the cause: the queue decides when ${left}.`;
  return {
    title: `${title}, not decided yet`,
    sentences: [`It was tested${among}. ${then}`, ...failedStatuses(failedRun)],
    line: `${title}${among}; not decided yet`,
  };
}

function aheadOf(queue: QueueSnapshot, { place }: Entry): readonly number[] {
  const group = lineOf(queue).find((other) => other.place === place);
  if (group === undefined) return [];
  return assumedAhead(queue, group).flatMap(({ entries }) => entries.map(({ number }) => number));
}

function runOf(queue: QueueSnapshot, number: number | null): TestRun | null {
  return queue.runs.find((run) => run.number === number) ?? null;
}
