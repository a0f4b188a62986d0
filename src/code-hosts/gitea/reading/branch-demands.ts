import { at, listAt, missingIn, numberAt, textAt } from '../../reading';

/** The demands of a branch protection on a pull request, and the service's permissions under it. */
export interface ProtectionDemands {
  readonly isProtected: boolean;
  readonly approvals: number;
  /** Names of statuses, and patterns for such names. */
  readonly contexts: readonly string[];
  /**
   * Whether statuses are demanded without names: the head must have a status, and all its statuses must have passed.
   */
  readonly demandsAnyStatus: boolean;
  readonly reviews: ReviewRules;
  /** Whether the service may push to the branch; null if the host does not say. */
  readonly mayPush: boolean | null;
}

export interface ReviewRules {
  readonly countsStale: boolean;
  readonly blocksOnRejection: boolean;
  /** Whether a requested reviewer whose approval would count, and who has not answered, blocks the merge. */
  readonly blocksOnRequest: boolean;
}

/**
 * Only administrators of the repository may read the rules. Without them the strictest rules are assumed, except for
 * review requests.
 */
const UNKNOWN: ReviewRules = { countsStale: false, blocksOnRejection: true, blocksOnRequest: false };

/** The name of a field that is needed for the demands of a branch and is missing; null if no field is missing. */
export function missingInBranch(branch: unknown): string | null {
  const isProtected = at(branch, 'protected') === true;
  const asksStatuses = at(branch, 'enable_status_check') === true;
  return missingIn(branch, {
    protected: 'flag',
    ...(isProtected ? { required_approvals: 'number', enable_status_check: 'flag' } : {}),
    ...(isProtected && asksStatuses ? { status_check_contexts: 'list or null' } : {}),
  });
}

/**
 * `branch`: the branch as the host shows it to everybody with read access. `protection`: the protection as
 * administrators see it; null for other readers.
 */
export function protectionDemandsOf(branch: unknown, protection: unknown): ProtectionDemands {
  const isProtected = at(branch, 'protected') === true;
  const mayPush = at(branch, 'user_can_push');
  const asksStatuses = isProtected && at(branch, 'enable_status_check') === true;
  const listed = asksStatuses ? listAt(branch, 'status_check_contexts') : [];
  const contexts = listed.filter((name): name is string => typeof name === 'string' && name !== '');
  return {
    isProtected,
    approvals: isProtected ? (numberAt(branch, 'required_approvals') ?? 0) : 0,
    contexts,
    demandsAnyStatus: asksStatuses && contexts.length === 0,
    reviews: protection === null ? UNKNOWN : reviewRulesOf(protection),
    mayPush: typeof mayPush === 'boolean' ? mayPush : null,
  };
}

/** The name of the rule in force; null if there is none, or the service may not read it. */
export function ruleNameOf(branch: unknown): string | null {
  return textAt(branch, 'effective_branch_protection_name') || null;
}

function reviewRulesOf(protection: unknown): ReviewRules {
  const says = (name: string): boolean => at(protection, name) === true;
  const denies = (name: string): boolean => at(protection, name) === false;
  return {
    // Stale approvals are not counted, because the host dismisses them only some time after the push.
    countsStale: denies('dismiss_stale_approvals') && !says('ignore_stale_approvals'),
    blocksOnRejection: !denies('block_on_rejected_reviews'),
    blocksOnRequest: says('block_on_official_review_requests'),
  };
}
