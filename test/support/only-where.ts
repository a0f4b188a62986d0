import { spawnSync } from 'node:child_process';

/** A condition that not every machine meets. */
export interface Need {
  readonly isMet: boolean;
  /** The reason why a test that needs it is skipped. */
  readonly otherwise: string;
}

export const ROOT: Need = { isMet: process.getuid?.() === 0, otherwise: 'it needs root' };
/** Not met for root in a clone that other users cannot enter, for instance below /root. */
export const ENTERED_BY_OTHERS: Need = {
  isMet: !ROOT.isMet || spawnSync('test', ['-r', __filename], { cwd: '/', uid: 2_000_000_000 }).status === 0,
  otherwise: 'it starts programs as another user, who may not enter the folder of this clone',
};
export const LINUX: Need = { isMet: process.platform === 'linux', otherwise: 'it needs /proc of Linux' };

/** `it` if the condition is met. Otherwise the test is skipped, and its name gives the reason. */
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
