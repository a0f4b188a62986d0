const FARTHEST = 2;

/** The most similar word; null when none is similar enough. */
export function nearest(said: string, words: readonly string[]): string | null {
  const near = words
    .map((word) => ({ word, distance: distance(said.toLowerCase(), word) }))
    .filter((one) => one.distance <= FARTHEST && one.distance < one.word.length - 1)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.word ?? null;
}

/** Letters to add, leave out, change or swap with a neighbour (Damerau-Levenshtein, restricted). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = rows[i - 1]![j - 1]! + Number(!isSame);
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(row[j - 1]! + 1, rows[i - 1]![j]! + 1, changed, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
