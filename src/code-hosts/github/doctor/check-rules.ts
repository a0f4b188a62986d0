import { type ExaminedQueue, type Finding, ok, problem, unknown } from '../../../domain/host-examination';
import type { MergeMethod } from '../../../domain/code-host.port';
import { at, listAt, numberAt } from '../../reading';
import type { BranchFacts, RepositoryFacts, RuleFacts } from './facts';

const WORDS: Readonly<Record<MergeMethod, string>> = {
  merge_commit: 'merge commits',
  squash: 'squash merging',
  rebase: 'rebase merging',
};
/**
 * Types of rules that matter even if the app may bypass them: the queue waits for the demands of two of them, and
 * GitHub's own merge queue accepts entries from other people.
 */
const NEVER_BYPASSED = ['pull_request', 'required_status_checks', 'merge_queue'];
/** Types of rules that do not affect a queue whose target branch exists. */
const HARMLESS = ['creation', 'deletion', 'non_fast_forward', 'copilot_code_review', 'branch_name_pattern'];

/** Whether the queue may create, push once and remove its testing branches. */
export function checkTestingBranches(
  about: string,
  pattern: string,
  rules: readonly RuleFacts[],
  { methods, signs }: { readonly methods: readonly MergeMethod[]; readonly signs: boolean },
): readonly Finding[] {
  const findings = rules
    .filter(({ stopsUs }) => stopsUs !== false)
    .flatMap((rule) => {
      const what = objectionToTesting(rule, methods, signs);
      if (what === null) return [];
      const advice = `Exclude ${pattern} from the ruleset ${rule.ruleset}, or let the app bypass it.`;
      if (what === 'unclear') return [unknown(about, `whether ${pattern} fits the rule ${rule.type}`, advice)];
      return [problem(about, `testing branches ${pattern} ${what}`, advice)];
    });
  return findings.length > 0 ? findings : [ok(about, `no ruleset stops testing branches ${pattern}`)];
}

function objectionToTesting(
  { type, parameters }: RuleFacts,
  methods: readonly MergeMethod[],
  signs: boolean,
): string | null {
  switch (type) {
    case 'creation':
      return 'may not be created';
    case 'deletion':
      return 'may not be removed, so they would accumulate';
    case 'pull_request':
      return 'may only be changed by pull requests';
    case 'required_status_checks':
      if (at(parameters, 'do_not_enforce_on_create') === true) return null;
      return 'need passed statuses before a push, but CI can report statuses only after the push';
    case 'required_signatures':
      return signs ? null : 'need signed commits, and the service has no key to sign its own';
    case 'required_linear_history':
      return methods.includes('merge_commit') ? 'may not contain merge commits, which the queue creates' : null;
    case 'required_deployments':
      return 'need deployments before they may be pushed';
    case 'update':
    case 'non_fast_forward':
    case 'copilot_code_review':
      return null;
    default:
      return 'unclear';
  }
}

/** Demands in the rules of the target that this queue's merges do not meet. */
export function checkTarget(
  about: string,
  { mergeMethod }: ExaminedQueue,
  rules: readonly RuleFacts[],
  { classic, signs }: { readonly classic: BranchFacts | null; readonly signs: boolean },
): readonly Finding[] {
  const findings = rules.flatMap((rule) => {
    const isBypassed = rule.stopsUs === false && !NEVER_BYPASSED.includes(rule.type);
    if (isBypassed || HARMLESS.includes(rule.type)) return [];
    return checkTargetRule(about, { mergeMethod, signs }, rule);
  });
  if (classic?.hasClassicProtection === true) {
    findings.push(
      unknown(
        about,
        'the classic protection of the branch: GitHub shows it only to administrators of the repository',
        'Check reviews, signed commits, linear history, "up to date" and who may push there: docs/github.md.',
      ),
    );
  }
  return findings.some(({ verdict }) => verdict !== 'ok')
    ? findings
    : [...findings, ok(about, 'no ruleset prevents merges')];
}

