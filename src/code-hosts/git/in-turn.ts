const tails = new Map<string, Promise<unknown>>();

/** Runs the work when everything given before under the same key has ended, in this process. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(key, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}

/** Whether somebody has the turn under that key, or waits for it. */
export function isInTurn(key: string): boolean {
  return tails.has(key);
}
