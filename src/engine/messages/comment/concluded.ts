import type { PullRequestViewFacts } from '../../pull-request-view-facts';
import type { QueueSnapshot } from '../../model';
import type { StateReason } from '../../vocabulary';
import { company, inFiles } from '../../wording/words';
import { failedStatuses, wayOut } from './failed-statuses';
import { afterSuspectRun, whyCancelled } from './reasons';
import { code, type Story } from '../../wording/markdown';

export function merged({ queue, entry, landedAs }: PullRequestViewFacts): Story {
  const into = `into ${code(queue.branch)}`;
  const line = `Merged into ${queue.branch}`;
  if (entry.stateReason === 'manual_merge')
    return { title: 'Merged', sentences: [`It was merged ${into} by hand, past the queue.`], line: `${line} by hand` };
  const as = landedAs === null ? '' : ` as ${landedAs}`;
  const direct = entry.stateReason === 'merge_graph_direct_merge';
  const tests = direct ? ', because its own tests had passed on top of that branch' : '';
  const sentences = [`The queue merged it ${into}${as}${tests}.`, ...whatWentWrong(queue, entry.number)];
  return { title: 'Merged', sentences, line };
}

/** The host merged it, and wrote something else. */
function whatWentWrong({ partialLanding, host, branch }: QueueSnapshot, number: number): readonly string[] {
  const wrong = (partialLanding?.wrongTrees ?? []).find((tree) => tree.number === number);
  if (wrong === undefined) return [];
  const differs = `**${code(host)} merged the wrong content**: ${code(branch)} differs from the tested tree${inFiles(wrong.files, code)}.`;
  return [differs, `The queue is paused until somebody restores that content on ${code(branch)} and resumes it.`];
}

export function cancelled({ queue, entry }: PullRequestViewFacts): Story {
  if (entry.stateReason === 'dry_run_passed') return dryRunPassed(queue);
  const settings = { branch: queue.branch, timeoutHours: queue.settings.notReadyTimeoutHours };
  const { sentence, line } = whyCancelled(entry.stateReason, entry.stateActor, settings);
  return { title: 'Removed from the queue', sentences: [sentence], line: `Removed from the queue: ${line}` };
}

function dryRunPassed({ branch }: QueueSnapshot): Story {
  const sentences = [
    `Its tests passed on top of what was on ${code(branch)} then.`,
    'It was a dry run, so it was not merged. Submit it to merge it.',
  ];
  return { title: 'Dry run passed', sentences, line: 'Dry run passed; not merged' };
}

export function failed(facts: PullRequestViewFacts): Story {
  const { title = 'Not merged', sentences, line } = whyFailed(facts);
  return { title, sentences, line };
}

type Failure = Omit<Story, 'title'> & { readonly title?: string };

function whyFailed(facts: PullRequestViewFacts): Failure {
  const { queue, entry, failedRun } = facts;
  const said = saidIn(facts);
  switch (entry.stateReason) {
    case 'test_run_required_status_failed':
    case 'test_run_timeout':
    case 'test_run_failed_by_optimization':
      return failedTests(facts);
    case 'start_test_run_merge_conflict':
    case 'start_test_run_no_required_statuses':
    case 'start_test_run_config_parsing_failure':
    case 'start_test_run_config_bad_required_statuses':
    case 'start_test_run_refused':
    case 'start_test_run_retry_exhausted':
      return whyNotStarted(entry.stateReason, facts);
    case 'pr_updated_at_merge_time':
      return {
        sentences: ['It was pushed to while it was being merged.', 'Submit it again to test the new commits.'],
        line: 'It was pushed to while being merged',
      };
    case 'host_branch_protection_unmet':
      return {
        sentences: [
          `Its tests passed, but a rule of ${code(queue.branch)} forbids to merge it${said}.`,
          'Do what the rule asks for, then submit it again.',
        ],
        line: `A rule of ${queue.branch} forbids to merge it`,
      };
    case 'host_merge_failed':
      return {
        sentences: [
          `Its tests passed, but ${code(queue.host)} refused to merge it${said}.`,
          'Fix the cause, then submit it again.',
        ],
        line: `${queue.host} refused to merge it`,
      };
    default:
      return { sentences: failedRun === null ? ['It failed.'] : failedStatuses(failedRun), line: 'Failed' };
  }
}

type NotStartedReason = Extract<StateReason, `start_test_run_${string}`>;

function whyNotStarted(reason: NotStartedReason, facts: PullRequestViewFacts): Failure {
  const { brand, queue } = facts;
  const file = code(`.${brand}/${brand}.yaml`);
  const said = saidIn(facts);
  switch (reason) {
    case 'start_test_run_merge_conflict':
      return {
        sentences: [`It cannot be tested${said}.`, `Rebase it onto ${code(queue.branch)}, then submit it again.`],
        line: `Conflicts with ${queue.branch}`,
      };
    case 'start_test_run_no_required_statuses':
      return {
        sentences: [
          'No required status is named, and the queue merges nothing untested.',
          `Name one in the settings of the queue, as ${code('merge.required_statuses')} in ${file} on ${code(queue.branch)}, or in the branch protection of ${code(queue.branch)}. Then submit it again.`,
        ],
        line: 'No required status is named',
      };
    case 'start_test_run_config_parsing_failure':
    case 'start_test_run_config_bad_required_statuses':
      return {
        sentences: [
          `It would break the configuration file of ${code(queue.branch)}${said}.`,
          `Fix ${file} in it, then submit it again.`,
        ],
        line: `It would break the configuration file of ${queue.branch}`,
      };
    case 'start_test_run_refused':
      return {
        sentences: [`It cannot be tested${said}.`, 'Fix the cause, then submit it again.'],
        line: 'Its commit or its testing branch was refused',
      };
    case 'start_test_run_retry_exhausted':
      return {
        sentences: [`Its test could not be started${said}.`, 'Fix the cause, then submit it again.'],
        line: 'Its test could not be started',
      };
  }
}

function failedTests(facts: PullRequestViewFacts): Failure {
  const { entry, failedRun } = facts;
  const title = 'Tests failed';
  const left = 'It left the queue';
  if (failedRun === null) return { title, sentences: [`${left}${saidIn(facts)}.`], line: title };
  const { failure } = failedRun;
  const names = failure.type === 'timeout' ? failure.missing : failure.names;
  const among = company(failedRun, entry.number);
  const tested = among === '' ? `${left}.` : `It was tested${among}, and left the queue.`;
  const known = failure.reused ? ['The same tree failed before, so it was not tested again.'] : [];
  const wasUnheard = failure.type === 'status' && failure.insteadReported !== undefined;
  const status = wasUnheard ? 'was never reported' : 'failed';
  const verb = { timeout: 'did not pass in time', lost: 'got no result from CI', status }[failure.type];
  return {
    title,
    sentences: [
      tested,
      ...known,
      ...afterSuspectRun(entry),
      ...failedStatuses(failedRun),
      `${wayOut(failedRun)}, then submit it again.`,
    ],
    line: `${names.join(', ')} ${verb}`,
  };
}

function saidIn({ details }: PullRequestViewFacts): string {
  return details ? `: ${code(details)}` : '';
}
