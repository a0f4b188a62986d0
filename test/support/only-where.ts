import { spawnSync } from 'node:child_process';

/** A condition that not every machine meets. */
export interface Need {
  readonly isMet: boolean;
  /** The reason that a skipped test gives when the condition is not met. */
  readonly otherwise: string;
}

export const ROOT: Need = { isMet: process.getuid?.() === 0, otherwise: 'it needs root' };
/** Other users can enter the clone. This is not so for root in a clone below /root, for instance. */
export const ENTERED_BY_OTHERS: Need = {
  isMet: !ROOT.isMet || spawnSync('test', ['-r', __filename], { cwd: '/', uid: 2_000_000_000 }).status === 0,
  otherwise: 'it starts programs as another user, who may not enter the folder of this clone',
};
export const LINUX: Need = { isMet: process.platform === 'linux', otherwise: 'it needs /proc of Linux' };

/** Like `it` if the condition is met. Otherwise skips the test, and its title gives the reason. */
export function itWhere(
  need: Need,
): (name: string, test: jest.EmptyFunction | (() => Promise<void>), timeoutMs?: number) => void {
  return (name, test, timeoutMs) => (need.isMet ? it : it.skip)(nameWhere(need, name), test, timeoutMs);
}

/** Like `describe` if the condition is met. Otherwise skips the tests, and their titles give the reason. */
export function describeWhere(need: Need): (name: string, define: () => void) => void {
  return (name, define) => (need.isMet ? describe : describe.skip)(nameWhere(need, name), define);
}

function nameWhere({ isMet, otherwise }: Need, name: string): string {
  return isMet ? name : `${name} (skipped: ${otherwise})`;
}
