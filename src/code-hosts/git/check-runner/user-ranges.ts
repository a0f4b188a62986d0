/** A user without a name. Its group has the same number, and it has no other group. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface UserRange {
  readonly first: number;
  readonly count: number;
}

/**
 * Ranges of user numbers that no distribution, systemd or directory service assigns. The second range is for containers
 * that have only 65,536 users.
 */
export const USER_RANGES: readonly UserRange[] = [
  { first: 2_100_000_000, count: 1_000_000 },
  { first: 60_578, count: 606 },
];

/** Whether the number is reserved for users of checks. */
export function isUserOfChecks(id: number): boolean {
  return USER_RANGES.some(({ first, count }) => id >= first && id < first + count);
}
