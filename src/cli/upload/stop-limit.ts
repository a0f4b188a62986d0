/** Options that let runners stop early, as whole words, with their default limits. */
const WITH_NUMBER = /^(?:--bail|--fail-fast|--maxfail|--max-failures)(?:=(\d+))?$/;
const AT_ONCE =
  /^(?:-failfast|--failfast|--exitfirst|--stop-on-(?:failure|error|defect|warning)|--exitonfailure|--exitonerror)$/;
const SHORT = /(?:^|[\\/])(?:pytest|py\.test|playwright)$/;

/**
 * The number of failures after which the test command stops, by the options in its words; undefined: no such option.
 * Options in a file, or behind `npm test`, are not visible to this function.
 */
export function stopLimitOf(words: readonly string[]): number | undefined {
  const isShort = words.some((word) => SHORT.test(word));
  for (const [at, word] of words.entries()) {
    if (AT_ONCE.test(word) || (isShort && word === '-x')) return 1;
    const match = WITH_NUMBER.exec(word);
    if (match === null) continue;
    const next = words[at + 1] ?? '';
    const limit = Number(match[1] ?? (/^\d+$/.test(next) ? next : 1));
    if (limit > 0) return limit;
  }
  return undefined;
}
