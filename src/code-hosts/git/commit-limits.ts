import type { GitCall, GitLimits } from './git-command';

/**
 * The limits for the merge of one pull request. CPU time is limited instead of elapsed time, so that no pull request is
 * refused because the machine is busy. The limit of elapsed time only ends processes that hang.
 */
const MERGE: GitLimits = { cpuSeconds: 60, memoryMiB: 1_024, fileMiB: 1_024 };
export const MERGE_CALL: GitCall = { limits: MERGE, limitMs: 10 * 60_000 };

/** The limits for a merge for which a person waits. */
export const QUICK_MERGE_CALL: GitCall = { ...MERGE_CALL, limits: { ...MERGE, cpuSeconds: 5 } };

/** The limits for listing changed files, which allow about a million files. */
export const LISTING_CALL: GitCall = { limits: { ...MERGE, cpuSeconds: 5 }, limitMs: 2 * 60_000 };

/** The limits for fetching a pull request into a clone that has the target. */
export const FETCH_LIMITS: GitLimits = { cpuSeconds: 300, memoryMiB: 2_048, fileMiB: 2_048 };

/** The limits for writing all files of a commit to the disk. */
export const CHECKOUT_CALL: GitCall = { limits: { ...MERGE, cpuSeconds: 300 }, limitMs: 10 * 60_000 };

/** The maximum number of commits for the rebase method, which merges each commit separately. */
export const MOST_COMMITS_TO_REBASE = 2_000;
