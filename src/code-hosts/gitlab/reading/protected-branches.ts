import { matchesGlob } from '../../../domain/glob-set';
import { listAt, numberAt, textAt } from '../../reading';

/** Whether a protection rule applies to the branch. `*` in the name of the rule matches anything, including slashes. */
export function matchesProtection(rule: unknown, branch: string): boolean {
  return matchesGlob(textAt(rule, 'name') ?? '', branch, 'stars');
}

/**
 * Whether the rules let a user push or merge. The most generous rule decides. `by group`: only if the user is in a
 * group.
 */
export function whoMay(
  rules: readonly unknown[],
  what: 'push_access_levels' | 'merge_access_levels',
  { userId, level }: { readonly userId: number | null; readonly level: number },
): 'yes' | 'by group' | 'no' {
  const allowed = rules.flatMap((rule) => listAt(rule, what));
  const isLet = allowed.some((one) => {
    const user = numberAt(one, 'user_id');
    const least = numberAt(one, 'access_level');
    if (user !== null) return user === userId;
    const isOfSomebodyElse = numberAt(one, 'group_id') !== null || numberAt(one, 'deploy_key_id') !== null;
    return !isOfSomebodyElse && least !== null && least > 0 && least <= level;
  });
  if (isLet) return 'yes';
  return allowed.some((one) => numberAt(one, 'group_id') !== null) ? 'by group' : 'no';
}

/**
 * The access level of the service: the higher of its levels in the project and in the project's groups. 0 if it has
 * none. `seen`: GitLab's description of the project.
 */
export function roleLevelIn(seen: unknown): number {
  const levels = ['project_access', 'group_access'].map((way) => numberAt(seen, 'permissions', way, 'access_level'));
  return Math.max(0, ...levels.map((level) => level ?? 0));
}
