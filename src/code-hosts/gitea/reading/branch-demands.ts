import { at, listAt, missingIn, numberAt, textAt } from '../../reading';

/** The demands of a branch protection on a pull request, and the service's permissions under it. */
export interface ProtectionDemands {
  readonly isProtected: boolean;
  readonly approvals: number;
  /** Names of statuses, and patterns for such names. */
  readonly contexts: readonly string[];
  /** Statuses are demanded, but none is named: the head must have one, and all must have passed. */
  readonly demandsAnyStatus: boolean;
  readonly reviews: ReviewRules;
  /** Null: the host does not say. */
  readonly mayPush: boolean | null;
}

export interface ReviewRules {
  /**
   * Only administrators of the repository may read the rules. Without them the strictest rules are assumed, except for
   * review requests.
   */
  readonly areKnown: boolean;
  readonly countsStale: boolean;
  readonly blocksOnRejection: boolean;
  /** A requested reviewer whose approval would count has not answered. */
  readonly blocksOnRequest: boolean;
}

const UNKNOWN: ReviewRules = { areKnown: false, countsStale: false, blocksOnRejection: true, blocksOnRequest: false };

/** The name of a field that is missing and needed for the demands of a branch; null: all are there. */
export function missingInBranch(branch: unknown): string | null {
  const isProtected = at(branch, 'protected') === true;
  const asksStatuses = at(branch, 'enable_status_check') === true;
  return missingIn(branch, {
    protected: 'flag',
    ...(isProtected ? { required_approvals: 'number', enable_status_check: 'flag' } : {}),
    ...(isProtected && asksStatuses ? { status_check_contexts: 'list or null' } : {}),
  });
}

/** `branch`: as shown to everybody with read access. `protection`: as shown to administrators, null for others. */
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

/** The name of the rule in force; null when there is none, or the service may not read it. */
export function ruleNameOf(branch: unknown): string | null {
  return textAt(branch, 'effective_branch_protection_name') || null;
}

function reviewRulesOf(protection: unknown): ReviewRules {
  const says = (name: string): boolean => at(protection, name) === true;
  const denies = (name: string): boolean => at(protection, name) === false;
  return {
    areKnown: true,
    // The host dismisses stale approvals some time after the push.
    countsStale: denies('dismiss_stale_approvals') && !says('ignore_stale_approvals'),
    blocksOnRejection: !denies('block_on_rejected_reviews'),
    blocksOnRequest: says('block_on_official_review_requests'),
  };
}
