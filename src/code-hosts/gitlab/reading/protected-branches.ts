import { matchesGlob } from '../../../domain/glob-set';
import { listAt, numberAt, textAt } from '../../reading';

/** Whether a rule of protected branches applies to the branch. `*` in its name matches anything, slashes included. */
export function matchesProtection(rule: unknown, branch: string): boolean {
  return matchesGlob(textAt(rule, 'name') ?? '', branch, 'stars');
}

/** Whether the rules allow something to a person. The most generous matching rule decides. */
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
 * The higher of the service's roles in the project and in its groups; 0: none. `seen`: the project as the host shows
 * it.
 */
export function roleLevelIn(seen: unknown): number {
  const levels = ['project_access', 'group_access'].map((way) => numberAt(seen, 'permissions', way, 'access_level'));
  return Math.max(0, ...levels.map((level) => level ?? 0));
}
