import { at, listAt, numberAt, textAt, timeAt } from '../client/reading';

/** Whose reviews GitHub counts: people with write access, as far as an answer says who has it. */
const COUNTED: readonly (string | null)[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];

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

/** How many approvals the rulesets of a branch demand. Classic protection shows that to administrators only. */
export function approvalsDemanded(rules: readonly unknown[]): number {
  const demanding = rules.filter((rule) => textAt(rule, 'type') === 'pull_request');
  return Math.max(0, ...demanding.map((rule) => numberAt(rule, 'parameters', 'required_approving_review_count') ?? 0));
}

/** Whether reviews satisfy a rule that demands so many approvals: of everybody the latest that approves or refuses counts. */
export function areEnough(reviews: readonly unknown[], demanded: number): boolean {
  const latest = new Map<number, string>();
  for (const review of reviews.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const reviewer = numberAt(review, 'user', 'id');
    const state = textAt(review, 'state')?.toUpperCase() ?? '';
    if (reviewer === null || !COUNTED.includes(textAt(review, 'author_association'))) continue;
    if (['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'].includes(state)) latest.set(reviewer, state);
  }
  const states = [...latest.values()];
  return !states.includes('CHANGES_REQUESTED') && states.filter((state) => state === 'APPROVED').length >= demanded;
}

/** Of a review: one that was only begun has none, and does not count. */
function timeOf(review: unknown): number {
  return timeAt(review, 'submitted_at')?.getTime() ?? 0;
}

function names(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''))];
}
