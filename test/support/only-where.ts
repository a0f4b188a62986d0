import { spawnSync } from 'node:child_process';

/** A condition that not every machine meets. */
export interface Need {
  readonly isMet: boolean;
  /** The reason that a skipped test gives when the condition is not met. */
  readonly otherwise: string;
}

export const ROOT: Need = { isMet: process.getuid?.() === 0, otherwise: 'it needs root' };
/** Whether other users can enter the clone. Other users cannot, for instance, enter a clone of root's below /root. */
export const ENTERED_BY_OTHERS: Need = {
  isMet: !ROOT.isMet || spawnSync('test', ['-r', __filename], { cwd: '/', uid: 2_000_000_000 }).status === 0,
  otherwise: 'it starts programs as another user, who may not enter the folder of this clone',
};
export const LINUX: Need = { isMet: process.platform === 'linux', otherwise: 'it needs /proc of Linux' };

/** Like `it` if the condition is met. Otherwise skips the test and puts the reason into its title. */
export function itWhere(
  need: Need,
): (name: string, test: jest.EmptyFunction | (() => Promise<void>), timeoutMs?: number) => void {
  return (name, test, timeoutMs) => (need.isMet ? it : it.skip)(nameWhere(need, name), test, timeoutMs);
}

/** Like `describe` if the condition is met. Otherwise skips the tests and puts the reason into their titles. */
export function describeWhere(need: Need): (name: string, define: () => void) => void {
  return (name, define) => (need.isMet ? describe : describe.skip)(nameWhere(need, name), define);
}

function nameWhere({ isMet, otherwise }: Need, name: string): string {
  return isMet ? name : `${name} (skipped: ${otherwise})`;
}
