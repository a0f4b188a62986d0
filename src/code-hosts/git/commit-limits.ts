import type { GitCall, GitLimits } from './git-command';

/**
 * Limits for one pull request's commit. CPU time is limited rather than elapsed time, so that a busy machine refuses
 * nobody. The time limit only ends processes that hang.
 */
const MERGE: GitLimits = { cpuSeconds: 60, memoryMiB: 1_024, fileMiB: 1_024 };
export const MERGE_CALL: GitCall = { limits: MERGE, limitMs: 10 * 60_000 };

/** For a call during which a person waits. */
export const QUICK_MERGE_CALL: GitCall = { ...MERGE_CALL, limits: { ...MERGE, cpuSeconds: 5 } };

/** For listing changed files: about a million of them. */
export const LISTING_CALL: GitCall = { limits: { ...MERGE, cpuSeconds: 5 }, limitMs: 2 * 60_000 };

/** For fetching it onto a clone that has the target. */
export const FETCH_LIMITS: GitLimits = { cpuSeconds: 300, memoryMiB: 2_048, fileMiB: 2_048 };

/** For writing all its files to the disk. */
export const CHECKOUT_CALL: GitCall = { limits: { ...MERGE, cpuSeconds: 300 }, limitMs: 10 * 60_000 };

/** The rebase method merges each commit separately. */
export const MOST_COMMITS_TO_REBASE = 2_000;
