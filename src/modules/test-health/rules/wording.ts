import { branchesInWords } from './branches';

const COMMIT_CHARACTERS = 7;

export function shortCommit(commit: string): string {
  return commit.slice(0, COMMIT_CHARACTERS);
}

export function countInWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** ` on main in 24 hours` */
export function inWindow(branches: readonly string[], windowHours: number): string {
  const isWholeDays = windowHours % 24 === 0 && windowHours > 24;
  const window = isWholeDays ? countInWords(windowHours / 24, 'day') : countInWords(windowHours, 'hour');
  return `${branchesInWords(branches)} in ${window}`;
}
