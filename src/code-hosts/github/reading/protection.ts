import { at, listAt, textAt } from '../client/reading';

/** Names that the classic protection of a branch demands, as `GET branch` shows them to everybody who may read. */
export function classicStatuses(branch: unknown): readonly string[] {
  if (at(branch, 'protected') !== true) return [];
  const demanded = at(branch, 'protection', 'required_status_checks');
  if (textAt(demanded, 'enforcement_level') === 'off') return [];
  const checks = listAt(demanded, 'checks').map((check) => textAt(check, 'context'));
  return names([...listAt(demanded, 'contexts'), ...checks]);
}

/** Names that the rulesets demand. */
export function rulesetStatuses(rules: readonly unknown[]): readonly string[] {
  const demanding = rules.filter((rule) => textAt(rule, 'type') === 'required_status_checks');
  const checks = demanding.flatMap((rule) => listAt(rule, 'parameters', 'required_status_checks'));
  return names(checks.map((check) => textAt(check, 'context')));
}

function names(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''))];
}
