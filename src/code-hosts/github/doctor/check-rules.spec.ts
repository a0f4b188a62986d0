import type { Finding } from '../../../domain/host-examination';
import type { MergeMethod } from '../../../domain/code-host.port';
import type { RepositoryFacts, RuleFacts } from './facts';
import { checkMergeMethod, checkRepository, checkTarget, checkTestingBranches } from './check-rules';

const ABOUT = 'github.com/acme/widgets main';

function rule(type: string, parameters: object = {}, stopsUs: boolean | null = true): RuleFacts {
  return { type, parameters, ruleset: '"Main"', stopsUs };
}

function verdicts(findings: readonly Finding[]): string[] {
  return findings.map(({ verdict }) => verdict);
}

describe('rules for testing branches', () => {
  const check = (rules: readonly RuleFacts[], ...methods: MergeMethod[]) =>
    checkTestingBranches('github.com/acme/widgets', 'sluice-merge/**', rules, { methods, signs: false });

  it.each([
    ...[
      'creation',
      'deletion',
      'pull_request',
      'required_status_checks',
      'required_signatures',
      'required_deployments',
    ],
  ])('stop the queue: %s', (type) => {
    const [finding] = check([rule(type)], 'squash');
    expect(finding).toMatchObject({
      verdict: 'problem',
      what: expect.stringContaining('sluice-merge/**') as string,
      advice: 'Exclude sluice-merge/** from the ruleset "Main", or let the app bypass it.',
    });
  });

  it.each(['update', 'non_fast_forward', 'copilot_code_review'])('do not stop the queue: %s', (type) => {
    expect(verdicts(check([rule(type)], 'squash'))).toEqual(['ok']);
  });

  it('that require a linear history stop only a queue that merges with merge commits', () => {
    expect(verdicts(check([rule('required_linear_history')], 'squash', 'rebase'))).toEqual(['ok']);
    expect(verdicts(check([rule('required_linear_history')], 'squash', 'merge_commit'))).toEqual(['problem']);
  });

  it('do not stop the queue if new branches need no statuses, or if the app may bypass the rules', () => {
    expect(verdicts(check([rule('required_status_checks', { do_not_enforce_on_create: true })], 'squash'))).toEqual([
      'ok',
    ]);
    expect(verdicts(check([rule('creation', {}, false)], 'squash'))).toEqual(['ok']);
    expect(verdicts(check([rule('creation', {}, null)], 'squash'))).toEqual(['problem']);
  });

  it('that require signatures do not stop the queue if the service signs its commits', () => {
    const signed = { methods: ['squash'], signs: true } as const;
    expect(verdicts(checkTestingBranches(ABOUT, 'sluice-merge/**', [rule('required_signatures')], signed))).toEqual([
      'ok',
    ]);
  });

  it('give the result "unknown" if one of the rules cannot be checked', () => {
    expect(verdicts(check([rule('commit_message_pattern')], 'squash'))).toEqual(['unknown']);
  });
});

