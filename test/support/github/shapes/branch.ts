import type { Account } from '../../forge/accounts';
import { isAboutPullRequests, rulesOf } from '../branch-rules';
import type { BranchRule, RepositoryRecord } from '../records';
import { fullName, type GitHubState } from '../state';
import { commitShape } from './commit';

export function branchShape(
  state: GitHubState,
  repository: RepositoryRecord,
  name: string,
  sha: string,
): Record<string, unknown> {
  const api = state.api(`/repos/${fullName(repository)}/branches/${encodeURIComponent(name)}`);
  const rules = rulesOf(repository, name);
  const classic = rules.find((rule) => rule.kind === 'classic');
  const contexts = classic?.requiredContexts ?? [];
  return {
    name,
    commit: commitShape(state, repository, sha),
    _links: { self: api, html: state.html(`/${fullName(repository)}/tree/${encodeURI(name)}`) },
    protected: rules.length > 0,
    protection: {
      enabled: classic !== undefined,
      required_status_checks: {
        enforcement_level: contexts.length === 0 ? 'off' : 'non_admins',
        contexts,
        checks: contexts.map((context) => ({ context, app_id: classic?.pins[context] ?? null })),
      },
    },
    protection_url: `${api}/protection`,
  };
}

/** The rules of a ruleset: one rule for each demand of `rule`. */
export function rulesShape(repository: RepositoryRecord, rule: BranchRule): Record<string, unknown>[] {
  const source = {
    ruleset_source_type: 'Repository',
    ruleset_source: fullName(repository),
    ruleset_id: rule.id,
  };
  const checks = {
    type: 'required_status_checks',
    parameters: {
      strict_required_status_checks_policy: rule.strict,
      do_not_enforce_on_create: false,
      required_status_checks: rule.requiredContexts.map((context) => {
        const pin = rule.pins[context];
        return pin === undefined ? { context } : { context, integration_id: pin };
      }),
    },
    ...source,
  };
  const reviews = {
    type: 'pull_request',
    parameters: {
      required_approving_review_count: rule.requiredApprovals,
      dismiss_stale_reviews_on_push: false,
      require_code_owner_review: rule.codeOwners,
      require_last_push_approval: rule.lastPush,
      required_review_thread_resolution: rule.conversations,
    },
    ...source,
  };
  return [
    ...(rule.requiredContexts.length > 0 ? [checks] : []),
    ...(isAboutPullRequests(rule) ? [reviews] : []),
    ...(rule.signatures ? [{ type: 'required_signatures', ...source }] : []),
    ...(rule.restrictsCreation ? [{ type: 'creation', ...source }] : []),
    { type: 'deletion', ...source },
  ];
}

/** A rule in the form of a ruleset. `current_user_can_bypass` is about the caller. */
export function rulesetShape(
  repository: RepositoryRecord,
  rule: BranchRule,
  account: Account,
): Record<string, unknown> {
  const rules = rulesShape(repository, rule).map(({ type, parameters }) => ({
    type,
    ...(parameters === undefined ? {} : { parameters }),
  }));
  return {
    id: rule.id,
    name: `Rules of ${rule.branch}`,
    target: 'branch',
    source_type: 'Repository',
    source: fullName(repository),
    enforcement: 'active',
    conditions: { ref_name: { include: [`refs/heads/${rule.branch}`], exclude: [] } },
    rules,
    current_user_can_bypass: rule.bypass.includes(account.login) ? rule.bypassMode : 'never',
  };
}
