const MOST_EDITS = 3;

/** The known word that was probably meant, if a few letters differ. */
export function closestTo(word: string, words: readonly string[]): string | undefined {
  const [closest] = words
    .map((one) => ({ one, edits: editsBetween(word.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return closest && closest.edits <= Math.min(MOST_EDITS, word.length / 2) ? closest.one : undefined;
}

/** The number of letters that are added, removed or replaced (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