function checkTargetRule(
  about: string,
  { mergeMethod, signs }: { readonly mergeMethod: MergeMethod; readonly signs: boolean },
  rule: RuleFacts,
): Finding[] {
  const bypass = `or let the app bypass the ruleset ${rule.ruleset}.`;
  const no = (what: string, change: string): Finding[] => [problem(about, what, `${change}, ${bypass}`)];
  switch (rule.type) {
    case 'merge_queue':
      if (rule.stopsUs !== false)
        return no("GitHub's own merge queue is on, and allows no other queue", 'Switch it off');
      return [
        problem(about, "GitHub's own merge queue is on: this queue refuses the pull requests in it", 'Switch it off.'),
      ];
    case 'update':
      return no('nobody may update the branch', 'Take "Restrict updates" away');
    case 'required_linear_history':
      if (mergeMethod !== 'merge_commit') return [];
      return no(
        'the history has to be linear, and the queue makes merge commits',
        'Set mergeMethod to squash or rebase',
      );
    case 'required_signatures':
      if (mergeMethod !== 'rebase') return [signaturesNeeded(about, signs && mergeMethod === 'merge_commit')];
      return no(
        'commits have to be signed, and GitHub does not sign commits that it rebases',
        'Set mergeMethod to squash',
      );
    case 'pull_request':
      return [approvalsNeeded(about, rule)];
    case 'required_status_checks':
      return checkStatuses(about, mergeMethod, rule, bypass);
    default:
      return [
        unknown(about, `whether merges of the queue satisfy the rule ${rule.type}`, `See ruleset ${rule.ruleset}.`),
      ];
  }
}

function signaturesNeeded(about: string, isPushed: boolean): Finding {
  if (isPushed) {
    const advice = 'Authors must also sign the commits of their pull requests.';
    return ok(about, 'commits have to be signed: the queue pushes merge commits that it signs', advice);
  }
  const advice = 'The queue merges pull requests one at a time by the merge button; authors must sign their commits.';
  return ok(about, 'commits have to be signed: GitHub signs commits of its merge button', advice);
}

const REVIEW_NEEDS = [
  ['require_code_owner_review', 'the approval of a code owner'],
  ['require_last_push_approval', 'an approval of the last push by somebody else'],
  ['required_review_thread_resolution', 'resolved conversations'],
] as const;

function approvalsNeeded(about: string, { parameters }: RuleFacts): Finding {
  const count = numberAt(parameters, 'required_approving_review_count') ?? 0;
  const needs = [
    ...(count === 0 ? [] : [count === 1 ? '1 approval' : `${count} approvals`]),
    ...REVIEW_NEEDS.flatMap(([name, need]) => (at(parameters, name) === true ? [need] : [])),
  ];
  const advice =
    'A pull request without one of these waits, even if the app may bypass the rule. The queue checks again before the merge.';
  if (needs.length === 0) return ok(about, 'changes need pull requests: the queue merges by the merge button');
  return ok(about, `pull requests need ${needs.join(', ')}, and the queue waits for that`, advice);
}

function checkStatuses(
  about: string,
  mergeMethod: MergeMethod,
  { parameters, stopsUs }: RuleFacts,
  bypass: string,
): Finding[] {
  const names = listAt(parameters, 'required_status_checks').map(nameOfCheck);
  if (stopsUs === false) {
    const what = `${names.join(', ')} have to pass before a merge, although the app may bypass the rule`;
    const advice =
      'CI has to report each of these statuses on testing branches or on pull requests. Without a report, pull requests wait.';
    return [ok(about, what, advice)];
  }
  // A push lands exactly the tested commits, which have the statuses.
  if (mergeMethod === 'merge_commit') return [];
  if (at(parameters, 'strict_required_status_checks_policy') === true) {
    const what =
      'the rule demands branches that are up to date, although the queue tests each pull request on the current target';
    return [problem(about, what, `Untick "Require branches to be up to date before merging", ${bypass}`)];
  }
  const what = `the heads of pull requests need ${names.join(', ')} before GitHub merges them`;
  const advice =
    'CI has to report these statuses on pull requests, too, not only on testing branches. Without a report, pull requests wait.';
  return [ok(about, what, advice)];
}

function nameOfCheck(check: unknown): string {
  const app = numberAt(check, 'integration_id') ?? 0;
  const name = String(at(check, 'context'));
  return app > 0 ? `${name} (from the app ${app} only)` : name;
}

export function checkRepository(about: string, { isArchived, mayPush }: RepositoryFacts): readonly Finding[] {
  const archived = isArchived ? [problem(about, 'the repository is archived', 'Unarchive it.')] : [];
  const reads = mayPush === false ? [problem(about, 'the token may only read', 'Give it write access.')] : [];
  return [...archived, ...reads];
}

export function checkMergeMethod(about: string, { mergeMethod }: ExaminedQueue, { allowed }: RepositoryFacts): Finding {
  const word = WORDS[mergeMethod];
  if (allowed[mergeMethod] === true) return ok(about, `the repository allows ${word}`);
  if (allowed[mergeMethod] === null) return unknown(about, `whether the repository allows ${word}`);
  const advice = `Allow ${word} in the settings of the repository, or change mergeMethod of the queue.`;
  if (mergeMethod !== 'merge_commit') return problem(about, `the repository does not allow ${word}`, advice);
  return problem(about, `the repository does not allow ${word}: merges work only while no rule forbids pushes`, advice);
}
