import type { PullRequestViewFacts } from '../../pull-request-view-facts';
import type { QueueSnapshot } from '../../model';
import type { StateReason } from '../../vocabulary';
import { code, plain, type Story } from '../../wording/markdown';
import { type ReasonFacts, reasonSentence } from '../reason-sentence';
import { capitalised, company, inFiles } from '../../wording/words';
import { failedStatuses, wayOut } from './failed-statuses';
import { afterSuspectRun, whyCancelled } from './reasons';

export function merged({ queue, entry, landedAs }: PullRequestViewFacts): Story {
  const reason = entry.stateReason ?? 'merge_graph_merge';
  const as = landedAs === null ? '' : ` as ${landedAs}`;
  const sentence = `${capitalised(reasonSentence(reason, factsOf(queue), code))}${as}.`;
  const line = `Merged into ${queue.branch}${reason === 'manual_merge' ? ' manually' : ''}`;
  return { title: 'Merged', sentences: [sentence, ...whatWentWrong(queue, entry.number)], line };
}

function factsOf({ branch, host }: QueueSnapshot): ReasonFacts {
  return { branch, host };
}

/** Lines about a merge in which the host wrote other content than the pull request has. */
function whatWentWrong({ partialLanding, host, branch }: QueueSnapshot, number: number): readonly string[] {
  const wrong = (partialLanding?.wrongTrees ?? []).find((tree) => tree.number === number);
  if (wrong === undefined) return [];
  const differs = `**${code(host)} merged the wrong content**: ${code(branch)} differs from the tested tree${inFiles(wrong.files, code)}.`;
  return [
    differs,
    `The queue is paused until somebody restores the tested content on ${code(branch)} and resumes the queue.`,
  ];
}

export function cancelled({ queue, entry }: PullRequestViewFacts): Story {
  if (entry.stateReason === 'dry_run_passed') return dryRunPassed(queue);
  const [sentence, line] = [code, plain].map((quote) => whyCancelled(queue, entry, quote)) as [string, string];
  const sentences = [`${capitalised(sentence)}.`, ...whatToDo(entry.stateReason)];
  return { title: 'Removed from the queue', sentences, line: `Removed from the queue: ${line}` };
}

function whatToDo(reason: StateReason | null): readonly string[] {
  if (reason === 'target_set_back') return ['Submit it again, or a new pull request if this one stays closed.'];
  if (reason === 'nothing_to_merge') return ['Close it, or push the missing changes and submit it again.'];
  return [];
}

function dryRunPassed(queue: QueueSnapshot): Story {
  const sentences = [
    `${capitalised(reasonSentence('dry_run_passed', factsOf(queue), code))}.`,
    `It was tested on top of ${code(queue.branch)} at that time. Submit it to merge it.`,
  ];
  return { title: 'Dry run passed', sentences, line: 'Dry run passed; not merged' };
}

export function failed(facts: PullRequestViewFacts): Story {
  const { entry } = facts;
  switch (entry.stateReason) {
    case null:
    case 'test_run_required_status_failed':
    case 'test_run_timeout':
    case 'test_run_failed_by_optimization':
      return failedTests(facts, entry.stateReason ?? 'test_run_required_status_failed');
    default:
      return notMerged(facts, entry.stateReason);
  }
}

function notMerged(facts: PullRequestViewFacts, reason: StateReason): Story {
  const { queue, details } = facts;
  const [sentence, line] = [code, plain].map((quote) => capitalised(reasonSentence(reason, factsOf(queue), quote))) as [
    string,
    string,
  ];
  const said = details ? `: ${code(details)}` : '';
  return { title: 'Not merged', sentences: [`${sentence}${said}.`, wayOutOf(reason, facts)], line };
}

function wayOutOf(reason: StateReason, { brand, queue }: PullRequestViewFacts): string {
  const file = code(`.${brand}/${brand}.yaml`);
  const branch = code(queue.branch);
  switch (reason) {
    case 'pr_updated_at_merge_time':
      return 'Submit it again to test the new commits.';
    case 'host_branch_protection_unmet':
      return 'Do what the rule requires, then submit it again.';
    case 'start_test_run_merge_conflict':
      return `Rebase it onto ${branch}, then submit it again.`;
    case 'start_test_run_no_required_statuses':
      return `The queue merges nothing untested. Set a required status in the settings of the queue, as ${code('merge.required_statuses')} in ${file} on ${branch}, or in the branch protection of ${branch}. Then submit it again.`;
    case 'start_test_run_config_parsing_failure':
    case 'start_test_run_config_bad_required_statuses':
      return `Fix ${file} in the pull request, then submit it again.`;
    default:
      return 'Fix the cause, then submit it again.';
  }
}

function failedTests(facts: PullRequestViewFacts, reason: StateReason): Story {
  const { entry, failedRun, details } = facts;
  const title = 'Tests failed';
  const sentence = capitalised(reasonSentence(reason));
  if (failedRun === null)
    return { title, sentences: [`${sentence}${details ? `: ${code(details)}` : ''}.`], line: sentence };
  const { failure } = failedRun;
  const names = failure.type === 'timeout' ? failure.missing : failure.names;
  const among = company(failedRun, entry.number);
  return {
    title,
    sentences: [
      `${sentence}.${among === '' ? '' : ` It was tested${among}.`}`,
      ...afterSuspectRun(entry),
      ...failedStatuses(failedRun),
      `${wayOut(failedRun)}, then submit it again.`,
    ],
    line: `${sentence}: ${names.join(', ')}`,
  };
}
