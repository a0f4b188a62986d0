import type { GitCall, GitLimits } from './git-command';

/**
 * What the commit of one pull request may cost. Processor time is counted instead of time, so that a busy machine refuses
 * nobody; the time limit only ends what hangs.
 */
const MERGE: GitLimits = { cpuSeconds: 60, memoryMiB: 1_024, fileMiB: 1_024 };
export const MERGE_CALL: GitCall = { limits: MERGE, limitMs: 10 * 60_000 };

/** For a person who waits for an answer. */
export const QUICK_MERGE_CALL: GitCall = { ...MERGE_CALL, limits: { ...MERGE, cpuSeconds: 5 } };

/** Lists the files that it changes: about a million of them. */
export const LISTING_CALL: GitCall = { limits: { ...MERGE, cpuSeconds: 5 }, limitMs: 2 * 60_000 };

/** Fetches it onto a clone that has the target. */
export const FETCH_LIMITS: GitLimits = { cpuSeconds: 300, memoryMiB: 2_048, fileMiB: 2_048 };

/** Writes all files of it to the disk. */
export const CHECKOUT_CALL: GitCall = { limits: { ...MERGE, cpuSeconds: 300 }, limitMs: 10 * 60_000 };

/** With the rebase method each commit is merged by itself. */
export const MOST_COMMITS_TO_REBASE = 2_000;
