import type { Instant } from '../../../../src/engine/vocabulary';

/** A mark for a time, which `ranked` replaces by its rank, because only the order of times counts. */
export function moment(letter: string, at: Instant): string {
  return `§${letter}${at}`;
}

/** All marks except pull request numbers, which `names.ts` replaces. */
const MARK = /§([A-WYZ])(-?\d+)/g;

/** Replaces each marked number by its rank among the numbers with the same letter. */
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
