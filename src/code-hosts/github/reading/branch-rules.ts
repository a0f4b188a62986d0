import type { StatusPin } from '../../../domain/code-host.port';
import { at, listAt, numberAt, textAt } from '../../reading';

/** What the rules of a branch demand of a pull request itself, whoever may bypass them. */
export interface BranchDemands {
  readonly approvals: number;
  readonly fromCodeOwners: boolean;
  /** The last push must be approved by somebody else than who made it. */
  readonly ofLastPush: boolean;
  readonly resolvedConversations: boolean;
  /** Classic protection, whose reviews GitHub shows only to who administers the repository. */
  readonly mayHideReviews: boolean;
  readonly checks: readonly DemandedCheck[];
  /** What demands that commits are signed. Classic protection shows it only to who administers the repository. */
  readonly signatures: readonly ByRuleset[];
}

/** Something that a rule of a branch demands. */
export interface ByRuleset {
  /** The ruleset that demands it; null: classic protection. */
  readonly ruleset: number | null;
}

export interface DemandedCheck extends ByRuleset {
  readonly name: string;
  /** The app that it counts from; null: any. */
  readonly appId: number | null;
}

/** `branch`: as `GET branch` shows it to everybody who may read. `rules`: of the rulesets. */
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

/** Every name once. */
export function namesOf(checks: readonly DemandedCheck[]): readonly string[] {
  return [...new Set(checks.map(({ name }) => name))];
}

/** Every pair of a name and an app once. */
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
  // GitHub writes -1 for any app.
  return [{ name, appId: id > 0 ? id : null, ruleset }];
}
