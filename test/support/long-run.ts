/** True in the project `long` of jest.config.cjs, which `npm run test:long` runs. */
export const isLongRun = (globalThis as { readonly isLongRun?: boolean }).isLongRun === true;

/** `npm test` plays the first of several repetitions, the long run the others. */
export function repetitionsOfThisRun<Item>(all: readonly Item[]): readonly Item[] {
  return isLongRun ? all.slice(1) : all.slice(0, 1);
}

/** Tests of the long run only. */
export function inLongRun(declare: () => void): void {
  if (isLongRun) declare();
}

/** Tests of `npm test` only. */
export function inShortRun(declare: () => void): void {
  if (!isLongRun) declare();
}
