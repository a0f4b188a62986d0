import type { StatusPin } from '../../../domain/code-host.port';
import { at, listAt, numberAt, textAt } from '../../reading';

/** Demands of the branch rules on a pull request itself, including rules that the app may bypass. */
export interface BranchDemands {
  readonly approvals: number;
  readonly fromCodeOwners: boolean;
  /** Whether somebody other than its author must approve the last push. */
  readonly ofLastPush: boolean;
  readonly resolvedConversations: boolean;
  /** Whether classic protection may demand reviews, which GitHub shows only to administrators of the repository. */
  readonly mayHideReviews: boolean;
  readonly checks: readonly DemandedCheck[];
  /**
   * The rules that require signed commits. GitHub shows this demand of classic protection only to administrators of the
   * repository.
   */
  readonly signatures: readonly ByRuleset[];
}

/** A demand of a branch rule. */
export interface ByRuleset {
  /** The id of the ruleset with the demand; null for classic protection. */
  readonly ruleset: number | null;
}

export interface DemandedCheck extends ByRuleset {
  readonly name: string;
  /** The id of the app whose reports count; null for any app. */
  readonly appId: number | null;
}

/**
 * The demands on pull requests for a branch. `branch`: the answer of `GET branch` for anybody with read access.
 * `rules`: the rules of the rulesets.
 */
export function demandsOf(branch: unknown, rules: readonly unknown[]): BranchDemands {
  const reviews = rules.filter((rule) => textAt(rule, 'type') === 'pull_request');
  const asks = (name: string): boolean => reviews.some((rule) => at(rule, 'parameters', name) === true);
  const counts = reviews.map((rule) => numberAt(rule, 'parameters', 'required_approving_review_count') ?? 0);
  return {
    approvals: Math.max(0, ...counts),
    fromCodeOwners: asks('require_code_owner_review'),
    ofLastPush: asks('require_last_push_approval'),
    resolvedConversations: asks('required_review_thread_resolution'),
    mayHideReviews: at(branch, 'protected') === true && at(branch, 'protection', 'enabled') === true,
    checks: [...classicChecks(branch), ...rules.flatMap(rulesetChecks)],
    signatures: rules
      .filter((rule) => textAt(rule, 'type') === 'required_signatures')
      .map((rule) => ({ ruleset: numberAt(rule, 'ruleset_id') })),
  };
}

/** The names of the checks, each name once. */
export function namesOf(checks: readonly DemandedCheck[]): readonly string[] {
  return [...new Set(checks.map(({ name }) => name))];
}

/** The pairs of a name and an app, each pair once. */
export function pinsOf(checks: readonly DemandedCheck[]): readonly StatusPin[] {
  const pins = checks.flatMap(({ name, appId }) => (appId === null ? [] : [{ name, app: String(appId) }]));
  return pins.filter((pin, at) => pins.findIndex(({ name, app }) => name === pin.name && app === pin.app) === at);
}

function classicChecks(branch: unknown): readonly DemandedCheck[] {
  if (at(branch, 'protected') !== true) return [];
  const demanded = at(branch, 'protection', 'required_status_checks');
  if (textAt(demanded, 'enforcement_level') === 'off') return [];
  const checks = listAt(demanded, 'checks').flatMap((check) =>
    demandedCheck(textAt(check, 'context'), check, 'app_id'),
  );
  const known = namesOf(checks);
  const names = listAt(demanded, 'contexts').filter((name) => typeof name === 'string' && !known.includes(name));
  return [...checks, ...names.flatMap((name) => demandedCheck(String(name), null, 'app_id'))];
}

function rulesetChecks(rule: unknown): readonly DemandedCheck[] {
  if (textAt(rule, 'type') !== 'required_status_checks') return [];
  const ruleset = numberAt(rule, 'ruleset_id');
  return listAt(rule, 'parameters', 'required_status_checks').flatMap((check) =>
    demandedCheck(textAt(check, 'context'), check, 'integration_id', ruleset),
  );
}

function demandedCheck(
  name: string | null,
  check: unknown,
  app: 'app_id' | 'integration_id',
  ruleset: number | null = null,
): readonly DemandedCheck[] {
  if (name === null || name === '') return [];
  const id = numberAt(check, app) ?? 0;
  // GitHub writes -1 for "any app".
  return [{ name, appId: id > 0 ? id : null, ruleset }];
}