describe('rules of the target', () => {
  const check = (mergeMethod: MergeMethod, ...rules: RuleFacts[]) =>
    checkTarget(ABOUT, { targetBranch: 'main', mergeMethod }, rules, { classic: null, signs: false });
  const strict = rule('required_status_checks', {
    strict_required_status_checks_policy: true,
    required_status_checks: [{ context: 'tests' }],
  });
  const statuses = rule('required_status_checks', { required_status_checks: [{ context: 'tests' }] });

  it.each<[string, MergeMethod, RuleFacts, string]>([
    ["GitHub's own merge queue", 'squash', rule('merge_queue'), 'problem'],
    ['restricted updates', 'squash', rule('update'), 'problem'],
    ['a linear history and merge commits', 'merge_commit', rule('required_linear_history'), 'problem'],
    ['a linear history and squashing', 'squash', rule('required_linear_history'), 'ok'],
    ['signatures and rebasing', 'rebase', rule('required_signatures'), 'problem'],
    ['signatures and squashing', 'squash', rule('required_signatures'), 'ok'],
    ['reviews', 'squash', rule('pull_request', { required_approving_review_count: 1 }), 'ok'],
    ['"up to date" and squashing', 'squash', strict, 'problem'],
    ['"up to date" and merge commits', 'merge_commit', strict, 'ok'],
    ['statuses', 'rebase', statuses, 'ok'],
    ['a rule that cannot be checked', 'squash', rule('required_deployments'), 'unknown'],
    ['a rule without effect on merges', 'squash', rule('non_fast_forward'), 'ok'],
    ["GitHub's own merge queue that the app bypasses", 'squash', rule('merge_queue', {}, false), 'problem'],
    ['a rule that the app bypasses', 'squash', rule('update', {}, false), 'ok'],
  ])('are compared with the merge method of the queue: %s', (_, mergeMethod, one, verdict) => {
    expect(check(mergeMethod, one)[0]?.verdict).toBe(verdict);
  });

  it('name the statuses that the heads of pull requests need, and the number of approvals', () => {
    expect(check('squash', statuses)[0]?.what).toBe('the heads of pull requests need tests before GitHub merges them');
    expect(check('squash', rule('pull_request', { required_approving_review_count: 2 }))[0]).toMatchObject({
      what: 'pull requests need 2 approvals, and the queue waits for that',
      advice: expect.stringContaining('waits') as string,
    });
  });

  it.each(['merge_commit', 'squash'] as const)(
    'attack 3: name the approvals and statuses that the queue awaits although the app may bypass the rule (%s)',
    (mergeMethod) => {
      const reviews = {
        required_approving_review_count: 1,
        require_code_owner_review: true,
        require_last_push_approval: true,
        required_review_thread_resolution: true,
      };
      const needs = ['1 approval', 'the approval of a code owner', 'an approval of the last push by somebody else'];
      expect(check(mergeMethod, rule('pull_request', reviews, false))[0]?.what).toBe(
        `pull requests need ${needs.join(', ')}, resolved conversations, and the queue waits for that`,
      );
      const checks = [{ context: 'tests', integration_id: 15_368 }, { context: 'scan' }];
      const [found] = check(mergeMethod, rule('required_status_checks', { required_status_checks: checks }, false));
      const names = 'tests (from the app 15368 only), scan';
      expect(found?.what).toBe(`${names} have to pass before a merge, although the app may bypass the rule`);
    },
  );

  it('give the result "unknown" if classic branch protection hides the rules', () => {
    const findings = checkTarget(ABOUT, { targetBranch: 'main', mergeMethod: 'squash' }, [], {
      classic: { hasClassicProtection: true },
      signs: false,
    });
    expect(verdicts(findings)).toEqual(['unknown']);
  });
});

describe('the merge methods that the repository allows', () => {
  const facts = (squash: boolean | null): RepositoryFacts => ({
    isArchived: false,
    mayPush: null,
    allowed: { squash, merge_commit: false, rebase: true },
  });

  it.each<[MergeMethod, boolean | null, string]>([
    ['squash', true, 'ok'],
    ['squash', false, 'problem'],
    ['squash', null, 'unknown'],
    ['merge_commit', true, 'problem'],
    ['rebase', false, 'ok'],
  ])('are checked for a queue with the method %s (squashing allowed: %s)', (mergeMethod, squash, verdict) => {
    expect(checkMergeMethod(ABOUT, { targetBranch: 'main', mergeMethod }, facts(squash)).verdict).toBe(verdict);
  });

  it('are of no use if the repository is archived or the token may only read: each is a problem', () => {
    expect(verdicts(checkRepository(ABOUT, facts(true)))).toEqual([]);
    expect(verdicts(checkRepository(ABOUT, { ...facts(true), isArchived: true, mayPush: false }))).toEqual([
      'problem',
      'problem',
    ]);
  });
});
