import type { Instant } from '../../../../src/engine/vocabulary';

/** A time that counts only by its order. */
export function moment(letter: string, at: Instant): string {
  return `§${letter}${at}`;
}

/** Without those of pull requests: `names.ts`. */
const MARK = /§([A-WYZ])(-?\d+)/g;

/** With the place of each marked number among those with its letter. */
export function ranked(text: string): string {
  const byLetter = new Map<string, Set<number>>();
  for (const [, letter, digits] of text.matchAll(MARK)) {
    const known = byLetter.get(letter!);
    if (known) known.add(Number(digits));
    else byLetter.set(letter!, new Set([Number(digits)]));
  }
  const ranks = new Map<string, string>();
  for (const [letter, numbers] of byLetter) {
    [...numbers].sort((a, b) => a - b).forEach((number, rank) => ranks.set(`§${letter}${number}`, letter + rank));
  }
  return text.replaceAll(MARK, (mark) => ranks.get(mark)!);
}
