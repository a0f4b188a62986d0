/** True in the project `long` of jest.config.cjs, which `npm run test:long` runs. */
export const isLongRun = (globalThis as { readonly isLongRun?: boolean }).isLongRun === true;

/** `npm test` plays the first of some repetitions of the same tests, the long run the others. */
export function repetitionsOfThisRun<Item>(all: readonly Item[]): readonly Item[] {
  return isLongRun ? all.slice(1) : all.slice(0, 1);
}

/** Tests that only the long run plays. */
export function inLongRun(declare: () => void): void {
  if (isLongRun) declare();
}

/** Tests that only `npm test` plays. */
export function inShortRun(declare: () => void): void {
  if (!isLongRun) declare();
}
