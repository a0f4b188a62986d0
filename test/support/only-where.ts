/** What not every machine gives to tests. */
export interface Need {
  readonly isMet: boolean;
  /** Why a test is skipped that needs it. */
  readonly otherwise: string;
}

export const ROOT: Need = { isMet: process.getuid?.() === 0, otherwise: 'it needs root' };
export const LINUX: Need = { isMet: process.platform === 'linux', otherwise: 'it needs /proc of Linux' };

/** `it` where the need is met. Elsewhere the test is skipped, and its name says why. */
export function itWhere(
  need: Need,
): (name: string, test: jest.EmptyFunction | (() => Promise<void>), timeoutMs?: number) => void {
  return (name, test, timeoutMs) => (need.isMet ? it : it.skip)(nameWhere(need, name), test, timeoutMs);
}

/** `describe` in the same way. */
export function describeWhere(need: Need): (name: string, define: () => void) => void {
  return (name, define) => (need.isMet ? describe : describe.skip)(nameWhere(need, name), define);
}

function nameWhere({ isMet, otherwise }: Need, name: string): string {
  return isMet ? name : `${name} (skipped: ${otherwise})`;
}
