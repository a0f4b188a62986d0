/** A user without a name. Its group has the same number, and it is in no other. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface UserRange {
  readonly first: number;
  readonly count: number;
}

/**
 * Numbers that neither distributions nor systemd nor directory services hand out. The second range is for containers that
 * have only 65,536 users.
 */
export const USER_RANGES: readonly UserRange[] = [
  { first: 2_100_000_000, count: 1_000_000 },
  { first: 60_578, count: 606 },
];

/** Whether the number belongs to users of checks alone. */
export function isUserOfChecks(id: number): boolean {
  return USER_RANGES.some(({ first, count }) => id >= first && id < first + count);
}
