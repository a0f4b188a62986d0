/** True in the project `long` of jest.config.cjs, which `npm run test:long` runs. */
export const isLongRun = (globalThis as { readonly isLongRun?: boolean }).isLongRun === true;

/** If a test has several repetitions, `npm test` plays the first, and the long run plays the others. */
export function repetitionsOfThisRun<Item>(all: readonly Item[]): readonly Item[] {
  return isLongRun ? all.slice(1) : all.slice(0, 1);
}

/** Declares tests that only the long run plays. */
export function inLongRun(declare: () => void): void {
  if (isLongRun) declare();
}

/** Declares tests that only `npm test` plays. */
export function inShortRun(declare: () => void): void {
  if (!isLongRun) declare();
}
